import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { Recorded } from '../../../contracts/events/recorded.js';
import type { Posting } from '../../../contracts/ledger-accounts.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { postings } from '../../../domain/postings.js';
import type { Db } from '../database.js';

/** An event with its double entry, worked out once for all views. */
export interface Projected extends Recorded {
  /** Empty where no money moves. */
  postings: readonly Posting[];
}

/** Some events in log order. */
export type Batch = readonly Projected[];

/**
 * A read model: how events become rows. `apply` runs inside the transaction that moves the checkpoint, sees each event
 * exactly once and in order, and reads and writes no tables but its own, so that each view can be rebuilt alone.
 */
export interface View {
  readonly name: string;
  /** To be raised with every change of `ddl` or `apply`: the view is then rebuilt aside and swapped in. */
  readonly version: number;
  /** All of its tables, without schema. */
  readonly tables: readonly string[];
  /** Makes the tables, unqualified: the session's search_path says whether it is those that serve or those built aside. */
  readonly ddl: string;
  apply(batch: Batch, db: Db): Promise<void>;
}

export function projected(recorded: Recorded): Projected {
  const { event } = recorded;
  return { ...recorded, postings: recorded.stream === LEDGER_STREAM ? postings(event as LedgerEvent) : [] };
}

/** The batch's events of one type, narrowed. */
export function ofType<T extends Projected['event']['type']>(
  batch: Batch,
  type: T,
): (Projected & { event: Extract<Projected['event'], { type: T }> })[] {
  return batch.filter(({ event }) => event.type === type) as (Projected & {
    event: Extract<Projected['event'], { type: T }>;
  })[];
}

/** Adds into a map of sums. */
export function add<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
