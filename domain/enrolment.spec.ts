import { ALICE, BOB, CAROL, enrolled, HOUSE, houseEnrolled, people } from './testing/events.js';
import { given } from './testing/story.js';

const enrolHouse = (gamerId: string) => ({ type: 'EnrolHouse', gamerId }) as const;
const enrol = (gamerId: string, sponsorId: string | null) => ({ type: 'EnrolGamer', gamerId, sponsorId }) as const;

describe('enrolling the house', () => {
  it('makes it the root, without sponsor or parent', () => {
    const { state } = given().when(enrolHouse(HOUSE)).thenHappens(houseEnrolled());
    expect(state.houseId).toBe(HOUSE);
  });

  it('happens once', () => {
    given(houseEnrolled()).when(enrolHouse(HOUSE)).thenRefused('This gamer is already enrolled');
    given(houseEnrolled()).when(enrolHouse('another')).thenRefused('This gamer is already enrolled');
  });
});

describe('enrolling a gamer', () => {
  it('places the unreferred under the house, left to right', () => {
    given(houseEnrolled())
      .when(enrol(ALICE, null))
      .thenHappens(enrolled(ALICE, null, HOUSE, 0))
      .when(enrol(BOB, null))
      .thenHappens(enrolled(BOB, null, HOUSE, 1))
      .when(enrol(CAROL, null))
      .thenHappens(enrolled(CAROL, null, HOUSE, 2))
      .when(enrol('dan', null))
      .thenHappens(enrolled('dan', null, ALICE, 0))
      .when(enrol('eve', null))
      .thenHappens(enrolled('eve', null, ALICE, 1));
  });

  it('places the referred in the sponsor’s subtree, though there is room elsewhere', () => {
    given(people())
      .when(enrol('dan', BOB))
      .thenHappens(enrolled('dan', BOB, BOB, 0));
  });

  it('keeps the sponsor of one who is placed deeper', () => {
    given(people(), enrolled('b', ALICE, ALICE, 1), enrolled('c', ALICE, ALICE, 2))
      .when(enrol('d', ALICE))
      .thenHappens(enrolled('d', ALICE, BOB, 0));
  });

  it('may name the house as sponsor', () => {
    given(people())
      .when(enrol('dan', HOUSE))
      .thenHappens(enrolled('dan', HOUSE, HOUSE, 2));
  });

  it('is refused a second time, whoever the sponsor', () => {
    given(people()).when(enrol(BOB, ALICE)).thenRefused('This gamer is already enrolled');
    given(people()).when(enrol(BOB, null)).thenRefused('This gamer is already enrolled');
    given(people()).when(enrol(HOUSE, null)).thenRefused('This gamer is already enrolled');
  });

  it('is refused under a sponsor who is not enrolled, or is oneself', () => {
    given(people()).when(enrol('dan', 'nobody')).thenRefused('Referral code not found');
    given(people()).when(enrol('dan', 'dan')).thenRefused('Referral code not found');
  });

  it('cannot come before the house', () => {
    expect(() => given().when(enrol(ALICE, null))).toThrow('the house enrols first');
  });
});
