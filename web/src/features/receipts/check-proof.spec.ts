import type { LostHistory } from '../../../../contracts/http/history-loss.js';
import { caseCount } from '../../../../contracts/testing/case-count.js';
import { ORIGIN, signerOf, TestLog } from '../../../../contracts/testing/test-log.js';
import { parsePolicy } from '../../../../contracts/transparency/policy.js';
import {
  isOpened,
  PROOF_FORMAT,
  parseProofFile,
  writeProofFile,
} from '../../../../contracts/transparency/proof-file.js';
import { COSIGNATURE, cosignatureLine, createSigner } from '../../../../contracts/transparency/signed-note.js';
import { inclusionProof } from '../../../../contracts/transparency/tree.js';
import { CHAIN_START, chainAfter, contentHashOf } from '../../../../domain/ledger/chain.js';
import { ALICE, BOB, CAROL, T0 } from '../../../../domain/testing/constants.js';
import { funded } from '../../../../domain/testing/gamers.js';
import { bought } from '../../../../domain/testing/rounds.js';
import { checkProof, type EventPredicate, type ProofContext } from './check-proof.js';

type LedgerEvent = Parameters<typeof chainAfter>[2];

const metadata = { commandId: 'c', commandHash: 'ab', actor: { id: BOB, role: 'gamer' }, at: T0, schema: 1 } as const;

const buys = (purchaseId: string, buyerId: string) =>
  bought(purchaseId, buyerId, { quantity: 2, jackpotCents: 26, balanceCents: 0, endsAtEpochMs: T0 });

const roundEnded = (winner: { gamerId: string; purchaseId: string } | null) => {
  const times = { endedAtMs: T0, nextRoundAtMs: T0 };
  return { type: 'RoundEnded', data: { roundId: 1, winner, jackpotCents: 26, purchaseCount: 2, ...times } } as const;
};

const HISTORY = [
  funded(BOB, 100),
  ...buys('p1', ALICE),
  ...buys('p2', BOB),
  funded(CAROL, 7),
  roundEnded({ gamerId: BOB, purchaseId: 'p2' }),
  funded(ALICE, 9),
];
const END = 6;
const WITNESS = createSigner('one.example/witness', COSIGNATURE, new Uint8Array(32).fill(7));

/** The chain hashes of a history, with the one before its first event. */
const chainsOf = (events: readonly LedgerEvent[]): string[] =>
  // biome-ignore lint/performance/noAccumulatingSpread: a few events
  events.reduce((all, event, n) => [...all, chainAfter(all.at(-1) as string, `e${n}`, event, metadata)], [CHAIN_START]);

/** The proof of the events from one number to another: those of `opened` are shown whole. */
async function proofOf(from: number, to: number, { opened = [to], events = HISTORY as readonly LedgerEvent[] } = {}) {
  const chains = chainsOf(events);
  const log = await TestLog.create(chains.slice(1).map((chain) => Buffer.from(chain, 'hex')));
  const shown = events.slice(from, to + 1).map(({ type, data }, offset) => {
    const id = `e${from + offset}`;
    if (opened.includes(from + offset)) return { id, type, data: { ...data }, metadata };
    return { type, contentHash: contentHashOf(id, data, metadata) };
  });
  const extra = { format: PROOF_FORMAT as typeof PROOF_FORMAT, chainBefore: chains[from] as string, events: shown };
  const note = await log.head();
  const cosigned =
    note + (await cosignatureLine(await WITNESS, note.slice(0, note.indexOf('\n\n') + 1), 1_800_000_000));
  const hashes = await inclusionProof(to, events.length, log.readTile);
  return writeProofFile({ extra, index: to, hashes, head: { note: cosigned } });
}

const purchase = () => proofOf(3, 3);
const end = (events: readonly LedgerEvent[] = HISTORY, from = 3) =>
  proofOf(from, END, { opened: [from + 1, END], events });

const receipt = {
  purchaseId: 'p2',
  roundId: 1,
  quantity: 2,
  receivedAtEpochMs: T0,
  revision: 3,
  eventId: 'e3',
  gamerId: BOB,
  chain: chainsOf(HISTORY)[4] as string,
};

async function contextOfPage(): Promise<ProofContext> {
  const policy = await parsePolicy(`witness one ${(await WITNESS).key.text}\nquorum one\n`);
  return { key: (await signerOf(1)).key.text, losses: [], policy, receipts: [], names: new Map([[BOB, 'Bob']]) };
}
const CONTEXT = contextOfPage();

const check = async (text: string, changed: Partial<ProofContext> = {}, isRequested?: EventPredicate) =>
  checkProof(parseProofFile(text), { ...(await CONTEXT), ...changed }, isRequested);

/** Whether each step holds. */
const holds = async (...[text, changed, requested]: Parameters<typeof check>) =>
  (await check(text, changed, requested)).map((step) => step.holds);

describe('a proof', () => {
  it('of a purchase holds, and is compared with the receipt', async () => {
    expect(await holds(await purchase())).toEqual([true, true, true]);
    expect(await holds(await purchase(), { receipts: [receipt] })).toEqual([true, true, true, true]);
    for (const changed of [{ quantity: 3 }, { chain: '1'.repeat(64) }, { eventId: 'e9' }, { purchaseId: 'p1' }]) {
      const compared = await holds(await purchase(), { receipts: [{ ...receipt, ...changed }] });
      expect(compared).toEqual([false, true, true, true]);
    }
  });

  it('fails when it proves another event than the requested one', async () => {
    const isThis: EventPredicate = ({ id }, index) => id === 'e3' && index === 3;
    expect(await holds(await purchase(), {}, isThis)).toEqual([true, true, true]);
    expect(await holds(await end(), {}, isThis)).toEqual([false]);
  });

  it('has an unknown signature without a key, a wrong one with another key, and skips witnesses without a policy', async () => {
    expect(await holds(await purchase(), { key: null })).toEqual([true, null, true]);
    expect(await holds(await purchase(), { key: (await signerOf(2)).key.text })).toEqual([true, false, true]);
    expect(await holds(await purchase(), { policy: null })).toEqual([true, true]);
    const lines = (await purchase()).split(/(?<=\n)/);
    expect(await holds(lines.slice(0, -1).join(''))).toEqual([true, true, null]);
  });

  it('of a log that ended with a loss is checked with the keys of that log', async () => {
    const { key } = await signerOf(1, `${ORIGIN}-abababab`);
    const loss = { signedOrigin: ORIGIN, keys: [(await signerOf(2)).key.text, (await signerOf(1)).key.text] };
    const losses = [loss as LostHistory];
    expect(await holds(await purchase(), { key: key.text })).toEqual([true, false, true]);
    expect(await holds(await purchase(), { key: key.text, losses })).toEqual([true, true, true]);
    // A key that the server names for a former log does not replace the key that this browser knows.
    expect(await holds(await purchase(), { key: (await signerOf(2)).key.text, losses })).toEqual([true, false, true]);
  });

  it('does not hold after any character of it was changed', async () => {
    const text = await purchase();
    const step = Math.ceil(text.length / caseCount(200, text.length));
    const outcomes = Array.from(text, async (character, index) => {
      if (index % step > 0) return [];
      const changed = text.slice(0, index) + (character === 'A' ? 'B' : 'A') + text.slice(index + 1);
      const steps = await holds(changed).catch(() => [false]);
      return steps.every((one) => one === true) ? [changed] : [];
    });
    expect((await Promise.all(outcomes)).flat()).toEqual([]);
  });
});

describe('the proof of a round’s end', () => {
  it('names the winner, by the name that the page knows', async () => {
    const [round, ...rest] = await check(await end());
    expect(round?.message).toBe('The last purchase was by Bob, gamer bob, who won $0.26. Nobody bought after it.');
    expect(rest.map((step) => step.holds)).toEqual([true, true, true]);
  });

  it('of a round without purchases holds', async () => {
    const events = [...HISTORY.slice(0, 1), roundEnded(null)];
    const proof = await proofOf(1, 1, { events });
    expect((await check(proof))[0]).toMatchObject({
      holds: true,
      message: 'Nobody bought. $0.26 went into the next round.',
    });
  });

  it.each([
    ['the winner is not the last buyer', { gamerId: ALICE, purchaseId: 'p2' }, 3],
    ['another purchase won', { gamerId: BOB, purchaseId: 'p1' }, 3],
    ['a later purchase stands before the end', { gamerId: ALICE, purchaseId: 'p1' }, 1],
    ['the purchase is not shown', { gamerId: BOB, purchaseId: 'p2' }, 4],
    ['nobody won, though there is a purchase', null, 3],
  ])('does not hold when %s', async (_, winner, from) => {
    const events = [...HISTORY.slice(0, END), roundEnded(winner)];
    expect(await holds(await end(events, from))).toEqual([false, true, true, true]);
  });

  it('does not hold when a closed purchase is shown as something else', async () => {
    const text = await end(HISTORY, 1);
    const proof = parseProofFile(text);
    const events = proof.extra.events.map((event) => (isOpened(event) ? event : { ...event, type: 'TimersChanged' }));
    const [, ledger] = await checkProof({ ...proof, extra: { ...proof.extra, events } }, await CONTEXT);
    expect(ledger?.holds).toBe(false);
  });
});
