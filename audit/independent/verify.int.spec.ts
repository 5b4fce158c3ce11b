/* The verifier in Python replays what `audit export` writes. It must agree with the auditor, and find every forged log. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { caseCount } from '../../contracts/testing/case-count.js';
import { generatedHistories } from '../../domain/testing/generated-commands.js';
import { jsonLine } from '../cli/export.js';
import { FORGED_ACTORS } from '../testing/forged-actors.js';
import { FORGED_MONEY } from '../testing/forged-money.js';
import { FORGED_ROUNDS } from '../testing/forged-rounds.js';
import { audited, data, type Events, forged, honest } from '../testing/forgeries.js';
import { rechained, recorded } from '../testing/histories.js';

const needs = 'import zoneinfo; zoneinfo.ZoneInfo("America/New_York")';
const hasPython = spawnSync('python3', ['-c', needs]).status === 0;
if (!hasPython)
  console.warn(
    'python3 with time zones is not installed: audit/independent/verify.py was NOT compared with the auditor',
  );
const itNeedsPython = hasPython ? it : it.skip;

interface Verdict {
  events: number;
  chain: string;
  balances: Record<string, number>;
  winners: [roundId: number, gamerId: string, jackpotCents: number][];
  findings: string[];
}

function byPython(logs: readonly (readonly RecordedLedgerEvent[])[]): { verdicts: Verdict[]; exitCode: number | null } {
  const folder = mkdtempSync(path.join(tmpdir(), 'export-'));
  const files = logs.map((_, index) => path.join(folder, `${index}.jsonl`));
  for (const [index, file] of files.entries()) writeFileSync(file, (logs[index] ?? []).map(jsonLine).join(''));
  const { stdout, stderr, status } = spawnSync('python3', ['-B', path.join(__dirname, 'verify.py'), ...files], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  rmSync(folder, { recursive: true });
  if (stderr !== '') throw new Error(stderr);
  const verdicts = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdict);
  return { verdicts, exitCode: status };
}

function byAuditor(events: readonly RecordedLedgerEvent[]): Verdict {
  const auditor = audited(events);
  const won = auditor.rounds.ended.filter(({ winnerId }) => winnerId !== null);
  return {
    events: auditor.revision + 1,
    chain: auditor.chain,
    balances: Object.fromEntries(auditor.accounts.nonZero()),
    winners: won.map(({ roundId, winnerId, jackpotCents }) => [roundId, winnerId as string, jackpotCents]),
    findings: auditor.findings.map(({ says }) => says),
  };
}

itNeedsPython('agrees with the auditor about chain, balances and winners (needs python3)', () => {
  const generated = fc.sample(generatedHistories, caseCount(60)).map(recorded);
  const logs = [honest(), ...generated];
  const { verdicts, exitCode } = byPython(logs);
  expect(verdicts).toEqual(logs.map(byAuditor));
  expect(verdicts.flatMap(({ findings }) => findings)).toEqual([]);
  expect(verdicts[0]?.winners).not.toHaveLength(0);
  expect(exitCode).toBe(0);
});

/** What the verifier says of some of them. */
const WORDS: Record<string, string> = {
  'a cent of the uplines’ share as profit': 'TokenPurchased has a price or a share that is not that of its round',
  'a cent from nowhere': 'TokenPurchased has postings that do not sum to zero',
  'an upline who was not paid': 'TokenPurchased pays other uplines, or other cents, than are entitled',
  'a smaller fee': 'DepositApproved credits another part of the payment than all but the fee',
  'a purchase by an invoice beyond the operator’s deposit limit': 'TokenPurchased breaks a limit',
  'a removed gamer whose money stays': 'GamerRemoved forfeits other balances than the gamer has',
  'another winner': 'RoundEnded names a winner who did not buy last',
  'a purchase beyond the balance': 'TokenPurchased leaves gamer:bob:purchase below zero',
};

itNeedsPython('finds every log that the auditor finds forged, though its chain is right (needs python3)', () => {
  const forgeries = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS];
  const { verdicts, exitCode } = byPython(forgeries.map(([, forge]) => forged(forge)));
  const findingsOf = new Map(forgeries.map(([rule], index) => [rule, verdicts[index]?.findings]));
  expect([...findingsOf].filter(([, findings]) => findings?.length === 0)).toEqual([]);
  for (const [rule, says] of Object.entries(WORDS))
    expect(findingsOf.get(rule)).toContainEqual(expect.stringContaining(says));
  expect(verdicts.flatMap(({ findings }) => findings).filter((one) => one.includes('chain'))).toEqual([]);
  expect(verdicts).toHaveLength(forgeries.length);
  expect(exitCode).toBe(1);
});

/** The log with one amount of one event changed by a cent, up and down, for every amount of every event; and what was changed. */
function* changedByACent(): Iterable<[amount: string, log: Events]> {
  for (const [index, { event }] of honest().entries()) {
    for (const path of amountsIn(event.data)) {
      for (const cent of [1, -1]) {
        const log = honest();
        const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as never)[key], log[index]?.event.data);
        const amounts = parent as Record<string, number>;
        const name = path.at(-1) as string;
        amounts[name] = (amounts[name] as number) + cent;
        yield [`${event.type} ${path.join('.')}`, rechained(log)];
      }
    }
  }
}

function amountsIn(value: unknown, isCents = false): string[][] {
  if (typeof value === 'number') return isCents ? [[]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    amountsIn(inner, isCents || /cents$/i.test(key) || key === 'limits' || key === 'wanted' || key === 'used').map(
      (path) => [key, ...path],
    ),
  );
}

/** Amounts that no rule of the ledger can contradict: those that a person chose, and payments, which only the gateway proves. */
const NOT_PROVED_HERE = [
  'DepositApproved feeCents',
  'DepositRecorded amountCents',
  'DepositRecorded feeCents',
  'ProtectionProfileSet limits.spending.day',
  'ProtectionProfileSet limits.deposits.month',
  'LimitsSet limits.deposits.month',
];

itNeedsPython('finds any amount that was changed by a cent, and so does the auditor (needs python3)', () => {
  const all = [...changedByACent()];
  const { verdicts } = byPython(all.map(([, log]) => log));
  const unseen = (findings: (index: number) => string[] | undefined) =>
    new Set(all.filter((_, index) => findings(index)?.length === 0).map(([amount]) => amount));
  expect(unseen((index) => verdicts[index]?.findings)).toEqual(new Set(NOT_PROVED_HERE));
  expect(unseen((index) => byAuditor(all[index]?.[1] ?? []).findings)).toEqual(new Set(NOT_PROVED_HERE));
  expect(all.length).toBeGreaterThan(300);
});

itNeedsPython('finds an edited event by its chain (needs python3)', () => {
  const edit = data('BalanceAdjusted', (adjusted) => (adjusted.reason = 'something else'));
  const { verdicts } = byPython([edit(honest())]);
  expect(verdicts[0]?.findings).toEqual(['event 8: BalanceAdjusted has a chain that does not follow']);
});
