import { HOUR_MS } from '../../../../contracts/durations.js';
import type { LostHistory } from '../../../../contracts/http/history-loss.js';
import { ORIGIN, signerOf, TestLog } from '../../../../contracts/testing/test-log.js';
import type { Signer } from '../../../../contracts/transparency/signed-note.js';
import {
  type Alarm,
  EMPTY_MEMORY,
  type LedgerMemory,
  type ReceiptEvidence,
  withReceipt,
} from '../../shared/ledger/ledger-memory.js';
import { afterLoss, checkLedger, type LogSource, mergeFindings } from './watch.js';

const signers = Promise.all([signerOf(1), signerOf(2), signerOf(3)]);

/** A chain hash of each event, hex. */
const hashes = (count: number, seed = 'a'): string[] =>
  Array.from({ length: count }, (_, i) => `${seed}${i.toString(16).padStart(3, '0')}`.repeat(16));

const honest = hashes(600);
const forged = [...honest.slice(0, 4), ...hashes(596, 'f')];

type Server = Omit<LogSource, 'nowMs'>;

/** A server whose ledger has these chain hashes. */
async function testServer(chains: string[], log: { signers: Signer[]; origin?: string; losses?: LostHistory[] }) {
  const keys = log.signers.map(({ key }) => key.text);
  const { head, readTile } = await TestLog.create(chains.map(bytesOf), log.origin, log.signers);
  return { head, fetchHead: () => head(), fetchKeys: async () => ({ keys, losses: log.losses ?? [] }), readTile };
}
const bytesOf = (chain: string): Buffer => Buffer.from(chain, 'hex');
/** @param keys numbers of the three keys that sign */
const serverOf = async (chains: string[], keys = [0]) =>
  testServer(chains, { signers: (await signers).filter((_, number) => keys.includes(number)) });
const until = (size: number, keys?: number[]) => serverOf(honest.slice(0, size), keys);
const listed = (...keys: string[]) => ({ keys, losses: [] });
const keyText = async (number: number): Promise<string> => (await signers)[number]?.key.text as string;

/** The memory after checks against these servers, one after another. */
async function memoryAfter(servers: (Server | Promise<Server>)[], start = EMPTY_MEMORY): Promise<LedgerMemory> {
  let memory = start;
  for (const server of servers) memory = await checkLedger(memory, { ...(await server), nowMs: HOUR_MS });
  return memory;
}

const receiptAt = (revision: number, receivedAtEpochMs = HOUR_MS): ReceiptEvidence =>
  ({ purchaseId: `p${revision}`, revision, chain: honest[revision], receivedAtEpochMs }) as ReceiptEvidence;
const bought = (revision: number, atMs?: number) => withReceipt(EMPTY_MEMORY, receiptAt(revision, atMs));

describe('an honest ledger', () => {
  it('raises no alarm, and its key and newest head are remembered', async () => {
    const memory = await memoryAfter([5, 5, 9, 256, 300, 513, 600].map((size) => until(size)));
    expect(memory).toEqual({ ...EMPTY_MEMORY, key: await keyText(0), head: await (await until(600)).head() });
  });

  it('may be shown as an older head by a cache, while the server has the tiles of the newer one', async () => {
    const log = await until(40);
    const old = { ...log, fetchHead: () => log.head(30) };
    expect(await memoryAfter([log, old])).toMatchObject({ alarm: null, head: await log.head(40) });
  });

  it('proves each receipt once a head covers it', async () => {
    const start = withReceipt(bought(3), receiptAt(299));
    const proved = ({ receipts }: LedgerMemory) => receipts.map(({ isProved }) => isProved);
    expect(proved(await memoryAfter([until(299)], start))).toEqual([false, true]);
    expect(proved(await memoryAfter([until(299), until(301)], start))).toEqual([true, true]);
  });
});

describe('an alarm is raised when', () => {
  it.each([4, 5, 9, 300, 600])('the ledger of %s events does not continue the remembered one', async (size) => {
    const server = await serverOf(forged.slice(0, size));
    const before = await until(5);
    const memory = await memoryAfter([before, server]);
    const alarm = { remembered: await before.head(), received: await server.head(), newKey: null };
    expect(memory.alarm).toMatchObject({ ...alarm, kind: size < 5 ? 'shorter' : 'contradiction' });
    expect(memory).toMatchObject({ head: await before.head(), key: await keyText(0) });
  });

  it('the tiles do not lead to the signed head', async () => {
    const { fetchHead, fetchKeys } = await serverOf(forged.slice(0, 9));
    const { readTile } = await until(9);
    expect((await memoryAfter([until(5), { fetchHead, fetchKeys, readTile }])).alarm?.kind).toBe('contradiction');
  });

  it.each([39, 256])('the server was set back to %s events', async (size) => {
    const { alarm } = await memoryAfter([until(512), until(size)]);
    expect(alarm).toMatchObject({ kind: 'shorter', remembered: await (await until(512)).head() });
  });

  it('another event stands in the place of a purchase', async () => {
    const { alarm } = await memoryAfter([serverOf(forged.slice(0, 20))], bought(7));
    expect(alarm?.kind).toBe('contradiction');
    expect(JSON.parse(alarm?.remembered ?? '')).toMatchObject({ purchaseId: 'p7', chain: honest[7] });
  });

  it('a purchase stays missing, but not in the minutes that a head may take', async () => {
    expect((await memoryAfter([until(7)], bought(7, HOUR_MS - 60_000))).alarm).toBeNull();
    expect((await memoryAfter([until(7)], bought(7, 0))).alarm?.kind).toBe('shorter');
  });

  it('a signature is wrong', async () => {
    const server = await until(10);
    const altered = { ...server, fetchHead: async () => (await server.head()).replace('\n10\n', '\n11\n') };
    expect((await memoryAfter([until(5), altered])).alarm?.kind).toBe('signature');
    expect((await memoryAfter([altered])).alarm?.kind).toBe('signature');
  });

  it('a key signs that the server does not list, or another log’s', async () => {
    const unlisted = { ...(await until(9, [2])), fetchKeys: async () => listed(await keyText(0)) };
    expect((await memoryAfter([until(5), unlisted])).alarm?.kind).toBe('signature');
    const elsewhere = testServer(honest, { signers: [await signerOf(1, 'other.example/ledger')] });
    expect((await memoryAfter([elsewhere])).alarm?.kind).toBe('signature');
  });

  it('the key was replaced without the remembered one', async () => {
    const { alarm, key } = await memoryAfter([until(5), until(9, [2])]);
    expect(alarm).toMatchObject({ kind: 'key', remembered: await keyText(0), newKey: await keyText(2) });
    expect(key).toBe(await keyText(0));
  });
});

describe('a new key', () => {
  it('is accepted when the trusted key signs the same head, and the server lists the new one first', async () => {
    const [first, second] = [await keyText(0), await keyText(1)];
    const both = { ...(await until(9, [0, 1])), fetchKeys: async () => listed(second, first) };
    const memory = await memoryAfter([until(5), both]);
    expect(memory).toMatchObject({ key: second, alarm: null });
    expect((await memoryAfter([until(12, [1])], memory)).alarm).toBeNull();
  });

  it('is not accepted when it signs beside the trusted one, but is not listed', async () => {
    const both = { ...(await until(9, [0, 2])), fetchKeys: async () => listed(await keyText(0)) };
    expect(await memoryAfter([until(5), both])).toMatchObject({ key: await keyText(0), alarm: null });
  });
});

describe('a log that lost its events from number 301 on', () => {
  const NEW_NAME = `${ORIGIN}-abababab`;
  const newSigner = signerOf(1, NEW_NAME);
  const after = [...honest.slice(0, 300), ...hashes(60, 'e')];
  /** The server after the operator accepted the loss an hour and a half after the start of the log. */
  const goneOn = async ({ chains = after, loss = {} as Partial<LostHistory>, signer = newSigner } = {}) => {
    const lost = {
      number: 301,
      atMs: 1.5 * HOUR_MS,
      lastKeptAtMs: HOUR_MS,
      signedOrigin: ORIGIN,
      signedSize: 600,
      signedRoot: 'ab'.repeat(32),
      keys: [await keyText(0)],
      acceptedBy: 'Ada',
      reason: 'a lost disk',
      ...loss,
    };
    return testServer(chains, { signers: [await signer], origin: NEW_NAME, losses: [lost] });
  };
  const kindAfter = async (size: number, server: Promise<Server>) =>
    (await memoryAfter([until(size), server])).alarm?.kind;

  it.each([9, 300, 301, 512])('raises the alarm of a loss when %s events are remembered', async (size) => {
    const { alarm, key } = await memoryAfter([until(size), goneOn()]);
    expect(alarm).toMatchObject({
      kind: 'lost',
      remembered: await (await until(size)).head(),
      newKey: (await newSigner).key.text,
      loss: { number: 301, acceptedBy: 'Ada', reason: 'a lost disk' },
    });
    expect(key).toBe(await keyText(0));
  });

  it('raises a contradiction when kept events are different, or the head that the loss names is', async () => {
    const chains = forged.slice(0, 360);
    expect(await kindAfter(300, goneOn({ chains }))).toBe('contradiction');
    expect(await kindAfter(400, goneOn({ loss: { signedSize: 400 } }))).toBe('contradiction');
    expect(await kindAfter(512, goneOn({ loss: { signedSize: 511 } }))).toBe('contradiction');
  });

  it('raises the alarm of a new key when the key is another, the loss is another log’s, or its event is missing', async () => {
    expect(await kindAfter(9, goneOn({ signer: signerOf(2, NEW_NAME) }))).toBe('key');
    expect(await kindAfter(9, goneOn({ loss: { signedOrigin: 'other.example/ledger' } }))).toBe('key');
    expect(await kindAfter(9, goneOn({ loss: { number: 361 } }))).toBe('key');
    expect(await kindAfter(9, goneOn({ loss: { signedRoot: 'cd'.repeat(32) } }))).toBe('key');
  });

  it('goes on in a browser that accepts it: lost receipts stay as such, and all others are looked up anew', async () => {
    const remembered = [7, 299, 300, 420].reduce((one, at) => withReceipt(one, receiptAt(at)), EMPTY_MEMORY);
    const noticed = await memoryAfter([until(512), goneOn()], remembered);
    const accepted = afterLoss(noticed, noticed.alarm as Alarm, noticed.alarm?.loss as LostHistory);
    expect(accepted).toMatchObject({ key: (await newSigner).key.text, head: noticed.alarm?.received, alarm: null });
    const bought = { ...receiptAt(310, 2 * HOUR_MS), chain: after[310] } as ReceiptEvidence;
    const wentOn = await memoryAfter([goneOn()], withReceipt(accepted, bought));
    expect(wentOn.alarm).toBeNull();
    expect(wentOn.receipts.map((one) => [one.receipt.revision, one.isProved, one.isLost ?? false])).toEqual([
      [310, true, false],
      [420, false, true],
      [300, false, true],
      [299, true, false],
      [7, true, false],
    ]);
    expect(mergeFindings(accepted, accepted, wentOn).receipts[0]).toMatchObject({ isLost: true });
    const withoutOne = await goneOn({ chains: after.with(299, 'f'.repeat(64)) });
    expect((await memoryAfter([withoutOne], { ...accepted, head: null })).alarm?.kind).toBe('contradiction');
  });
});

describe('no alarm is raised, and the check fails, when', () => {
  it.each([
    ['the head', { fetchHead: () => Promise.reject(new TypeError('away')) }],
    ['a tile', { readTile: () => Promise.reject(new TypeError('away')) }],
  ])('the server does not answer with %s', async (_, away) => {
    const server = until(9).then((honestServer): Server => ({ ...honestServer, ...away }));
    await expect(memoryAfter([until(5), server])).rejects.toThrow('away');
  });

  it('it answers with a page, or has no tiles of the head that it signed', async () => {
    const page = { ...(await until(9)), fetchHead: async () => '<!doctype html>' };
    await expect(memoryAfter([page])).rejects.toThrow('not a signed note');
    const { readTile } = await until(3);
    await expect(memoryAfter([until(5), { ...(await until(9)), readTile }])).rejects.toThrow('404');
  });
});

describe('the memory after a check', () => {
  it('has what the check proved, and the receipts that came meanwhile', async () => {
    const before = bought(3);
    const checked = await memoryAfter([until(20)], before);
    const meanwhile = { ...withReceipt(before, receiptAt(7)), refusals: ['late'] };
    const merged = mergeFindings(meanwhile, before, checked);
    expect(merged.refusals).toEqual(['late']);
    expect(merged.receipts.map(({ receipt, isProved }) => [receipt.revision, isProved])).toEqual([
      [7, false],
      [3, true],
    ]);
    expect(merged.head).toBe(checked.head);
  });

  it('has nothing of the check when the visitor cleared the memory meanwhile, or another tab changed it', async () => {
    const before = await memoryAfter([until(5)]);
    const checked = await memoryAfter([until(20)], before);
    expect(mergeFindings(EMPTY_MEMORY, before, checked)).toEqual(EMPTY_MEMORY);
    const other = await memoryAfter([until(9)], before);
    expect(mergeFindings(other, before, checked)).toBe(other);
  });
});
