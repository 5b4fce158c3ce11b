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

export type EventType = Projected['event']['type'];
export type ProjectedOf<T extends EventType> = Projected & { event: Extract<Projected['event'], { type: T }> };

/** Some events in log order, sorted by type once for all views. */
export class Batch implements Iterable<Projected> {
  readonly events: readonly Projected[];
  private readonly byType = new Map<EventType, Projected[]>();

  /** Throws when an event's postings do not sum to zero. */
  constructor(recorded: readonly Recorded[]) {
    this.events = recorded.map(projected);
    for (const one of this.events) {
      const same = this.byType.get(one.event.type);
      if (same) same.push(one);
      else this.byType.set(one.event.type, [one]);
    }
  }

  [Symbol.iterator](): Iterator<Projected> {
    return this.events[Symbol.iterator]();
  }

  ofType<T extends EventType>(type: T): readonly ProjectedOf<T>[] {
    return (this.byType.get(type) ?? []) as ProjectedOf<T>[];
  }
}

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

function projected({ id, stream, revision, position, event, metadata }: Recorded): Projected {
  const lines = stream === LEDGER_STREAM ? postings(event as LedgerEvent) : [];
  return { id, stream, revision, position, event, metadata, postings: lines };
}

/** Adds into a map of sums. */
export function add<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
