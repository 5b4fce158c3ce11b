import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { SNAPSHOT_FORMAT } from '../../../domain/snapshot-text.js';
import type { LedgerLog } from './append-until-known.js';
import type { Ledger } from './ledger.js';
import { LedgerBook } from './ledger-book.js';
import { packState, unpackState } from './snapshot.js';
import type { SnapshotsStore, StoredSnapshot } from './snapshots.store.js';

/** A replay reads 5,000 to 10,000 events a second (bench/README.md): a start replays ten seconds' worth or less… */
const EVENTS_BETWEEN = 50_000;
/** …but with a million gamers a snapshot takes five seconds of this process, so under load it is taken once a minute. */
const MS_BETWEEN = 60_000;

/** The book to start from: the latest snapshot that the log confirms, or an empty one. Others are in the way of new ones. */
export async function bookFromSnapshot(
  store: SnapshotsStore,
  log: LedgerLog,
  onUnusable: (reason: string) => void,
): Promise<LedgerBook> {
  for (;;) {
    const snapshot = await store.latest(SNAPSHOT_FORMAT);
    if (!snapshot) return new LedgerBook();
    const { revision, chain, position, packed } = snapshot;
    if (await isOf(log, snapshot)) return new LedgerBook(await unpackState(packed), revision, chain, position);
    onUnusable(`the snapshot at ledger@${revision} is not of this log and is dropped`);
    await store.drop(SNAPSHOT_FORMAT, revision);
  }
}

async function isOf(log: LedgerLog, { revision, chain }: StoredSnapshot): Promise<boolean> {
  for await (const { metadata } of log.readStream(LEDGER_STREAM, { fromRevision: revision, maxCount: 1 })) {
    return (metadata as LedgerMetadata).chain === chain;
  }
  return false;
}

/**
 * Takes snapshots in the background while the ledger goes on. `since`: the revision of the snapshot that this node began
 * with, so that what it replayed counts, and nodes that are often started anew do not replay more each time.
 */
export function takeSnapshots(
  ledger: Pick<Ledger, 'onCommitted'>,
  book: LedgerBook,
  since: number,
  store: Pick<SnapshotsStore, 'save'>,
  onError: (error: Error) => void,
): void {
  let takenAt = { revision: since, ms: Number.NEGATIVE_INFINITY };
  let taking = false;
  const takeIfDue = (): void => {
    const isDue = book.revision - takenAt.revision >= EVENTS_BETWEEN && book.state.at - takenAt.ms >= MS_BETWEEN;
    if (taking || !isDue) return;
    taking = true;
    const { revision, chain, position } = book;
    packState(book.state)
      .then((packed) => store.save(SNAPSHOT_FORMAT, { revision, chain, position, packed }))
      .catch(onError)
      .finally(() => {
        taking = false;
        takenAt = { revision, ms: book.state.at };
      });
  };
  ledger.onCommitted(takeIfDue);
  takeIfDue();
}
