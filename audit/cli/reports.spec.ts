import type { AuditVerdict } from '../replay/verify.js';
import { describeVerdict, exitCodeOf } from './reports.js';

const verdict: AuditVerdict = {
  events: 2_506,
  chain: 'c'.repeat(64),
  root: 'd'.repeat(64),
  heads: 0,
  roundsEnded: 1,
  roundsWon: 1,
  accounts: 4,
  comparedEvents: 0,
  behind: { events: 2_506, sinceMs: 1_000, forMs: 60_001 },
  notCompared: [],
  payments: 0,
  latePurchases: 0,
  losses: [],
  findings: [],
  findingCount: 0,
};
const text = (one: AuditVerdict): string => [...describeVerdict(one)].join('\n');

it('reports how far tables without a worker are behind, and exits with 3', () => {
  expect(text(verdict)).toContain(
    '2,506 events behind the ledger, since 1970-01-01T00:00:01.000Z\nThe tables are too old',
  );
  expect(text(verdict)).not.toContain('as it must be');
  expect(exitCodeOf(verdict)).toBe(3);
});

it('accepts tables that are seconds behind', () => {
  const fresh = { ...verdict, behind: { events: 6, sinceMs: 1_000, forMs: 2_000 } };
  expect(text(fresh)).toMatch(/6 events behind.*\nEverything is as it must be\.$/);
  expect(exitCodeOf(fresh)).toBe(0);
});

it('exits with 1 for any finding, also with old tables', () => {
  const wrong = { ...verdict, findings: [{ revision: 3, message: 'is wrong' }], findingCount: 1 };
  expect(text(wrong)).toContain('event 4: is wrong\n1 finding.');
  expect(exitCodeOf(wrong)).toBe(1);
});
