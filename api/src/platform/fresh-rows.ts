import { LRUCache } from 'lru-cache';
import type { Listener } from './listener.store.js';

/** Maximum age of a cached row while notifications may be missing. */
const MAX_UNCONFIRMED_AGE_MS = 2_000;
const MAX_CACHED = 20_000;

interface CachedRow<Row> {
  readAtMonotonicMs: number;
  reading: Promise<Row | null>;
  /** Undefined while it is being read. */
  row: Row | null | undefined;
}

/**
 * Rows of a table in memory, by key. A trigger on the table notifies `channel` with the key of every changed row; the
 * payload '' stands for all. A row is read again when its last read, and the last time with every notification, are over two
 * seconds ago: however a notification gets lost, a change takes effect within two seconds.
 */
export class FreshRows<Row extends object> {
  private readonly cached = new LRUCache<string, CachedRow<Row>>({ max: MAX_CACHED });

  /** @param onChanged called with the key of each row that changed on any node */
  constructor(
    private readonly listener: Pick<Listener, 'completeUntilMonotonicMs' | 'on' | 'onListening'>,
    channel: string,
    private readonly read: (key: string) => Promise<Row | null>,
    onChanged: (key: string) => void = () => {},
  ) {
    listener.on(channel, (key) => {
      if (key === '') this.cached.clear();
      else this.forget(key);
      onChanged(key);
    });
    listener.onListening(() => this.cached.clear());
  }

  /** The row, at once when it is in memory; null when there is none. */
  get(key: string): Row | null | Promise<Row | null> {
    const cached = this.fresh(key);
    if (cached === undefined) return this.readNow(key);
    return cached.row === undefined ? cached.reading : cached.row;
  }

  inMemory(key: string): Row | null {
    return this.fresh(key)?.row ?? null;
  }

  forget(key: string): void {
    this.cached.delete(key);
  }

  private fresh(key: string): CachedRow<Row> | undefined {
    const cached = this.cached.get(key);
    return cached && performance.now() - this.knownAtMonotonicMs(cached) <= MAX_UNCONFIRMED_AGE_MS ? cached : undefined;
  }

  /** No notification is sent for a new row, so a missing row is confirmed by reading only. */
  private knownAtMonotonicMs({ row, readAtMonotonicMs }: CachedRow<Row>): number {
    return row ? Math.max(readAtMonotonicMs, this.listener.completeUntilMonotonicMs) : readAtMonotonicMs;
  }

  private readNow(key: string): Promise<Row | null> {
    const cached: CachedRow<Row> = { readAtMonotonicMs: performance.now(), reading: this.read(key), row: undefined };
    // Before the answer, so that a change notified meanwhile removes it.
    this.cached.set(key, cached);
    cached.reading.then(
      (row) => {
        cached.row = row;
      },
      () => {
        if (this.cached.peek(key) === cached) this.forget(key);
      },
    );
    return cached.reading;
  }
}
