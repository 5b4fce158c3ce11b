import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Recorded } from '../../contracts/events/recorded.js';
import type { EventLog } from '../../event-log/event-log.js';
import { Batcher, type BatchLimits, type EventBatch } from './batcher.js';
import { type Connection, connect, inTransaction, isPassing } from './database.js';
import {
  BEGINNING,
  FenceLost,
  isAfter,
  moveCheckpoint,
  moveViews,
  prepareReadSchema,
  READ_SCHEMA,
  SchemaGone,
} from './read-schema.js';
import { AsideClaimed, rebuildViews } from './rebuild-views.js';
import { Batch, type View } from './views/view.js';

const LIMITS: BatchLimits = { maxEvents: 4_000, lingerMs: 4 };
/** How often a standby asks for the lock. */
const LOCK_POLL_MS = 300;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 3_000;

export interface RunnerOptions {
  databaseUrl: string;
  log: Pick<EventLog, 'follow'>;
  views: readonly View[];
  logger: Logger;
  limits?: BatchLimits;
  /** This runner holds the lock, the tables exist, and it follows the log. */
  onFollowing?(): void;
  /** A bug: an event no view version of ours can take. The process should end and be seen to end. */
  onFatal(error: Error): void;
}

/** A view met an event it could not apply. */
export class ViewFailed extends Error {}

/**
 * Follows the log into the tables. Of several runners one writes: it holds an advisory lock on the very session it
 * writes with, so that losing the lock is losing the pen, and moves a checkpoint only from where it left it.
 * The others stand by and take over when that session ends.
 */
export class Runner {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: RunnerOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** Finishes the batch in hand. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { logger } = this.options;
    let waitMs = RETRY_MIN_MS;
    while (!this.stopping.signal.aborted) {
      try {
        await this.lead(() => {
          waitMs = RETRY_MIN_MS;
        });
      } catch (error) {
        if (!isRecoverable(error)) return this.options.onFatal(error as Error);
        logger.warn({ error: (error as Error).message, waitMs }, 'lost the tables or their lock; trying again');
        await sleep(waitMs, undefined, { signal: this.stopping.signal }).catch(() => {});
        waitMs = Math.min(waitMs * 2, RETRY_MAX_MS);
      }
    }
  }

  /** From standing by to losing the lead. Returns when stopped; throws why else it ended. */
  private async lead(onProgress: () => void): Promise<void> {
    const { databaseUrl, views, logger } = this.options;
    const db = await connect(databaseUrl, READ_SCHEMA);
    try {
      if (!(await this.acquireLock(db))) return;
      const { position, stale } = await prepareReadSchema(db, views);
      logger.info({ position, stale: stale.map(({ name }) => name) }, 'leading');
      await this.follow(db, position, stale, onProgress);
    } finally {
      await db.end().catch(() => {});
    }
  }

  private async acquireLock(db: Connection): Promise<boolean> {
    let told = false;
    while (!this.stopping.signal.aborted) {
      const { rows } = await db.query<{ locked: boolean }>(
        "SELECT pg_try_advisory_lock(hashtext('projections-runner')) AS locked",
      );
      if (rows[0]?.locked) return true;
      if (!told) this.options.logger.info('standing by');
      told = true;
      await sleep(LOCK_POLL_MS, undefined, { signal: this.stopping.signal }).catch(() => {});
    }
    return false;
  }

  private async follow(db: Connection, from: string, stale: readonly View[], onProgress: () => void): Promise<void> {
    const batcher = new Batcher(this.options.limits ?? LIMITS);
    let failure: unknown;
    const fail = (error: unknown) => {
      failure ??= error;
      batcher.end();
    };
    const end = () => batcher.end();
    this.stopping.signal.addEventListener('abort', end);
    const following = this.options.log.follow({
      after: from === BEGINNING ? null : from,
      onEvent: (recorded) => batcher.add(recorded),
      onCheckpoint: (position) => batcher.checkpoint(position),
      onCaughtUp: () => this.options.logger.debug('caught up'),
      onLost: (error) => this.options.logger.warn({ error: error.message }, 'lost the event store; seeking it'),
      onFailure: fail,
    });
    const leading = new AbortController();
    const rebuilding = this.rebuildAside(stale, leading.signal).catch((error) => {
      if (!leading.signal.aborted) fail(error);
    });
    this.options.onFollowing?.();
    try {
      let position = from;
      for (let batch = await batcher.next(); batch && !failure; batch = await batcher.next()) {
        position = await this.write(db, position, batch);
        onProgress();
      }
      if (failure) throw failure;
    } finally {
      this.stopping.signal.removeEventListener('abort', end);
      batcher.end();
      leading.abort();
      await Promise.all([following.stop(), rebuilding]);
    }
  }

  /** What is already in the tables, as when the log delivers something twice, is passed over. Returns the new position. */
  private async write(db: Connection, position: string, batch: EventBatch): Promise<string> {
    if (!isAfter(batch.position, position)) return position;
    const events = batch.events.filter((event) => isAfter(event.position, position));
    try {
      await this.commit(db, position, { events, position: batch.position });
      return batch.position;
    } catch (error) {
      if (isRecoverable(error) || events.length <= 1) throw error;
      await this.writeOneByOne(db, position, events);
      throw error;
    }
  }

  /** After a failed batch: gets as far as the event that fails, so that the failure names it. */
  private async writeOneByOne(db: Connection, from: string, events: readonly Recorded[]): Promise<void> {
    let position = from;
    for (const event of events) {
      await this.commit(db, position, { events: [event], position: event.position });
      position = event.position;
    }
  }

  private async commit(db: Connection, from: string, { events, position }: EventBatch): Promise<void> {
    await inTransaction(db, async () => {
      await moveCheckpoint(db, from, position);
      const current = await moveViews(db, this.options.views, from, position);
      if (events.length > 0) await applyTo(current, events, db);
    });
  }

  /** In one pass beside the following; the views join in with the first batch after the swap. */
  private async rebuildAside(stale: readonly View[], signal: AbortSignal): Promise<void> {
    if (stale.length === 0) return;
    const { logger, databaseUrl, log } = this.options;
    const names = stale.map(({ name }) => name);
    logger.info({ views: names }, 'building aside');
    for (;;) {
      try {
        const position = await rebuildViews(stale, { databaseUrl, log, signal });
        return logger.info({ views: names, position }, 'swapped in');
      } catch (error) {
        // Someone rebuilds one by hand, perhaps as an older version: afterwards it is our turn.
        if (!(error instanceof AsideClaimed)) throw error;
        await sleep(RETRY_MAX_MS, undefined, { signal });
      }
    }
  }
}

async function applyTo(views: readonly View[], events: readonly Recorded[], db: Connection): Promise<void> {
  let at = 'the double entry';
  try {
    const batch = new Batch(events);
    for (const view of views) {
      at = `view ${view.name}`;
      await view.apply(batch, db);
    }
  } catch (error) {
    throw isPassing(error) ? error : new ViewFailed(`${at} failed on ${nameOf(events)}`, { cause: error });
  }
}

function nameOf(events: readonly Recorded[]): string {
  const [first] = events;
  const name = `${first?.stream}@${first?.revision} ${first?.event.type} (position ${first?.position})`;
  return events.length === 1 ? name : `a batch of ${events.length} from ${name}`;
}

const isRecoverable = (error: unknown): boolean =>
  error instanceof FenceLost || error instanceof SchemaGone || isPassing(error);
