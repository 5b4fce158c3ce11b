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
  behindMs: 60_001,
  notCompared: [],
  payments: 0,
  latePurchases: 0,
  losses: [],
  findings: [],
  findingCount: 0,
};
const text = (one: AuditVerdict): string => [...describeVerdict(one)].join('\n');

it('says that tables without a worker are too old, and exits with 3', () => {
  expect(text(verdict)).toMatch(/The tables are too old: .*$/);
  expect(exitCodeOf(verdict)).toBe(3);
});

it('accepts tables that are seconds behind', () => {
  const fresh = { ...verdict, behindMs: 60_000 };
  expect(text(fresh)).toMatch(/\nEverything is as it must be\.$/);
  expect(exitCodeOf(fresh)).toBe(0);
});

it('exits with 1 for any finding, also with old tables', () => {
  const wrong = { ...verdict, findings: [{ revision: 3, message: 'is wrong' }], findingCount: 1 };
  expect(text(wrong)).toContain('event 4: is wrong\n1 finding.');
  expect(exitCodeOf(wrong)).toBe(1);
});
