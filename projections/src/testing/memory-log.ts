import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import type { OurEvent, Recorded, RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { CHAIN_START, chainAfter } from '../../../domain/ledger/chain.js';
import type { EventLog, FollowOptions, Subscription } from '../../../event-log/event-log.js';
import { OtherHistory } from '../../../event-log/event-log.types.js';

/** An event log in memory, which can be followed. It may deliver events twice, as the event store may. */
export class MemoryLog implements Pick<EventLog, 'follow' | 'assertInLog'> {
  readonly events: Recorded[] = [];
  private readonly grown: (() => void)[] = [];
  private chain = CHAIN_START;

  /** @param redelivered number of events at or before the position that a new follower gets again */
  constructor(private readonly redelivered = 0) {}

  add(events: readonly Recorded[]): void {
    for (const one of events) this.events.push(one.stream === LEDGER_STREAM ? this.chained(one) : one);
    for (const wake of this.grown.splice(0)) wake();
  }

  /** Adds the next event of a stream, by any gamer unless the metadata says otherwise. */
  record(stream: string, event: OurEvent, metadata: Partial<LedgerMetadata> = {}): Recorded {
    const { length } = this.events;
    const revision = this.events.filter((one) => one.stream === stream).length;
    const byDefault = {
      commandId: `c${length}`,
      actor: { id: 'gamer', role: 'gamer' },
      at: length,
      schema: 1,
    } as const;
    const id = `00000000-0000-4000-8000-${String(length).padStart(12, '0')}`;
    const position = String(length * 7 + 3);
    this.add([{ id, stream, revision, position, event, metadata: { ...byDefault, ...metadata } }]);
    return this.events[length] as Recorded;
  }

  /** Position of the last event. */
  get end(): string {
    return this.events.at(-1)?.position as string;
  }

  private chained(one: Recorded): Recorded {
    const ledgerEvent = one as RecordedLedgerEvent;
    this.chain = chainAfter(this.chain, one.id, ledgerEvent.event, ledgerEvent.metadata);
    const metadata = { ...ledgerEvent.metadata, chain: this.chain };
    return { ...one, metadata };
  }

  async assertInLog(position: string, eventId?: string): Promise<void> {
    const found = this.events.find((event) => event.position === position);
    if (!found || (eventId !== undefined && found.id !== eventId))
      throw new OtherHistory(`another event at ${position}`);
  }

  follow(options: FollowOptions): Subscription {
    const stopping = new AbortController();
    const delivering = this.deliver(options, stopping.signal);
    return {
      stop: async () => {
        stopping.abort();
        for (const wake of this.grown.splice(0)) wake();
        await delivering;
      },
    };
  }

  private async deliver(options: FollowOptions, signal: AbortSignal): Promise<void> {
    const { after, afterId } = options;
    const other = this.events.find(({ position, id }) => position === after && id !== afterId);
    if (afterId !== undefined && other) return options.onFailure(new OtherHistory(`another event at ${after}`));
    const known = after === null ? 0 : this.events.filter(({ position }) => BigInt(position) <= BigInt(after)).length;
    let next = Math.max(0, known - this.redelivered);
    try {
      while (!signal.aborted) {
        for (let event = this.events[next]; event && !signal.aborted; event = this.events[next]) {
          await options.onEvent(event);
          next += 1;
        }
        options.onCaughtUp?.();
        if (next < this.events.length) continue;
        await new Promise<void>((resolve) => this.grown.push(resolve));
        // Events arrive a little after they were written, as over a network.
        await sleep(1);
      }
    } catch (error) {
      options.onFailure(error as Error);
    }
  }
}
