import { LRUCache } from 'lru-cache';
import type { Listener } from './listener.store.js';

/** Maximum age of a cached row while notifications may be missing. */
const MAX_UNCONFIRMED_AGE_MS = 2_000;
export const MAX_CACHED = 20_000;

interface CachedRow<Row> {
  row: Row | null;
  readAtMonotonicMs: number;
}

/**
 * Rows of a table in memory, by key; a trigger notifies `channel` of each changed one, and of all by ''. A row is read again when its
 * last read and the last complete notification are over two seconds ago: a lost notification delays a change no longer than that.
 */
export class FreshRows<Row extends object> {
  private readonly cached: LRUCache<string, CachedRow<Row>>;

  /** @param onChanged called with the key of each row that changed on any node */
  constructor(
    private readonly listener: Pick<Listener, 'completeUntilMonotonicMs' | 'on' | 'onListening'>,
    channel: string,
    read: (key: string) => Promise<Row | null>,
    onChanged: (key: string) => void = () => {},
  ) {
    this.cached = new LRUCache<string, CachedRow<Row>>({
      max: MAX_CACHED,
      // A row that changes while it is read is returned, but not cached.
      ignoreFetchAbort: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: async (key) => {
        const readAtMonotonicMs = performance.now();
        return { row: await read(key), readAtMonotonicMs };
      },
    });
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
    return cached ? cached.row : this.cached.fetch(key, { forceRefresh: true }).then((read) => read?.row ?? null);
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
}
