import type { Logger } from 'pino';
import { Runner } from '../../../projections/src/runner.js';
import { FollowedLog } from './followed-log.js';
import { SimulatedMachine } from './machine.js';
import { SIMULATED_VIEWS, type SimulatedTables } from './tables.js';
import type { World } from './world.js';

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
