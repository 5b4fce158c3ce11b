import { setImmediate as nextTick } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { LedgerState } from '../../../domain/ledger-state.js';
import { SNAPSHOT_FORMAT, snapshotText, stateOfSnapshot } from '../../../domain/snapshot-text.js';
import type { LedgerLog } from './append-until-known.js';
import type { Ledger } from './ledger.js';
import { LedgerReplica } from './ledger-replica.js';
import type { SnapshotsStore, StoredSnapshot } from './snapshots.store.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** At 20,000 replayed events a second (docs/benchmarks.md), a start replays so many events in three seconds. */
export const EVENTS_BETWEEN = 50_000;
/** With a million gamers a snapshot takes this process five seconds: under load one a minute suffices. */
const MS_BETWEEN = 60_000;

/** The replica to start from: the latest snapshot whose chain is in the log, or an empty one. Deletes unusable snapshots. */
export async function replicaFromSnapshot(
  store: SnapshotsStore,
  log: LedgerLog,
  onUnusable: (reason: string) => void,
): Promise<LedgerReplica> {
  for (;;) {
    const snapshot = await store.latest(SNAPSHOT_FORMAT);
    if (!snapshot) return new LedgerReplica();
    const { revision, chain, position, packed } = snapshot;
    if (await isInLog(log, snapshot)) return new LedgerReplica(await unpackState(packed), revision, chain, position);
    onUnusable(`the snapshot at ledger@${revision} is not from this log and is deleted`);
    await store.drop(SNAPSHOT_FORMAT, revision);
  }
}

async function isInLog(log: LedgerLog, { revision, chain }: StoredSnapshot): Promise<boolean> {
  for await (const { metadata } of log.readStream(LEDGER_STREAM, { fromRevision: revision, maxCount: 1 })) {
    return (metadata as LedgerMetadata).chain === chain;
  }
  return false;
}

/**
 * Takes snapshots in the background. `since` is the revision of the snapshot that this node started from: the events
 * replayed since then count, so that a node that restarts often still takes snapshots.
 */
export function takeSnapshots(
  ledger: Pick<Ledger, 'onCommitted'>,
  replica: LedgerReplica,
  since: number,
  store: Pick<SnapshotsStore, 'save'>,
  onError: (error: Error) => void,
): void {
  let takenAt = { revision: since, ms: Number.NEGATIVE_INFINITY };
  let taking = false;
  const takeIfDue = (): void => {
    const isDue = replica.revision - takenAt.revision >= EVENTS_BETWEEN && replica.state.at - takenAt.ms >= MS_BETWEEN;
    if (taking || !isDue) return;
    taking = true;
    const { revision, chain, position } = replica;
    packState(replica.state)
      .then((packed) => store.save(SNAPSHOT_FORMAT, { revision, chain, position, packed }))
      .catch(onError)
      .finally(() => {
        taking = false;
        takenAt = { revision, ms: replica.state.at };
      });
  };
  ledger.onCommitted(takeIfDue);
  takeIfDue();
}

/** The state as of the call, as compressed text. Works in small parts, so that commands go on in between. */
export async function packState(state: LedgerState): Promise<Buffer> {
  const parts: string[] = [];
  for (const part of snapshotText(state)) {
    parts.push(part);
    await nextTick();
  }
  return compress(parts.join(''));
}

export async function unpackState(packed: Buffer): Promise<LedgerState> {
  return stateOfSnapshot((await decompress(packed)).toString('utf8'));
}
