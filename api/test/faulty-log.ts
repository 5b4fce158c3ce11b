import type { Recorded } from '../../contracts/events/recorded.js';
import {
  type AppendResult,
  LogUnavailable,
  type NewEvent,
  UnknownOutcome,
  WrongExpectedRevision,
} from '../../event-log/event-log.types.js';
import type { LedgerLog } from '../src/ledger/append-until-known.js';
import type { ReadOptions, StreamsInMemory } from './streams-in-memory.js';
import type { VirtualTime } from './virtual-time.js';

export type AppendFault = 'arrives' | 'is lost' | 'arrives unanswered' | { unansweredArrivesAfterMs: number };

export interface Line {
  latencyMs(): number;
  nextAppendFault(): AppendFault;
  /** Number of events after which the next read fails; null when it does not fail. */
  readBreaksAfter(): number | null;
}

export class ScriptedLine implements Line {
  readonly appendFaults: AppendFault[] = [];
  isUnavailable = false;
  breakNextReadAfter: number | null = null;
  latency = 1;

  latencyMs(): number {
    return this.latency;
  }

  nextAppendFault(): AppendFault {
    return this.appendFaults.shift() ?? (this.isUnavailable ? 'is lost' : 'arrives');
  }

  readBreaksAfter(): number | null {
    const after = this.isUnavailable ? 0 : this.breakNextReadAfter;
    this.breakNextReadAfter = null;
    return after;
  }
}

export class FaultyLog implements LedgerLog {
  appends: readonly NewEvent[][] = [];
  reads = 0;
  private isCut = false;

  constructor(
    private readonly memory: StreamsInMemory,
    private readonly line: Line,
    private readonly time: VirtualTime,
  ) {}

  /** From now on no answer comes back. */
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

  async append(stream: string, events: NewEvent[], expected: number): Promise<AppendResult> {
    this.appends = [...this.appends, [...events]];
    const appendFault = this.line.nextAppendFault();
    await this.travel();
    if (appendFault === 'is lost') throw new UnknownOutcome('the append got lost');
    if (typeof appendFault === 'object') {
      void this.appendLater(stream, [...events], expected, appendFault.unansweredArrivesAfterMs);
      throw new UnknownOutcome('the append is still on its way');
    }
    const result = this.memory.append(stream, events, expected);
    await this.travelBack();
    if (appendFault === 'arrives unanswered') throw new UnknownOutcome('the answer got lost');
    return result;
  }

  async *readStream(stream: string, options?: ReadOptions): AsyncIterable<Recorded> {
    this.reads += 1;
    const breaksAfter = this.line.readBreaksAfter();
    await this.travelBack();
    const page = this.memory.read(stream, options);
    for (const [index, recorded] of page.entries()) {
      if (index === breaksAfter) throw new LogUnavailable('the read broke off');
      yield JSON.parse(JSON.stringify(recorded)) as Recorded;
    }
    if (breaksAfter !== null) throw new LogUnavailable('the read broke off');
  }

  private async appendLater(stream: string, events: NewEvent[], expected: number, afterMs: number): Promise<void> {
    await this.time.sleep(afterMs);
    try {
      this.memory.append(stream, events, expected);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
}

const NEVER = new Promise<never>(() => {});
