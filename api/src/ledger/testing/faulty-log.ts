import type { LedgerEvent } from '../../../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../../../contracts/events/metadata.js';
import type { Recorded, RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import {
  type AppendResult,
  LogUnavailable,
  type NewEvent,
  UnknownOutcome,
  WrongExpectedRevision,
} from '../../../../event-log/event-log.types.js';
import type { LedgerLog } from '../append-until-known.js';
import type { VirtualTime } from './virtual-time.js';

/** One stream in memory, with EventStoreDB's rules: all or nothing, at the exact revision, a repeat answered again. */
export class MemoryLog {
  readonly events: RecordedLedgerEvent[] = [];

  commit(events: readonly NewEvent[], expected: number): AppendResult {
    const isRepeat = events.every(({ id }, index) => this.events[expected + 1 + index]?.id === id);
    if (!isRepeat) {
      if (expected !== this.events.length - 1) {
        throw new WrongExpectedRevision('ledger', expected, this.events.length - 1);
      }
      for (const { id, event, metadata } of events) {
        const revision = this.events.length;
        const stored = { event: event as LedgerEvent, metadata: metadata as LedgerMetadata };
        const sent = JSON.parse(JSON.stringify(stored)) as typeof stored;
        this.events.push({ id, stream: 'ledger', revision, position: String((revision + 1) * 100), ...sent });
      }
    }
    const last = this.events[expected + events.length] as RecordedLedgerEvent;
    return { revision: last.revision, position: last.position };
  }
}

export type AppendFate = 'arrives' | 'is lost' | 'arrives unanswered' | { unansweredArrivesAfterMs: number };

/** What the way between one node and the log does to what is sent. */
export interface Line {
  latencyMs(): number;
  appendFate(): AppendFate;
  /** How many events of the next read come through before it breaks off; null when it does not. */
  readBreaksAfter(): number | null;
}

/** A line that does what it is told, and else no harm. */
export class ToldLine implements Line {
  readonly fates: AppendFate[] = [];
  isAway = false;
  breakNextReadAfter: number | null = null;
  latency = 1;

  latencyMs(): number {
    return this.latency;
  }

  appendFate(): AppendFate {
    return this.fates.shift() ?? (this.isAway ? 'is lost' : 'arrives');
  }

  readBreaksAfter(): number | null {
    const after = this.isAway ? 0 : this.breakNextReadAfter;
    this.breakNextReadAfter = null;
    return after;
  }
}

/** The log as one node sees it over its line. */
export class FaultyLog implements LedgerLog {
  appends: readonly NewEvent[][] = [];
  reads = 0;
  private isCut = false;

  constructor(
    private readonly memory: MemoryLog,
    private readonly line: Line,
    private readonly time: VirtualTime,
  ) {}

  /** No answer ever comes back any more. */
  cut(): void {
    this.isCut = true;
  }

  private async travel(): Promise<void> {
    if (this.isCut) await NEVER;
    await this.time.sleep(this.line.latencyMs());
  }

  private async travelBack(): Promise<void> {
    await this.time.sleep(this.line.latencyMs());
    if (this.isCut) await NEVER;
  }

  async append(_stream: string, events: NewEvent[], expected: number): Promise<AppendResult> {
    this.appends = [...this.appends, [...events]];
    const fate = this.line.appendFate();
    await this.travel();
    if (fate === 'is lost') throw new UnknownOutcome('the append got lost');
    if (typeof fate === 'object') {
      void this.commitLater([...events], expected, fate.unansweredArrivesAfterMs);
      throw new UnknownOutcome('the append is still on its way');
    }
    const result = this.memory.commit(events, expected);
    await this.travelBack();
    if (fate === 'arrives unanswered') throw new UnknownOutcome('the answer got lost');
    return result;
  }

  async *readStream(
    _stream: string,
    { fromRevision = 0, maxCount = Number.POSITIVE_INFINITY }: { fromRevision?: number; maxCount?: number } = {},
  ): AsyncIterable<Recorded> {
    this.reads += 1;
    const breaksAfter = this.line.readBreaksAfter();
    await this.travelBack();
    const page = this.memory.events.slice(fromRevision, fromRevision + maxCount);
    for (const [index, recorded] of page.entries()) {
      if (index === breaksAfter) throw new LogUnavailable('the read broke off');
      yield JSON.parse(JSON.stringify(recorded)) as Recorded;
    }
    if (breaksAfter !== null) throw new LogUnavailable('the read broke off');
  }

  /** What nobody waits for any more: it arrives when it does, or is too late. */
  private async commitLater(events: NewEvent[], expected: number, afterMs: number): Promise<void> {
    await this.time.sleep(afterMs);
    try {
      this.memory.commit(events, expected);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
}

const NEVER = new Promise<never>(() => {});
