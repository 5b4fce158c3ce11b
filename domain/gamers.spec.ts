import { ADMIN, ALICE, BOB, CAROL } from './testing/constants.js';
import { adminEnrolled, enrolled, enrolledGamers } from './testing/gamers.js';
import { given } from './testing/scenario.js';

const enrolAdmin = (gamerId: string) => ({ type: 'EnrolAdmin', gamerId }) as const;
const enrol = (gamerId: string, sponsorId: string | null) => ({ type: 'EnrolGamer', gamerId, sponsorId }) as const;

describe('enrolling the admin', () => {
  it('makes the admin the root, without sponsor or parent', () => {
    const { state } = given().when(enrolAdmin(ADMIN)).thenHappens(adminEnrolled());
    expect(state.adminId).toBe(ADMIN);
  });

  it('is refused a second time', () => {
    given(adminEnrolled()).when(enrolAdmin(ADMIN)).thenRefused('This gamer is already enrolled');
    given(adminEnrolled()).when(enrolAdmin('another')).thenRefused('This gamer is already enrolled');
  });
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

  it('is refused a second time, with any sponsor', () => {
    given(enrolledGamers()).when(enrol(BOB, ALICE)).thenRefused('This gamer is already enrolled');
    given(enrolledGamers()).when(enrol(BOB, null)).thenRefused('This gamer is already enrolled');
    given(enrolledGamers()).when(enrol(ADMIN, null)).thenRefused('This gamer is already enrolled');
  });

  it('is refused with an unknown sponsor, or with the gamer as sponsor', () => {
    given(enrolledGamers()).when(enrol('dan', 'nobody')).thenRefused('Referral code not found');
    given(enrolledGamers()).when(enrol('dan', 'dan')).thenRefused('Referral code not found');
  });

  it('throws before the admin is enrolled', () => {
    expect(() => given().when(enrol(ALICE, null))).toThrow('the admin enrols first');
  });
});
