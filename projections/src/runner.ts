import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { isChained } from '../../domain/ledger/chain.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { inTransaction, isPostgresOutage, PROJECTIONS_LOCK, tryLock } from '../../event-log/postgres.js';
import { whenReachable } from '../../event-log/startup.js';
import { type BatchLimits, batchesOf } from './batcher.js';
import { connect, type Session } from './database.js';
import * as schema from './read-schema.js';
import { RebuildInProgress, type RebuildLog, rebuildViews, type TableComparison } from './rebuild-views.js';
import { applyViews, type View } from './views/view.js';

/** During catch-up a batch is full: rows that many events change, such as balances, are then written once for all of them. */
const LIMITS: BatchLimits = { maxEvents: 16_000, lingerMs: 4 };
const LOCK_POLL_MS = 300;

export interface RunnerOptions {
  databaseUrl: string;
  log: RebuildLog;
  views: readonly View[];
  logger: Logger;
  limits?: BatchLimits;
  /** Opens the writing session; `api/test/simulator` passes its own. */
  connect?: typeof connect;
  /** Called when this runner leads: it holds the lock, the tables exist, and it follows the log. */
  onFollowing?(): void;
  /** Called for a bug, such as an event that a view cannot apply. The process should then exit with an error. */
  onFatal(error: Error): void;
}

/**
 * Follows the log and writes the tables. Of several runners one leads: its writing session holds an advisory lock, and it
 * moves the checkpoint only from where it left it. The others stand by, and take over when that session ends.
 */
export class Runner {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: RunnerOptions) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { logger, onFatal } = this.options;
    const { signal } = this.stopping;
    const warn = ({ message }: Error) => logger.warn({ error: message }, 'lost the tables or their lock; trying again');
    try {
      await whenReachable(() => this.lead(), mayLeadLater, warn, signal);
    } catch (error) {
      // The reason means that stop() ended the attempts. Any other error is a bug, even while stopping.
      if (error !== signal.reason) onFatal(error as Error);
    }
  }

  /** Waits for the lock, then leads. Returns when stopped; throws the error that ended the lead. */
  private async lead(): Promise<void> {
    const { databaseUrl, views, logger } = this.options;
    const db = await (this.options.connect ?? connect)(databaseUrl, schema.READ_SCHEMA);
    try {
      if (!(await this.acquireLock(db))) return;
      const { checkpoint, stale } = await schema.prepareReadSchema(db, views);
      await schema.notifyPositions(db);
      logger.info({ position: checkpoint.position, stale: stale.map(({ name }) => name) }, 'leading');
      await this.follow(db, checkpoint, stale);
    } finally {
      await db.end().catch(() => {});
    }
  }

  private async acquireLock(db: Session): Promise<boolean> {
    for (let attempt = 0; !this.stopping.signal.aborted; attempt += 1) {
      if (await tryLock(db, PROJECTIONS_LOCK)) return true;
      if (attempt === 0) this.options.logger.info('standing by');
      await sleep(LOCK_POLL_MS, undefined, { signal: this.stopping.signal }).catch(() => {});
    }
    return false;
  }

  private async follow(db: Session, from: schema.Checkpoint, stale: readonly View[]): Promise<void> {
    const { log, limits = LIMITS, logger, onFollowing } = this.options;
    const leading = new AbortController();
    let failure: unknown;
    const rebuilding = this.rebuildStale(stale, leading.signal).catch((error) => {
      if (!leading.signal.aborted) failure = error;
      leading.abort();
    });
    const batches = batchesOf(log, {
      after: from.position,
      afterId: from.eventId ?? undefined,
      onLost: (error) => logger.warn({ error: error.message }, 'lost the event store; reconnecting'),
      limits,
      signal: AbortSignal.any([this.stopping.signal, leading.signal]),
    });
    onFollowing?.();
    try {
      let last = from;
      for await (const batch of batches) last = await this.write(db, last, batch);
      if (failure) throw failure;
    } finally {
      leading.abort();
      await rebuilding;
    }
  }

  /** Writes a batch without events at or before `from`, which the log may deliver again. Returns the new last event. */
  private async write(db: Session, from: schema.Checkpoint, batch: readonly Recorded[]) {
    const events = batch.filter(({ position }) => schema.isAfter(position, from.position));
    const newest = events.at(-1);
    if (newest === undefined) return from;
    const { position, id: eventId } = newest;
    const last = { position, eventId, ledgerChain: chainThrough(from.ledgerChain, events) };
    await inTransaction(db, async () => {
      await schema.moveCheckpoint(db, from.position, last);
      const current = await schema.moveViews(db, this.options.views, from.position, position);
      await applyViews(current, events, db);
      await schema.notifyPositions(db);
    });
    return last;
  }

  /** Rebuilds stale views in one pass, while the runner follows the log with the others. It then follows with all. */
  private async rebuildStale(stale: readonly View[], signal: AbortSignal): Promise<void> {
    if (stale.length === 0) return;
    const { logger, databaseUrl, log } = this.options;
    const names = stale.map(({ name }) => name);
    logger.info({ views: names }, 'rebuilding views');
    const onCompared = (tables: TableComparison[]) => logger.info({ tables }, 'compared with the serving tables');
    const rebuild = () => rebuildViews(stale, { databaseUrl, log, signal }, onCompared);
    // A rebuild by hand may be of an older version: repeat it afterwards.
    const isInProgress = (error: unknown) => error instanceof RebuildInProgress;
    const position = await whenReachable(rebuild, isInProgress, ({ message }) => logger.debug(message), signal);
    logger.info({ views: names, position }, 'swapped in rebuilt views');
  }
}

/** Another attempt to lead may succeed: the tables are unavailable, or another program changed them. */
const mayLeadLater = (error: unknown): boolean =>
  error instanceof schema.FenceLost || error instanceof schema.SchemaGone || isPostgresOutage(error);

const isOfLedger = (recorded: Recorded): recorded is RecordedLedgerEvent => recorded.stream === LEDGER_STREAM;

/** The chain after a batch. Throws OtherHistory when its first ledger event does not follow `chain`; nodes and auditors check the rest. */
function chainThrough(chain: string | null, events: readonly Recorded[]): string | null {
  const first = events.find(isOfLedger);
  if (first === undefined) return chain;
  if (chain !== null && !isChained(chain, first))
    throw new OtherHistory(`ledger@${first.revision} does not follow from the last ledger event in the tables`);
  return events.findLast(isOfLedger)?.metadata.chain ?? null;
}
