import { packState, replicaFromSnapshot, takeSnapshots } from './snapshots.js';
import type { SnapshotsStore, StoredSnapshot } from './snapshots.store.js';
import { FaultyLog, ScriptedLine } from './testing/faulty-log.js';
import { LedgerNode } from './testing/node.js';
import { StreamsInMemory } from './testing/streams-in-memory.js';
import { VirtualTime } from './testing/virtual-time.js';

const time = new VirtualTime(Date.UTC(2026, 0, 1, 12));

/** A store of these snapshots, latest first. */
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
async function logWithSnapshot() {
  const memory = new StreamsInMemory();
  const node = await new LedgerNode(memory, new ScriptedLine(), time).start();
  await node.do({ type: 'EnrolAdmin', gamerId: 'house' });
  await node.do({ type: 'EnrolGamer', gamerId: 'bob', sponsorId: null });
  const { revision, chain, position } = node.replica;
  const snapshot = { revision, chain, position, packed: await packState(node.replica.state) };
  await node.do({ type: 'EnrolGamer', gamerId: 'carol', sponsorId: 'bob' });
  await time.until(node.ledger.stop());
  return { memory, snapshot, node };
}

async function replicaOf(memory: StreamsInMemory, kept: StoredSnapshot[]) {
  const unusable: string[] = [];
  const log = new FaultyLog(memory, new ScriptedLine(), time);
  // Unpacking runs in other threads, so it needs real time besides the virtual one.
  const opening = replicaFromSnapshot(storeWith(kept), log, (reason) => unusable.push(reason));
  let replica: Awaited<typeof opening> | undefined;
  void opening.then((opened) => {
    replica = opened;
  });
  while (!replica) {
    await time.pass(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { replica, log, unusable };
}

it('starts from a snapshot whose chain is in the log, and replays only the later events', async () => {
  const { memory, snapshot, node } = await logWithSnapshot();
  const { replica, log, unusable } = await replicaOf(memory, [snapshot]);
  expect(unusable).toEqual([]);
  expect(replica).toMatchObject({ revision: 1, chain: snapshot.chain, position: snapshot.position });
  const after = memory.ledger[2];
  if (!after) throw new Error('the log has three events');
  replica.apply(after);
  expect(replica.state).toEqual(node.replica.state);
  expect(log.reads).toBe(1);
});

it('starts from the beginning without a snapshot', async () => {
  const { memory } = await logWithSnapshot();
  const { replica, unusable } = await replicaOf(memory, []);
  expect([replica.revision, unusable]).toEqual([-1, []]);
});

const UNUSABLE: [string, Partial<StoredSnapshot>][] = [
  ['of another log', { chain: 'f'.repeat(64) }],
  ['of a longer log', { revision: 7 }],
];

it.each(UNUSABLE)('starts from the beginning, and reports why, when the snapshot is %s', async (_what, change) => {
  const { memory, snapshot } = await logWithSnapshot();
  const kept = [{ ...snapshot, ...change }];
  const { replica, unusable } = await replicaOf(memory, kept);
  expect(replica.revision).toBe(-1);
  expect(unusable).toEqual([expect.stringContaining('is not from this log and is deleted')]);
  expect(kept).toEqual([]);
});

it('starts from the snapshot before an unusable one', async () => {
  const { memory, snapshot } = await logWithSnapshot();
  const { replica, unusable } = await replicaOf(memory, [{ ...snapshot, revision: 7 }, snapshot]);
  expect([replica.revision, unusable.length]).toEqual([1, 1]);
});

it('counts the events replayed since the snapshot, so that a node that restarts often still takes snapshots', async () => {
  const { replica } = (await logWithSnapshot()).node;
  const ledger = { onCommitted: () => undefined };
  const taken: number[] = [];
  const take = (since: number) =>
    new Promise<void>((resolve, reject) => {
      const save = async () => {
        taken.push(since);
        resolve();
      };
      takeSnapshots(ledger, replica, since, { save }, reject);
    });
  void take(replica.revision - 49_999);
  await take(replica.revision - 50_000);
  expect(taken).toEqual([replica.revision - 50_000]);
});
