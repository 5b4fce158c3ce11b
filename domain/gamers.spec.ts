import { ADMIN, ALICE, BOB, CAROL } from './testing/constants.js';
import { adminEnrolled, enrolled, enrolledGamers } from './testing/gamers.js';
import { given, itRefuses } from './testing/scenario.js';

const enrolAdmin = (gamerId: string) => ({ type: 'EnrolAdmin', gamerId }) as const;
const enrol = (gamerId: string, sponsorId: string | null) => ({ type: 'EnrolGamer', gamerId, sponsorId }) as const;

it('enrolling the admin makes the admin the root, without sponsor or parent', () => {
  const { state } = given().when(enrolAdmin(ADMIN)).thenHappens(adminEnrolled());
  expect(state.adminId).toBe(ADMIN);
});

describe('enrolling a gamer', () => {
  it('places a gamer without a sponsor under the admin, left to right', () => {
    given(adminEnrolled())
      .when(enrol(ALICE, null))
      .thenHappens(enrolled(ALICE, null, ADMIN, 0))
      .when(enrol(BOB, null))
      .thenHappens(enrolled(BOB, null, ADMIN, 1))
      .when(enrol(CAROL, null))
      .thenHappens(enrolled(CAROL, null, ADMIN, 2))
      .when(enrol('dan', null))
      .thenHappens(enrolled('dan', null, ALICE, 0))
      .when(enrol('eve', null))
      .thenHappens(enrolled('eve', null, ALICE, 1));
  });

  it('keeps the sponsor of a gamer who is placed deeper', () => {
    given(enrolledGamers(), enrolled('b', ALICE, ALICE, 1), enrolled('c', ALICE, ALICE, 2))
      .when(enrol('d', ALICE))
      .thenHappens(enrolled('d', ALICE, BOB, 0));
  });

  const ENROLLED = 'This gamer is already enrolled';
  itRefuses([
    ['is refused to the admin a second time', enrolledGamers(), enrolAdmin(ADMIN), ENROLLED],
    ['is refused to a second admin', enrolledGamers(), enrolAdmin('another'), ENROLLED],
    ['is refused a second time with the same sponsor', enrolledGamers(), enrol(BOB, ALICE), ENROLLED],
    ['is refused a second time without a sponsor', enrolledGamers(), enrol(BOB, null), ENROLLED],
    ['is refused to the admin as a gamer', enrolledGamers(), enrol(ADMIN, null), ENROLLED],
    ['is refused with an unknown sponsor', enrolledGamers(), enrol('dan', 'nobody'), 'Referral code not found'],
    ['is refused with the gamer as sponsor', enrolledGamers(), enrol('dan', 'dan'), 'Referral code not found'],
  ]);

  it('throws before the admin is enrolled', () => {
    expect(() => given().when(enrol(ALICE, null))).toThrow('the admin enrols first');
  });
});
