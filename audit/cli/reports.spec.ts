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

const wrong = { findings: [{ revision: 3, message: 'is wrong' }], findingCount: 1 };

it.each<[string, Partial<AuditVerdict>, RegExp, number]>([
  ['3 for tables without a worker', {}, /\nThe tables are too old: .*$/, 3],
  ['3 for a view that no worker has built', { behindMs: 0, notCompared: ['winners'] }, /them: winners\nThe tables/, 3],
  ['0 for tables that are seconds behind', { behindMs: 60_000 }, /\nEverything is as it must be\.$/, 0],
  ['1 for any finding, also with old tables', wrong, /event 4: is wrong\n1 finding\./, 1],
])('exits with %s', (_name, change, text, code) => {
  const changed = { ...verdict, ...change };
  expect([...describeVerdict(changed)].join('\n')).toMatch(text);
  expect(exitCodeOf(changed)).toBe(code);
});
