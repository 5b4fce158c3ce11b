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
import type { Machine, VirtualTime } from './virtual-time.js';

export type AppendFault = 'arrives' | 'is lost' | 'arrives without a response' | { unansweredArrivesAfterMs: number };

export interface Line {
  latencyMs(): number;
  /** How long a call that fails has no response: on a connection that is half open, until its caller gives up. */
  silenceMs?(): number;
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

  constructor(
    private readonly memory: StreamsInMemory,
    private readonly line: Line,
    private readonly time: VirtualTime,
  ) {}

  /** A request under way belongs to no machine: it arrives also when its sender dies. */
  private async travel(): Promise<void> {
    await this.time.sleep(this.line.latencyMs(), null);
  }

  private async travelBack(machine: Machine | null, isUnanswered = false): Promise<void> {
    const silenceMs = (isUnanswered && this.line.silenceMs?.()) || 0;
    await this.time.sleep(this.line.latencyMs() + silenceMs, machine);
  }

  async append(stream: string, events: NewEvent[], expected: number): Promise<AppendResult> {
    this.appends = [...this.appends, [...events]];
    const appendFault = this.line.nextAppendFault();
    const { machine } = this.time;
    await this.travel();
    const outcome = this.arrive(appendFault, stream, [...events], expected);
    await this.travelBack(machine, outcome instanceof UnknownOutcome);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  async *readStream(stream: string, options?: ReadOptions): AsyncIterable<Recorded> {
    this.reads += 1;
    const breaksAfter = this.line.readBreaksAfter();
    await this.travelBack(this.time.machine, breaksAfter !== null);
    const page = this.memory.read(stream, options);
    for (const [index, recorded] of page.entries()) {
      if (index === breaksAfter) throw new LogUnavailable('the read broke off');
      yield { ...recorded };
    }
    if (breaksAfter !== null) throw new LogUnavailable('the read broke off');
  }

  async readWithHead(stream: string) {
    const events: Recorded[] = [];
    for await (const recorded of this.readStream(stream)) events.push(recorded);
    return { events, head: events.length - 1 };
  }

  private arrive(appendFault: AppendFault, stream: string, events: NewEvent[], expected: number): AppendResult | Error {
    if (appendFault === 'is lost') return new UnknownOutcome('the append got lost');
    if (typeof appendFault === 'object') {
      const { unansweredArrivesAfterMs: afterMs } = appendFault;
      this.time.after(afterMs, () => this.tryAppend(stream, events, expected), null);
      return new UnknownOutcome('the append is still on its way');
    }
    const result = this.tryAppend(stream, events, expected);
    return appendFault === 'arrives without a response' ? new UnknownOutcome('the response got lost') : result;
  }

  private tryAppend(stream: string, events: NewEvent[], expected: number): AppendResult | WrongExpectedRevision {
    try {
      return this.memory.append(stream, events, expected);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return error;
      throw error;
    }
  }
}
