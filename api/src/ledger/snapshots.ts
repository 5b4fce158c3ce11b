import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { LedgerLog } from './append-until-known.js';
import type { Ledger } from './ledger.js';
import { LedgerBook } from './ledger-book.js';
import { packState, SNAPSHOT_FORMAT, unpackState } from './snapshot.js';
import type { SnapshotsStore } from './snapshots.store.js';

/** A replay reads 5,000 to 10,000 events a second (bench/README.md): a start replays ten seconds' worth or less… */
const EVENTS_BETWEEN = 50_000;
/** …but with a million gamers a snapshot takes five seconds of this process, so under load it is taken once a minute. */
const MS_BETWEEN = 60_000;

/** The book to start from: the latest snapshot that the log confirms, or an empty one. */
export async function bookFromSnapshot(
  store: SnapshotsStore,
  log: LedgerLog,
  onUnusable: (reason: string) => void,
): Promise<LedgerBook> {
  const snapshot = await store.latest(SNAPSHOT_FORMAT);
  if (!snapshot) return new LedgerBook();
  const options = { fromRevision: snapshot.revision, maxCount: 1 };
  for await (const { metadata } of log.readStream(LEDGER_STREAM, options)) {
    if ((metadata as LedgerMetadata).chain !== snapshot.chain) break;
    return new LedgerBook(await unpackState(snapshot.packed), snapshot.revision, snapshot.chain, snapshot.position);
  }
  onUnusable(`the snapshot at ledger@${snapshot.revision} is not of this log; replaying from the beginning`);
  return new LedgerBook();
}

/** Takes snapshots in the background while the ledger goes on. */
export function takeSnapshots(ledger: Ledger, book: LedgerBook, store: SnapshotsStore, onError: (e: Error) => void) {
  let takenAt = { revision: book.revision, ms: Number.NEGATIVE_INFINITY };
  let taking = false;
  ledger.onCommitted(() => {
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
  });
}
