import {
  accountName,
  amountText,
  describeActor,
  exactTimeText,
  fullTimeText,
  signedText,
  statementName,
} from './audit-parts.js';

const at = Date.UTC(2025, 9, 15, 1, 14, 7, 316);

it('writes times in New York, to the second or to the millisecond', () => {
  expect(fullTimeText(at)).toBe('Oct 14, 2025, 9:14:07 PM EDT');
  expect(exactTimeText(at)).toBe('Oct 14, 2025, 9:14:07.316 PM EDT');
});

it('leaves the day out on that day in New York only', () => {
  expect(fullTimeText(at, at + 2 * 3_600_000)).toBe('9:14:07 PM EDT');
  expect(fullTimeText(at, at + 3 * 3_600_000)).toBe('Oct 14, 2025, 9:14:07 PM EDT');
  expect(exactTimeText(at, at)).toBe('9:14:07.316 PM EDT');
});

it.each([
  [0, '0.00', '0.00'],
  [5, '0.05', '+0.05'],
  [-60, '−0.60', '−0.60'],
  [-6_430_182, '−64,301.82', '−64,301.82'],
  [2_140_680, '21,406.80', '+21,406.80'],
])('writes %d cents as dollars', (cents, amount, signed) => {
  expect([amountText(cents), signedText(cents)]).toEqual([amount, signed]);
});

it('names accounts', () => {
  expect(accountName('gamers:purchase')).toBe('gamers, purchase balances');
  expect(accountName('gamers:winnings')).toBe('gamers, winnings');
  expect(accountName('house:profit')).toBe('house:profit');
  expect(statementName('winnings', 'ada_west')).toBe('ada_west, winnings');
  expect(statementName('purchase', 'ada_west')).toBe('ada_west, purchase balance');
  expect(statementName('world:crypto', null)).toBe('world:crypto');
});

it('names the sender of a command', () => {
  const gamer = { id: 'a', gamerTag: 'nova_kid' };
  expect(describeActor({ gamer, role: 'gamer' })).toBe('nova_kid, as a gamer');
  expect(describeActor({ gamer, role: 'admin' })).toBe('nova_kid, as the admin');
  expect(describeActor({ gamer: null, role: 'system' })).toBe('the system');
});
