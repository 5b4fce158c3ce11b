import type { FollowOptions } from '../../../event-log/event-log.js';
import { OtherHistory } from '../../../event-log/event-log.types.js';
import type { RebuildLog } from '../../../projections/src/rebuild-views.js';
import type { World } from './world.js';

const MAX_REDELIVERED = 3;

/** The log as a worker follows it: subscriptions break, and a new one may deliver events again. */
export class FollowedLog implements RebuildLog {
  constructor(private readonly world: World) {}

  async assertInLog(): Promise<void> {}

  follow(options: FollowOptions) {
    const stopping = new AbortController();
    void this.deliver(options, stopping.signal);
    return { stop: async () => stopping.abort() };
  }

  private async deliver(options: FollowOptions, stopping: AbortSignal): Promise<void> {
    const { world } = this;
    const { memory, time } = world;
    const { machine } = time;
    let { after, afterId } = options;
    let next = 0;
    let isOpen = false;
    while (!stopping.aborted) {
      await time.sleep(1 + world.upTo(5), machine);
      if (world.isUnreachable('log') || world.injects('workerReadBroken')) {
        options.onLost?.(new Error('the subscription broke'));
        isOpen = false;
        await time.sleep(50 + world.upTo(450), machine);
        continue;
      }
      if (!isOpen) {
        const index = memory.all.findIndex(({ position }) => position === after);
        if (after !== null && afterId !== undefined && memory.all[index]?.id !== afterId)
          return options.onFailure(new OtherHistory(`another event at ${after}`));
        next = Math.max(0, index + 1 - world.upTo(MAX_REDELIVERED));
        isOpen = true;
      }
      for (let event = memory.all[next]; event && !stopping.aborted; event = memory.all[next]) {
        await options.onEvent({ ...event });
        next += 1;
        [after, afterId] = [event.position, event.id];
      }
      if (memory.all.length <= next) await memory.grown();
    }
  }
}
