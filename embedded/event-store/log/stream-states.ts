import { LRUCache } from 'lru-cache';
import { parseStreamMetadata } from '../core/stream-metadata.js';
import { EMPTY_STREAM, isMetadataStream, type StreamState, TOMBSTONE_REVISION } from '../core/stream-state.js';
import type { LastRun } from './postgres-runs.js';
import { framesOf } from './run.js';

export type LoadLastRuns = (streams: readonly string[]) => Promise<LastRun[]>;

/** The committed states of the streams last used; others are looked up when they are asked for. */
export class StreamStates {
  private readonly known: LRUCache<string, StreamState>;
  private loads = 0;
  /** Streams that a commit changed while a look-up was under way, whose answer may be older than the commit. */
  private readonly changedDuringLoads = new Set<string>();

  /**
   * @param limit of streams
   * @param lengthLimit characters of names and metadata, which clients choose
   */
  constructor(
    private readonly lastRuns: LoadLastRuns,
    limit: number,
    lengthLimit: number,
  ) {
    this.known = new LRUCache({ max: limit, maxSize: lengthLimit, sizeCalculation: lengthOf });
  }

  /** The states of these streams; asks the disk for all unknown ones at once. */
  async of(names: readonly string[]): Promise<Map<string, StreamState>> {
    const found = new Map<string, StreamState>();
    let missing = this.collect(names, found);
    while (missing.length > 0) {
      await this.load(missing, found);
      missing = this.collect(missing, found);
    }
    return found;
  }

  /** Takes in what a commit has made of a stream. */
  commit(name: string, state: StreamState): void {
    if (this.loads > 0) this.changedDuringLoads.add(name);
    this.known.set(name, state);
  }

  private collect(names: readonly string[], found: Map<string, StreamState>): string[] {
    const missing: string[] = [];
    for (const name of names) {
      if (found.has(name)) continue;
      const state = this.known.get(name);
      if (state === undefined) missing.push(name);
      else found.set(name, state);
    }
    return missing;
  }

  private async load(names: readonly string[], found: Map<string, StreamState>): Promise<void> {
    this.loads++;
    try {
      const unique = [...new Set(names)];
      const loaded = new Map((await this.lastRuns(unique)).map((run) => [run.stream, stateAfter(run)]));
      for (const name of unique) {
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

/** At least 1: a stream may be named by an empty text. */
const lengthOf = ({ content }: StreamState, name: string): number => Math.max(1, name.length + content.length);

function stateAfter(run: LastRun): StreamState {
  if (run.firstRevision === TOMBSTONE_REVISION) {
    return { lastRevision: TOMBSTONE_REVISION, tombstoned: true, content: EMPTY_STREAM.content };
  }
  const lastRevision = run.firstRevision + run.count - 1;
  if (!isMetadataStream(run.stream) || run.bytes === null) return { ...EMPTY_STREAM, lastRevision };
  const frames = framesOf({ ...run, position: 0, end: run.bytes.length, bytes: run.bytes });
  const last = [...frames].at(-1)!;
  return { ...EMPTY_STREAM, lastRevision, content: parseStreamMetadata(last.data.toString('utf8')) };
}
