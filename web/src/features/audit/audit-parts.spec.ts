import type { AuditVerdict, AuditVerification } from '../../../../contracts/http/audit.js';
import {
  accountName,
  amountText,
  describeActor,
  describeVerification,
  exactTimeText,
  fullTimeText,
  signedText,
  statementName,
} from './audit-parts.js';

const atMs = Date.UTC(2025, 9, 15, 1, 14, 10);
const verdict: AuditVerdict = {
  events: 184_223,
  chain: 'ab',
  roundsEnded: 36,
  roundsWon: 35,
  comparedEvents: 184_223,
  heads: 1_000,
  findingCount: 0,
  findings: [],
};
const done: AuditVerification = { state: 'done', startedAtMs: atMs - 9_000, finishedAtMs: atMs, verdict };
const described = (verification: AuditVerification, now = atMs + 60_000) => {
  const { tone, headline, details, button } = describeVerification(verification, now);
  return [tone, [headline, ...details].join(' · '), button];
};

describe('the description of a verification', () => {
  it('says that ledger and tables agree, and when that was checked', () => {
    expect(described(done)).toEqual([
      'good',
      'Ledger and tables agree to the cent · 184,223 events replayed · chain unbroken · 1,000 signed heads compared · checked 9:14:10 PM EDT',
      'Verify again',
    ]);
    expect(described(done, atMs + 86_400_000)[1]).toContain('checked Oct 14, 2025, 9:14:10 PM EDT');
  });

  const withVerdict = (changed: Partial<AuditVerdict>) => described({ ...done, verdict: { ...verdict, ...changed } });

  it('claims agreement only for the events that the tables had seen', () => {
    expect(withVerdict({ comparedEvents: 184_000 })[1]).toContain('tables as of event 184,000');
    expect(withVerdict({ comparedEvents: 0 })[1]).toContain('The ledger is sound to the cent');
  });

  it('reports findings as bad', () => {
    const [tone, text] = withVerdict({ findingCount: 1 });
    expect(tone).toBe('bad');
    expect(text).toContain('1 finding: the ledger or its tables are wrong');
    expect(text).not.toContain('unbroken');
  });

  it('tells never verified, running and failed apart', () => {
    const nothing = { startedAtMs: null, finishedAtMs: null, verdict: null };
    expect(described({ state: 'never', ...nothing })).toEqual([
      'plain',
      'Not verified on this server yet · It replays the whole log and compares the tables with it',
      'Verify now',
    ]);
    expect(described({ ...done, state: 'running', finishedAtMs: null })).toEqual([
      'plain',
      'Verifying since 9:14:01 PM EDT · the whole log is replayed',
      null,
    ]);
    expect(described({ ...done, state: 'failed' })[0]).toBe('bad');
  });
});

const written = Date.UTC(2025, 9, 15, 1, 14, 7, 316);

it('writes times in New York, to the second or to the millisecond, without the day on that day only', () => {
  expect(exactTimeText(written)).toBe('Oct 14, 2025, 9:14:07.316 PM EDT');
  expect(fullTimeText(written, written + 2 * 3_600_000)).toBe('9:14:07 PM EDT');
  expect(fullTimeText(written, written + 3 * 3_600_000)).toBe('Oct 14, 2025, 9:14:07 PM EDT');
  expect(exactTimeText(written, written)).toBe('9:14:07.316 PM EDT');
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

it('names accounts, and the sender of a command', () => {
  expect(accountName('gamers:purchase')).toBe('gamers, purchase balances');
  expect(accountName('gamers:winnings')).toBe('gamers, winnings');
  expect(accountName('house:profit')).toBe('house:profit');
  expect(statementName('winnings', 'ada_west')).toBe('ada_west, winnings');
  expect(statementName('purchase', 'ada_west')).toBe('ada_west, purchase balance');
  expect(statementName('world:crypto', null)).toBe('world:crypto');
  const gamer = { id: 'a', gamerTag: 'nova_kid' };
  expect(describeActor({ gamer, role: 'gamer' })).toBe('nova_kid, as a gamer');
  expect(describeActor({ gamer, role: 'admin' })).toBe('nova_kid, as the admin');
  expect(describeActor({ gamer: null, role: 'system' })).toBe('the system');
});
