import type { StatementResponse } from '../../../../contracts/http/statements.js';
import { firstStatement, statementCsv, statementFileName } from './statement-section.js';

it('starts with the jackpot’s last thirty days', () => {
  expect(firstStatement(Date.UTC(2025, 9, 15, 1))).toEqual({
    account: 'jackpot',
    from: '2025-09-15',
    to: '2025-10-14',
  });
});

const atMs = Date.UTC(2025, 9, 4, 5, 12, 9);
const statement: StatementResponse = {
  account: 'winnings',
  gamer: { id: 'a', gamerTag: 'ada_west' },
  from: '2025-10-01',
  to: '2025-10-14',
  openingCents: 3_816,
  lines: [
    { number: 24_551, atMs, eventCount: 1, description: 'Jackpot of round 10', cents: 15_002, balanceCents: 18_818 },
    { number: 31_007, atMs, eventCount: 1, description: 'Withdrawal, DOGE', cents: -15_002, balanceCents: 3_816 },
  ],
  closingCents: 3_816,
  servedCents: null,
};

it('writes the lines between the opening and the closing balance as CSV, named after the account and the day', () => {
  expect(statementFileName(statement, atMs)).toBe('statement-ada-west-winnings-2025-10-04.csv');
  expect(statementCsv(statement).split('\r\n')).toEqual([
    '\ufeffWhen,Event,What,Amount (USD),Balance (USD)',
    ',,Opening balance,,38.16',
    '2025-10-04T05:12:09.000Z,24551,Jackpot of round 10,150.02,188.18',
    '2025-10-04T05:12:09.000Z,31007,"Withdrawal, DOGE",-150.02,38.16',
    ',,Closing balance,,38.16',
    '',
  ]);
});
