import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '../../../contracts/events/recorded.js';
import type { EventLog, Following, FollowOptions } from '../../../event-log/event-log.js';

/** A log in memory that can be followed as the real one, and that misbehaves in the ways the real one may. */
export class MemoryLog implements Pick<EventLog, 'follow'> {
  private readonly events: Recorded[] = [];
  private readonly grown: (() => void)[] = [];

  /** @param redelivered how many events from before the asked position a new follower gets again */
  constructor(private readonly redelivered = 0) {}

  add(events: readonly Recorded[]): void {
    this.events.push(...events);
    for (const wake of this.grown.splice(0)) wake();
  }

  follow(options: FollowOptions): Following {
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
    const { after } = options;
    const seen = after === null ? 0 : this.events.filter(({ position }) => BigInt(position) <= BigInt(after)).length;
    let next = Math.max(0, seen - this.redelivered);
    try {
      while (!signal.aborted) {
        for (let event = this.events[next]; event && !signal.aborted; event = this.events[next]) {
          await options.onEvent(event);
          next += 1;
        }
        options.onCaughtUp?.();
        if (next < this.events.length) continue;
        await new Promise<void>((resolve) => this.grown.push(resolve));
        // As on a wire: what was written arrives a little later.
        await sleep(1);
      }
    } catch (error) {
      options.onFailure(error as Error);
    }
  }
}
