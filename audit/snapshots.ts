import { isDeepStrictEqual, promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import type { RecordedLedgerEvent } from '../contracts/events/recorded.js';
import { evolve, forgetOld } from '../domain/evolve.js';
import { emptyLedger, type LedgerState } from '../domain/ledger-state.js';
import { SNAPSHOT_FORMAT, stateOfSnapshot } from '../domain/snapshot-text.js';
import { directly } from '../domain/undo-journal.js';

const decompress = promisify(gunzip);

/** A stored state, from which a node starts instead of the first event. */
export interface KeptSnapshot {
  revision: number;
  chain: string;
  /** Undefined when it cannot be read. */
  state: LedgerState | undefined;
}

/** Reads the snapshots that a node of this version could start from, oldest first. */
export async function readSnapshots(database: ClientBase): Promise<KeptSnapshot[]> {
  const { rows } = await database.query<{ revision: string; chain: string; packed: Buffer }>(
    'SELECT revision, chain, packed FROM ledger.ledger_snapshots WHERE format = $1 ORDER BY revision',
    [SNAPSHOT_FORMAT],
  );
  return Promise.all(
    rows.map(async ({ revision, chain, packed }) => ({
      revision: Number(revision),
      chain,
      state: await decompress(packed).then(
        (text) => stateOfSnapshot(text.toString('utf8')),
        () => undefined,
      ),
    })),
  );
}

/** Folds the ledger as a node does, up to the last snapshot, and compares each snapshot with the folded state. */
export class SnapshotCheck {
  private readonly state = emptyLedger();
  private readonly left: KeptSnapshot[];
  private isBroken = false;

  constructor(snapshots: readonly KeptSnapshot[]) {
    this.left = [...snapshots];
  }

  /** Folds the next event and returns the faults of the snapshot taken right after it. */
  take({ revision, event, metadata }: RecordedLedgerEvent): string[] {
    if (this.isBroken || this.left.length === 0) return [];
    try {
      evolve(this.state, { revision, event, metadata }, directly);
      forgetOld(this.state);
    } catch (error) {
      this.isBroken = true;
      return [`cannot be folded: ${(error as Error).message}`];
    }
    if (this.left[0]?.revision !== revision) return [];
    const snapshot = this.left.shift() as KeptSnapshot;
    if (snapshot.chain !== metadata.chain) return ['has a snapshot after it that is of another log'];
    if (snapshot.state === undefined) return ['has a snapshot after it that cannot be read'];
    if (!isDeepStrictEqual(snapshot.state, this.state))
      return ['has a snapshot after it that differs from the replayed state'];
    return [];
  }

  /** Snapshots at revisions that the log does not have. */
  unmet(): readonly KeptSnapshot[] {
    return this.isBroken ? [] : this.left;
  }
}
