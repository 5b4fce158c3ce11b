import { LedgerReplica } from './ledger-replica.js';
import { Snapshots, type SnapshotsStore } from './snapshots.store.js';

it('counts the events replayed since the snapshot, so that a node that restarts often still takes snapshots', async () => {
  const replica = new LedgerReplica();
  const ledger = { onCommitted: () => undefined };
  const taken: number[] = [];
  const take = (since: number) =>
    new Promise<void>((resolve, reject) => {
      const save = async () => {
        taken.push(since);
        resolve();
        return true;
      };
      const store = { save } as unknown as SnapshotsStore;
      new Snapshots(store, ['a secret of the nodes'], '').takeFrom(ledger, replica, since, reject);
    });
  void take(replica.revision - 49_999);
  await take(replica.revision - 50_000);
  expect(taken).toEqual([replica.revision - 50_000]);
});
