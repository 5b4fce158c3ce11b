import { packState } from './snapshot.js';
import { bookFromSnapshot, takeSnapshots } from './snapshots.js';
import type { SnapshotsStore, StoredSnapshot } from './snapshots.store.js';
import { FaultyLog, MemoryLog, ToldLine } from './testing/faulty-log.js';
import { LedgerNode } from './testing/node.js';
import { VirtualTime } from './testing/virtual-time.js';

const time = new VirtualTime(Date.UTC(2026, 0, 1, 12));

/** The snapshots that are kept, the latest first. */
const storeWith = (kept: StoredSnapshot[]) =>
  ({
    latest: async () => kept[0] ?? null,
    drop: async (_format: number, revision: number) => {
      kept.splice(
        kept.findIndex((snapshot) => snapshot.revision === revision),
        1,
      );
    },
  }) as unknown as SnapshotsStore;

/** A log of three events, and a snapshot of its first two. */
async function scene() {
  const memory = new MemoryLog();
  const node = await new LedgerNode(memory, new ToldLine(), time).start();
  await node.do({ type: 'EnrolHouse', gamerId: 'house' });
  await node.do({ type: 'EnrolGamer', gamerId: 'bob', sponsorId: null });
  const { revision, chain, position } = node.book;
  const snapshot = { revision, chain, position, packed: await packState(node.book.state) };
  await node.do({ type: 'EnrolGamer', gamerId: 'carol', sponsorId: 'bob' });
  await time.until(node.ledger.stop());
  return { memory, snapshot, node };
}

async function bookOf(memory: MemoryLog, kept: StoredSnapshot[]) {
  const unusable: string[] = [];
  const log = new FaultyLog(memory, new ToldLine(), time);
  // Unpacking is done by other threads: no time passes meanwhile, so it is waited for in between.
  const opening = bookFromSnapshot(storeWith(kept), log, (reason) => unusable.push(reason));
  let book: Awaited<typeof opening> | undefined;
  void opening.then((opened) => {
    book = opened;
  });
  while (!book) {
    await time.pass(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { book, log, unusable };
}

it('starts from a snapshot that the log confirms, and reads only what came after', async () => {
  const { memory, snapshot, node } = await scene();
  const { book, log, unusable } = await bookOf(memory, [snapshot]);
  expect(unusable).toEqual([]);
  expect(book).toMatchObject({ revision: 1, chain: snapshot.chain, position: snapshot.position });
  const after = memory.events[2];
  if (!after) throw new Error('the log has three events');
  book.apply(after);
  expect(book.state).toEqual(node.book.state);
  expect(log.reads).toBe(1);
});

it('starts from the beginning without a snapshot', async () => {
  const { memory } = await scene();
  const { book, unusable } = await bookOf(memory, []);
  expect([book.revision, unusable]).toEqual([-1, []]);
});

const NOT_OURS: [string, Partial<StoredSnapshot>][] = [
  ['of another log', { chain: 'f'.repeat(64) }],
  ['of a longer log', { revision: 7 }],
];

it.each(NOT_OURS)('starts from the beginning, and says so, when the snapshot is %s', async (_what, change) => {
  const { memory, snapshot } = await scene();
  const kept = [{ ...snapshot, ...change }];
  const { book, unusable } = await bookOf(memory, kept);
  expect(book.revision).toBe(-1);
  expect(unusable).toEqual([expect.stringContaining('is not of this log and is dropped')]);
  expect(kept).toEqual([]);
});

it('starts from the snapshot before one that is not of this log', async () => {
  const { memory, snapshot } = await scene();
  const { book, unusable } = await bookOf(memory, [{ ...snapshot, revision: 7 }, snapshot]);
  expect([book.revision, unusable.length]).toEqual([1, 1]);
});

it('counts what was replayed since the snapshot: a node that is often started anew still takes them', async () => {
  const { book } = (await scene()).node;
  const ledger = { onCommitted: () => undefined };
  const taken: number[] = [];
  const take = (since: number) =>
    new Promise<void>((resolve, reject) => {
      const save = async () => {
        taken.push(since);
        resolve();
      };
      takeSnapshots(ledger, book, since, { save }, reject);
    });
  void take(book.revision - 49_999);
  await take(book.revision - 50_000);
  expect(taken).toEqual([book.revision - 50_000]);
});
