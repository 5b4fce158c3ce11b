/* The verifiers in Python agree with the auditor about what `audit export` writes and /verify saves, honest or forged. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { caseCount } from '../../contracts/testing/case-count.js';
import { TestLog } from '../../contracts/testing/test-log.js';
import { COSIGNATURE, createSigner } from '../../contracts/transparency/signed-note.js';
import { generatedHistories } from '../../domain/testing/generated-commands.js';
import { describeVerdict, jsonLine } from '../cli/reports.js';
import { checkProof } from '../proof/receipt.js';
import { headInFile, verify } from '../replay/verify.js';
import { FORGED_ACTORS } from '../testing/forged-actors.js';
import { FORGED_LOSSES, lostBefore } from '../testing/forged-losses.js';
import { FORGED_MONEY } from '../testing/forged-money.js';
import { FORGED_ROUNDS } from '../testing/forged-rounds.js';
import { audited, data, type Events, forged, honest } from '../testing/forgeries.js';
import { rechained, recorded } from '../testing/histories.js';
import { logOf, policyText, proofOf, provable } from '../testing/proofs.js';
import { hasPython, runPython } from '../testing/python.js';

const itNeedsPython = hasPython ? it : it.skip;

interface Verdict {
  events: number;
  chain: string;
  root: string;
  balances: Record<string, number>;
  winners: [roundId: number, gamerId: string, jackpotCents: number][];
  losses: object[];
  findings: string[];
}

function byPython(logs: readonly (readonly RecordedLedgerEvent[])[]) {
  return runPython<Verdict>(
    'verify.py',
    logs.map((log) => log.map(jsonLine).join('')),
  );
}

function byAuditor(events: readonly RecordedLedgerEvent[]): Verdict {
  const auditor = audited(events);
  const won = auditor.rounds.ended.filter(({ winnerId }) => winnerId !== null);
  return {
    events: auditor.revision + 1,
    chain: auditor.chain,
    root: auditor.tree.root,
    balances: Object.fromEntries(auditor.ledgerAccounts.nonZero()),
    winners: won.map(({ roundId, winnerId, jackpotCents }) => [roundId, winnerId as string, jackpotCents]),
    losses: auditor.losses.map(({ revision, atMs, ...lost }) => ({ number: revision + 1, at: atMs, ...lost })),
    findings: auditor.findings.map(({ message }) => message),
  };
}

itNeedsPython(
  'agrees with the auditor about chain, balances, winners, and the root at any size (needs python3)',
  () => {
    const generated = fc.sample(generatedHistories, caseCount(20, 600)).map(recorded);
    const logs = [honest(), ...generated];
    const { verdicts, exitCode } = byPython(logs);
    expect(verdicts).toEqual(logs.map(byAuditor));
    expect(verdicts.flatMap(({ findings }) => findings)).toEqual([]);
    expect(verdicts[0]?.winners).not.toHaveLength(0);
    expect(exitCode).toBe(0);
    const cut = logs.flatMap((log) => [0, 1, 7, Math.floor(log.length / 2)].map((size) => log.slice(0, size)));
    expect(byPython(cut).verdicts.map(({ root }) => root)).toEqual(cut.map((log) => audited(log).tree.root));
  },
);

/** A history with a loss, and heads of another one: within what is left, at its end and of what was lost. */
async function lostHistory() {
  const log = forged(lostBefore('ExclusionLifted'));
  const other = await TestLog.create(400);
  const heads = await Promise.all([3, log.length, 400].map((size) => other.head(size)));
  const number = log.findIndex(({ event }) => event.type === 'HistoryLost') + 1;
  return { log, heads, number, lost: `it is of the history that event ${number} says was lost` };
}

itNeedsPython('names losses, and kept heads of a lost history, as the auditor does (needs python3)', async () => {
  const { log, heads, number, lost } = await lostHistory();
  const { verdicts, exitCode } = runPython<Verdict>('verify.py', [log.map(jsonLine).join('')], (folder) =>
    heads.flatMap((head, index) => {
      const file = path.join(folder, `head-${index}`);
      writeFileSync(file, head);
      return ['--head', file];
    }),
  );
  expect(exitCode).toBe(1);
  expect(verdicts[0]).toMatchObject({ ...byAuditor(log), findings: expect.anything() });
  expect(verdicts[0]?.losses).toMatchObject([{ number, acceptedBy: 'Ada', reason: 'a lost disk' }]);
  expect(verdicts[0]?.findings).toEqual([
    'event 3: GamerEnrolled has another root than a signed head: it is of another history',
    `event ${log.length}: ExclusionLifted has another root than a signed head: ${lost}`,
    `the signed head of 400 events is of the history that event ${number} says was lost`,
  ]);
});

it('names kept heads of a lost history in the auditor, those of files and those of the nodes', async () => {
  const { log, heads, number, lost } = await lostHistory();
  const kept = heads.map((head) => headInFile('kept', head));
  const inMemory = { readStream: () => streamed(log), readAll: () => streamed([]) };
  const verdict = await verify(inMemory as never, null, kept);
  const messages = verdict.findings.map((finding) => finding.message).filter((one) => one.includes('signed head'));
  expect(messages).toEqual([
    expect.stringMatching(/^GamerEnrolled has another root than .* in kept: it is of another history$/),
    `ExclusionLifted has another root than the signed head of ${log.length} events in kept: ${lost}`,
    `is the last event, but the signed head of 400 events in kept has 400: ${lost}`,
  ]);
  expect([...describeVerdict(verdict)].join('\n')).toContain(
    `LOST:   event ${number} of 2026-07-20T12:00:00.000Z says that what came after`,
  );
  const stored = await verify(
    inMemory as never,
    null,
    kept.slice(2).map((head) => ({ ...head, isStored: true })),
  );
  expect(stored.findings.filter((one) => one.message.includes('signed head'))).toEqual([]);
  const skipping = { ...inMemory, readStream: () => streamed(log.toSpliced(2, 1)) };
  const skipped = await verify(skipping as never, null, kept.slice(0, 1));
  expect(skipped.findings.filter((one) => one.message.includes('signed head'))).toEqual([]);
});

async function* streamed<T>(all: readonly T[]): AsyncIterable<T> {
  yield* all;
}

interface ProofVerdict {
  shows: string | null;
  finding: string | null;
}

/** The proof with another character somewhere. */
function withOther(proof: string, choice: number): string {
  const index = choice % proof.length;
  return `${proof.slice(0, index)}${proof[index] === 'A' ? 'B' : 'A'}${proof.slice(index + 1)}`;
}

itNeedsPython(
  'agrees about proofs of purchases and ends, and refuses each with another character (needs python3)',
  async () => {
    const logs = [honest(), ...fc.sample(generatedHistories, caseCount(20, 600)).map(recorded)];
    const proofs: string[] = [];
    for (const [number, log] of logs.entries()) {
      const tree = await logOf(log);
      for (const index of provable(log)) {
        const size = Math.max(index + 1, (number * 31) % log.length);
        proofs.push(await proofOf(log, index, { size, log: tree }));
      }
    }
    const key = (await logOf([])).signer.key.text;
    const policy = await policyText();
    const forged = proofs.map((proof, index) => withOther(proof, index * 7_919));
    const { verdicts } = runPython<ProofVerdict>('receipt.py', [...proofs, ...forged], (folder) => {
      writeFileSync(path.join(folder, 'policy'), policy);
      return ['--key', key, '--policy', path.join(folder, 'policy')];
    });
    const isRight = async (proof: string) => {
      const { findings } = await checkProof(proof, { key, policy }).catch((error: Error) => ({
        findings: [error.message],
      }));
      return findings.length === 0;
    };
    expect(await Promise.all([...proofs, ...forged].map(isRight))).toEqual(
      verdicts.map(({ finding }) => finding === null),
    );
    expect(verdicts.filter(({ finding }) => finding === null)).toHaveLength(proofs.length);
    expect(verdicts.filter(({ shows }) => shows?.includes(' won round '))).not.toHaveLength(0);
  },
);

itNeedsPython('says when the witnesses that the policy requires are missing (needs python3)', async () => {
  const { key } = await createSigner('witness.example/two', COSIGNATURE, new Uint8Array(32).fill(3));
  const { signer } = await logOf([]);
  const proof = await proofOf(honest(), provable(honest())[0] ?? 0);
  const { verdicts } = runPython<ProofVerdict>('receipt.py', [proof], (folder) => {
    writeFileSync(path.join(folder, 'policy'), `witness two ${key.text}\nquorum two\n`);
    return ['--key', signer.key.text, '--policy', path.join(folder, 'policy')];
  });
  expect(verdicts[0]?.finding).toContain('too few witnesses cosigned the head');
});

/** The verifier's sentences for some findings, by the auditor's. */
const WORDS: Record<string, string> = {
  'gives the operator $0.05 for 2 tokens': 'TokenPurchased has a price or a share that is not that of its round',
  'sum to $0.01, not to zero': 'TokenPurchased has postings that do not sum to zero',
  'level 1, direct, and pays $0.05': 'TokenPurchased pays other uplines, or other cents, than are entitled',
  'credits $7.00 of $7.34': 'DepositApproved credits another part of the payment than all but the fee',
  'TokenPurchased breaks the operator’s deposits limit': 'TokenPurchased breaks a limit',
  'forfeits $0.39 of $0.40': 'GamerRemoved forfeits other balances than the gamer has',
  'names bob': 'RoundEnded names a winner who did not buy last',
  'is at −$': 'TokenPurchased leaves gamer:bob:purchase below zero',
};

itNeedsPython('finds every log that the auditor finds forged, though its chain is right (needs python3)', () => {
  const forgeries = [...FORGED_ROUNDS, ...FORGED_MONEY, ...FORGED_ACTORS, ...FORGED_LOSSES];
  const { verdicts, exitCode } = byPython(forgeries.map(([, forge]) => forged(forge)));
  expect(forgeries.filter((_, index) => verdicts[index]?.findings.length === 0)).toEqual([]);
  for (const [finding, message] of Object.entries(WORDS)) {
    const index = forgeries.findIndex(([one]) => one === finding);
    expect(verdicts[index]?.findings).toContainEqual(expect.stringContaining(message));
  }
  expect(verdicts.flatMap(({ findings }) => findings).filter((one) => one.includes('chain'))).toEqual([]);
  expect(verdicts).toHaveLength(forgeries.length);
  expect(exitCode).toBe(1);
});

/** Full campaigns change each amount up and down. */
const CENTS = [1, -1].slice(0, caseCount(1, 2));

/** The log with one amount of one event changed by a cent, for every amount of every event; and what was changed. */
function* changedByACent(): Iterable<[amount: string, log: Events]> {
  for (const [index, { event }] of honest().entries()) {
    for (const path of amountsIn(event.data)) {
      for (const cent of CENTS) {
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
    amountsIn(inner, isCents || /cents$/i.test(key) || key === 'limits' || key === 'higher' || key === 'used').map(
      (path) => [key, ...path],
    ),
  );
}

/** Amounts that no rule of the ledger can contradict: those that a person chose, and payments, which only the gateway proves. */
const NOT_PROVED_HERE = [
  'DepositApproved feeCents',
  'DepositRecorded feeCents',
  'ProtectionProfileSet limits.spending.day',
  'ProtectionProfileSet limits.deposits.month',
  'LimitsSet limits.deposits.month',
  ...(CENTS.includes(-1) ? ['DepositRecorded amountCents'] : []),
];

itNeedsPython('finds any amount that was changed by a cent, and so does the auditor (needs python3)', () => {
  const all = [...changedByACent()];
  const { verdicts } = byPython(all.map(([, log]) => log));
  const unseen = (findings: (index: number) => string[] | undefined) =>
    new Set(all.filter((_, index) => findings(index)?.length === 0).map(([amount]) => amount));
  expect(unseen((index) => verdicts[index]?.findings)).toEqual(new Set(NOT_PROVED_HERE));
  expect(unseen((index) => byAuditor(all[index]?.[1] ?? []).findings)).toEqual(new Set(NOT_PROVED_HERE));
  expect(all.length).toBeGreaterThan(150);
});

itNeedsPython('finds an edited event by its chain (needs python3)', () => {
  const edit = data('BalanceAdjusted', (adjusted) => (adjusted.reason = 'something else'));
  const { verdicts } = byPython([edit(honest())]);
  expect(verdicts[0]?.findings).toEqual(['event 8: BalanceAdjusted has a chain that does not follow']);
});
