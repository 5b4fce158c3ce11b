import type { Logger } from 'pino';
import type { FollowOptions } from '../../../event-log/event-log.js';
import { OtherHistory } from '../../../event-log/event-log.types.js';
import type { RebuildLog } from '../../../projections/src/rebuild-views.js';
import { Runner } from '../../../projections/src/runner.js';
import { SimulatedMachine } from './machine.js';
import { SIMULATED_VIEWS, type SimulatedTables } from './tables.js';
import type { World } from './world.js';

const MAX_REDELIVERED = 3;

/** The log as a worker follows it: subscriptions break, and a new one may deliver events again. */
class FollowedLog implements RebuildLog {
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

/** One process of the projections, as `main.ts` composes it. A rebuild of views is all SQL, and left out. */
export class WorkerNode extends SimulatedMachine {
  broken: Error | null = null;
  private readonly runner: Runner;

  constructor(
    name: string,
    world: World,
    private readonly tables: SimulatedTables,
  ) {
    super(name, world);
    const note = (about: string | { error?: string }, text = '') =>
      world.note(`${name} ${typeof about === 'string' ? about : `${text} ${about.error ?? ''}`}`);
    this.runner = new Runner({
      databaseUrl: '',
      log: new FollowedLog(world),
      views: SIMULATED_VIEWS,
      logger: { info: note, warn: note } as unknown as Logger,
      limits: { maxEvents: 1 + world.upTo(12), lingerMs: 4 },
      connect: tables.connect,
      onFatal: (error) => {
        this.broken ??= error;
      },
    });
  }

  start(): Promise<void> {
    return this.run(() => this.runner.start());
  }

  /** Ends as an upgrade ends it, or dies between any two steps. */
  async end(isOrderly: boolean): Promise<void> {
    this.world.note(`${this.name} ${isOrderly ? 'is stopped' : 'crashes'}`);
    if (isOrderly) await this.run(() => this.runner.stop());
    this.isDead = true;
    this.tables.disconnect(this);
  }
}
