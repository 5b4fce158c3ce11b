import { type NoteSigner, noteSigner, signedNote } from '../../../../api/src/features/receipts/signed-note.js';
import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import { EMPTY_MEMORY, type LedgerMemory, withCheckpoint, withReceipt } from '../../shared/ledger/ledger-memory.js';
import { parseCheckpoint } from '../../shared/ledger/signed-note.js';
import { checkLedger, mergeChecked } from './watch.js';

const NAME = 'play.example/ledger';
const [first, second, thief] = [1, 2, 3].map((byte) => noteSigner(NAME, Buffer.alloc(32, byte))) as [
  NoteSigner,
  NoteSigner,
  NoteSigner,
];

/** A chain hash of each event, hex. */
const hashes = (count: number, seed = 'a'): string[] =>
  Array.from({ length: count }, (_, i) => `${seed}${i.toString(16).padStart(3, '0')}`.repeat(16));

/** A server that signs the ledger with these chain hashes. */
function serverOf(chains: string[], signers = [first]) {
  const requested: (number | undefined)[] = [];
  const noteAt = (size: number): string => {
    const chain = Buffer.from(size === 0 ? '0'.repeat(64) : (chains[size - 1] as string), 'hex').toString('base64');
    return signedNote(
      `${NAME}\n${size}\n${chain}\ntime T\nposition ${size}\nkey ${signers[0]?.verifierKey}\n`,
      signers,
    );
  };
  const fetchCheckpoint = async (size?: number): Promise<string | null> => {
    requested.push(size);
    if (size !== undefined && size > chains.length) return null;
    return noteAt(size ?? chains.length);
  };
  return { requested, noteAt, fetchCheckpoint };
}

type Server = ReturnType<typeof serverOf>;

/** The memory after checks against these servers, one after another. */
async function memoryAfter(servers: Pick<Server, 'fetchCheckpoint'>[], start = EMPTY_MEMORY): Promise<LedgerMemory> {
  let memory = start;
  for (const [turn, { fetchCheckpoint }] of servers.entries())
    memory = await checkLedger(memory, { fetchCheckpoint, earlier: 3, turn, nowMs: 7 });
  return memory;
}

const honest = hashes(100);
const until = (size: number): Server => serverOf(honest.slice(0, size));
const receiptAt = (revision: number, chain = honest[revision] as string): PurchaseReceipt =>
  ({
    purchaseId: `p${revision}`,
    roundId: 1,
    quantity: 1,
    revision,
    eventId: 'e',
    chain,
  }) as PurchaseReceipt;

describe('an honest ledger', () => {
  it('raises no alarm, and its heads and key are remembered', async () => {
    const memory = await memoryAfter([until(5), until(5), until(9), until(40)]);
    expect(memory).toMatchObject({ key: first.verifierKey, alarm: null });
    expect(memory.checkpoints.map((note) => parseCheckpoint(note).size)).toEqual([5, 9, 40]);
  });

  it('may be answered by a node that is behind, as long as the log holds every remembered size', async () => {
    const log = until(40);
    const behind = { fetchCheckpoint: (size?: number) => log.fetchCheckpoint(size ?? 30) };
    expect((await memoryAfter([log, behind])).alarm).toBeNull();
  });

  it('is queried for the signed text of each receipt, and then for every remembered size in turn', async () => {
    const start = withReceipt(withReceipt(EMPTY_MEMORY, receiptAt(3)), receiptAt(7));
    const memory = await memoryAfter([until(20)], start);
    expect(memory.receipts.map(({ note }) => note)).toEqual([8, 4].map((size) => until(20).noteAt(size)));
    const grown = [10, 11, 12, 13, 14].reduce((known, size) => withCheckpoint(known, until(20).noteAt(size)), memory);
    const server = until(50);
    await memoryAfter([server, server, server], grown);
    expect(new Set(server.requested)).toEqual(new Set([undefined, 4, 8, 10, 11, 12, 13, 14, 20, 50]));
  });

  it('remembers at most 60 heads, always the first and the latest', async () => {
    const sizes = (memory: LedgerMemory): number[] => memory.checkpoints.map((note) => parseCheckpoint(note).size);
    const memory = Array.from({ length: 100 }, (_, i) => until(100).noteAt(i + 1)).reduce(withCheckpoint, EMPTY_MEMORY);
    expect(sizes(memory).length).toBeLessThanOrEqual(60);
    expect([sizes(memory)[0], sizes(memory).at(-1)]).toEqual([1, 100]);
  });
});

describe('an alarm is raised when', () => {
  it('a remembered size has another hash', async () => {
    const forged = serverOf([...honest.slice(0, 4), ...hashes(96, 'f')]);
    const { alarm } = await memoryAfter([until(5), forged]);
    expect(alarm).toEqual({
      kind: 'contradiction',
      size: 5,
      remembered: until(5).noteAt(5),
      received: forged.noteAt(5),
      atEpochMs: 7,
    });
  });

  it('a receipt’s event has another hash', async () => {
    const forged = serverOf(hashes(20, 'f'));
    const { alarm } = await memoryAfter([forged], withReceipt(EMPTY_MEMORY, receiptAt(7)));
    expect(alarm).toMatchObject({ kind: 'contradiction', size: 8, received: forged.noteAt(8) });
    expect(JSON.parse(alarm?.remembered ?? '')).toMatchObject({ purchaseId: 'p7', chain: honest[7] });
  });

  it('the log has become shorter than a remembered size', async () => {
    const { alarm } = await memoryAfter([until(40), until(39)]);
    expect(alarm).toMatchObject({ kind: 'shorter', size: 40, remembered: until(40).noteAt(40) });
  });

  it('a signature is wrong', async () => {
    const server = until(10);
    const altered = { fetchCheckpoint: async () => server.noteAt(10).replace('time T', 'time U') };
    expect((await memoryAfter([until(5), altered])).alarm).toMatchObject({ kind: 'signature', size: 10 });
    expect((await memoryAfter([altered])).alarm).toMatchObject({ kind: 'signature' });
  });

  it('the key changed without notice', async () => {
    const { alarm, key } = await memoryAfter([until(5), serverOf(honest.slice(0, 9), [thief])]);
    expect(alarm).toMatchObject({ kind: 'key', remembered: first.verifierKey });
    expect(key).toBe(first.verifierKey);
  });

  it('nothing more is requested, and the head is not remembered', async () => {
    const forged = serverOf([...honest.slice(0, 4), ...hashes(96, 'f')]);
    const memory = await memoryAfter([until(5), forged]);
    expect(memory.checkpoints).toEqual([until(5).noteAt(5)]);
  });
});

describe('a new key', () => {
  it('is accepted when the trusted key signs the text that names it', async () => {
    const both = serverOf(honest.slice(0, 9), [second, first]);
    const memory = await memoryAfter([until(5), both]);
    expect(memory).toMatchObject({ key: second.verifierKey, alarm: null });
    expect((await memoryAfter([serverOf(honest.slice(0, 12), [second])], memory)).alarm).toBeNull();
  });

  it('is not accepted when it only signs next to the trusted one, whose text does not name it', async () => {
    const extra = serverOf(honest.slice(0, 9), [first, thief]);
    expect(await memoryAfter([until(5), extra])).toMatchObject({ key: first.verifierKey, alarm: null });
  });
});

it('an answer that is no checkpoint raises no alarm', async () => {
  const page = { fetchCheckpoint: async () => '<!doctype html>' };
  await expect(memoryAfter([until(5), page])).rejects.toThrow('no checkpoint');
});

describe('what a check found', () => {
  it('is kept with the receipts that came meanwhile', async () => {
    const before = withReceipt(EMPTY_MEMORY, receiptAt(3));
    const checked = await memoryAfter([until(20)], before);
    const merged = mergeChecked(withReceipt(before, receiptAt(7)), before, checked);
    expect(merged.receipts.map(({ receipt, note }) => [receipt.revision, note])).toEqual([
      [7, null],
      [3, until(20).noteAt(4)],
    ]);
    expect(merged.checkpoints).toEqual(checked.checkpoints);
  });

  it('is dropped when the visitor made the browser forget meanwhile', async () => {
    const before = await memoryAfter([until(5)]);
    expect(mergeChecked(EMPTY_MEMORY, before, await memoryAfter([until(20)], before))).toEqual(EMPTY_MEMORY);
  });
});
