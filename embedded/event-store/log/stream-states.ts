import { LRUCache } from 'lru-cache';
import {
  EMPTY_STREAM,
  isMetadataStream,
  parseStreamMetadata,
  type StreamState,
  TOMBSTONE_REVISION,
} from '../core/stream.js';
import type { LastRun } from './postgres-runs.js';
import { framesOf, lastRevisionOf } from './run.js';

/** Caches the committed states of recently used streams; the others are loaded from the disk on demand. */
export class StreamStates {
  private readonly known: LRUCache<string, StreamState>;
  private loads = 0;
  /** Streams that a commit changed during a load: the loaded state may be older than the commit. */
  private readonly changedDuringLoads = new Set<string>();

  /**
   * @param limit maximum number of cached streams
   * @param lengthLimit maximum number of cached characters of names and metadata, whose length the clients choose
   */
  constructor(
    private readonly lastRuns: (streams: readonly string[]) => Promise<LastRun[]>,
    limit: number,
    lengthLimit: number,
  ) {
    // The cache demands a size of at least 1, also for an empty name.
    const sizeCalculation = ({ content }: StreamState, name: string) => Math.max(1, name.length + content.length);
    this.known = new LRUCache({ max: limit, maxSize: lengthLimit, sizeCalculation });
  }

  /** Returns the states of these streams, and loads all missing ones with one query. */
  async of(names: readonly string[]): Promise<Map<string, StreamState>> {
    const found = new Map<string, StreamState>();
    for (;;) {
      const missing = new Set<string>();
      for (const name of names) {
        const state = found.get(name) ?? this.known.get(name);
        if (state === undefined) missing.add(name);
        else found.set(name, state);
      }
      if (missing.size === 0) return found;
      await this.load([...missing], found);
    }
  }

  /** Caches a stream's state after a commit. */
  commit(name: string, state: StreamState): void {
    if (this.loads > 0) this.changedDuringLoads.add(name);
    this.known.set(name, state);
  }

  private async load(names: readonly string[], found: Map<string, StreamState>): Promise<void> {
    this.loads++;
    try {
      const loaded = new Map((await this.lastRuns(names)).map((run) => [run.stream, stateAfter(run)]));
      for (const name of names) {
        if (this.changedDuringLoads.has(name)) continue;
        const state = loaded.get(name) ?? EMPTY_STREAM;
        this.known.set(name, state);
        found.set(name, state);
      }
    } finally {
      this.loads--;
      if (this.loads === 0) this.changedDuringLoads.clear();
    }
  }
}

function stateAfter(run: LastRun): StreamState {
  if (run.firstRevision === TOMBSTONE_REVISION) {
    return { ...EMPTY_STREAM, lastRevision: TOMBSTONE_REVISION, tombstoned: true };
  }
  const lastRevision = lastRevisionOf(run);
  if (!isMetadataStream(run.stream) || run.bytes === null) return { ...EMPTY_STREAM, lastRevision };
  const last = [...framesOf(run.bytes)].at(-1)!;
  return { ...EMPTY_STREAM, lastRevision, content: parseStreamMetadata(last.data.toString()) };
}
