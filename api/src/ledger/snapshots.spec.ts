import { LedgerReplica } from './ledger-replica.js';
import { SnapshotAuthenticator } from './snapshot-authentication.js';
import { takeSnapshots } from './snapshots.js';
import type { SnapshotsStore } from './snapshots.store.js';

it('counts the events replayed since the snapshot, so that a node that restarts often still takes snapshots', async () => {
  const replica = new LedgerReplica();
  const ledger = { onCommitted: () => undefined };
  const authenticator = new SnapshotAuthenticator(['a secret of the nodes']);
  const taken: number[] = [];
  const take = (since: number) =>
    new Promise<void>((resolve, reject) => {
      const save = async () => {
        taken.push(since);
        resolve();
        return true;
      };
      takeSnapshots(
        ledger,
        replica,
        since,
        { store: { save } as unknown as SnapshotsStore, authenticator, fold: '' },
        reject,
      );
    });
  void take(replica.revision - 49_999);
  await take(replica.revision - 50_000);
  expect(taken).toEqual([replica.revision - 50_000]);
});
