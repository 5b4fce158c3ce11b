/* The verifier in Python replays what `audit export` writes, and must agree with the auditor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { Auditor } from '../auditor.js';
import { jsonLine } from '../export.js';
import { data, type Events, honest } from '../testing/forgeries.js';
import { rechained } from '../testing/histories.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: audit/independent/verify.py was NOT compared with the auditor');
const itNeedsPython = hasPython ? it : it.skip;

const folder = mkdtempSync(path.join(tmpdir(), 'export-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface PythonVerdict {
  events: number;
  chain: string;
  balances: Record<string, number>;
  winners: [roundId: number, gamerId: string, jackpotCents: number][];
  findings: string[];
}

function byPython(events: readonly RecordedLedgerEvent[]): { verdict: PythonVerdict; exitCode: number | null } {
  const file = path.join(folder, 'ledger.jsonl');
  writeFileSync(file, events.map(jsonLine).join(''));
  const { stdout, stderr, status } = spawnSync('python3', [path.join(__dirname, 'verify.py'), file], {
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return { verdict: JSON.parse(stdout) as PythonVerdict, exitCode: status };
}

function byAuditor(events: readonly RecordedLedgerEvent[]): Auditor {
  const auditor = new Auditor();
  for (const event of events) auditor.take(event);
  return auditor;
}

itNeedsPython('agrees with the auditor about chain, balances and winners (needs python3)', () => {
  const { verdict, exitCode } = byPython(honest());
  const auditor = byAuditor(honest());
  expect(exitCode).toBe(0);
  expect(auditor.findings).toEqual([]);
  const won = auditor.rounds.ended.filter(({ winnerId }) => winnerId !== null);
  expect(won).not.toHaveLength(0);
  expect(verdict).toEqual({
    events: auditor.revision + 1,
    chain: auditor.chain,
    balances: Object.fromEntries(auditor.accounts.held()),
    winners: won.map(({ roundId, winnerId, jackpotCents }) => [roundId, winnerId, jackpotCents]),
    findings: [],
  });
});

itNeedsPython.each<[string, (events: Events) => Events, string]>([
  [
    'a cent of the unclaimed as profit',
    data('TokenPurchased', (bought) => {
      bought.houseShareCents += 1;
      bought.unclaimedCents -= 1;
    }),
    'TokenPurchased has a price or a share that is not that of its round',
  ],
  [
    'a cent from nowhere',
    data('TokenPurchased', (bought) => {
      bought.unclaimedCents += 1;
    }),
    'TokenPurchased has postings that do not sum to zero',
  ],
  [
    'another winner',
    data('RoundEnded', (ended) => {
      ended.winner = { gamerId: 'bob', purchaseId: 'p1' };
    }),
    'RoundEnded names a winner who did not buy last',
  ],
  [
    'a withdrawal of more than was won',
    data('WithdrawalRequested', (requested) => {
      requested.amountCents = 2_600;
    }),
    'WithdrawalRequested leaves gamer:bob:winnings below zero',
  ],
  [
    'a payout to a new address in its waiting time',
    data('WithdrawalRequested', (requested) => {
      requested.heldUntilEpochMs = (requested.heldUntilEpochMs ?? 0) + 1;
    }),
    'WithdrawalProcessing pays a new address in its waiting time',
  ],
  [
    'a gamer who stops a payout too late',
    data('WithdrawalRequested', (requested) => (requested.heldUntilEpochMs = null), 2),
    'WithdrawalReturned is stopped by its gamer after its waiting time',
  ],
])('finds %s in a log with a recomputed chain, as the auditor does (needs python3)', (_name, forge, says) => {
  const forged = rechained(forge(honest()));
  const { verdict, exitCode } = byPython(forged);
  expect(exitCode).toBe(1);
  expect(verdict.findings.join('\n')).toContain(says);
  expect(verdict.findings.join('\n')).not.toContain('chain');
  expect(byAuditor(forged).findings).not.toHaveLength(0);
});

itNeedsPython('finds an edited event by its chain (needs python3)', () => {
  const edit = data('BalanceAdjusted', (adjusted) => {
    adjusted.reason = 'something else';
  });
  const { verdict } = byPython(edit(honest()));
  expect(verdict.findings).toEqual(['event 8: BalanceAdjusted has a chain that does not follow']);
});
