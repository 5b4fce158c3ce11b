import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import type { ReadStreamOptions } from '../../event-log/event-log.js';
import { type AppendResult, type NewEvent, WrongExpectedRevision } from '../../event-log/event-log.types.js';

export type ReadOptions = Omit<ReadStreamOptions, 'lastOnly' | 'onRevision'>;

export class StreamsInMemory {
  readonly streams = new Map<string, Recorded[]>();
  /** The events of all streams, in the order of their positions. */
  readonly all: Recorded[] = [];
  private readonly growing: (() => void)[] = [];
  /** Grows by 100 for each event, so that no test passes with a revision for a position. */
  private position = 0;

  append(stream: string, events: readonly NewEvent[], expected: number): AppendResult {
    const stored = this.streams.get(stream) ?? [];
    const isReplay = events.every(({ id }, index) => stored[expected + 1 + index]?.id === id);
    if (!isReplay) {
      if (expected !== stored.length - 1) throw new WrongExpectedRevision(stream, expected, stored.length - 1);
      for (const { id, event, metadata } of events) {
        this.position += 100;
        const copy = frozenCopyOf({ event, metadata });
        const recorded = { id, stream, revision: stored.length, position: String(this.position), ...copy };
        stored.push(recorded);
        this.all.push(recorded);
      }
      this.streams.set(stream, stored);
      for (const wake of this.growing.splice(0)) wake();
    }
    const last = stored[expected + events.length] as Recorded;
    return { revision: last.revision, position: last.position };
  }

  /** Resolves at the next append. */
  grown(): Promise<void> {
    return new Promise((resolve) => this.growing.push(resolve));
  }

  read(stream: string, { fromRevision = 0, maxCount = Number.POSITIVE_INFINITY }: ReadOptions = {}): Recorded[] {
    return (this.streams.get(stream) ?? []).slice(fromRevision, fromRevision + maxCount);
  }

  /** The ledger's events; a test may change them. */
  get ledger(): RecordedLedgerEvent[] {
    return (this.streams.get(LEDGER_STREAM) ?? []) as RecordedLedgerEvent[];
  }
}

/** Every node reads the same objects, which none may change. */
const frozenCopyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value), (_, part) => Object.freeze(part)) as T;
