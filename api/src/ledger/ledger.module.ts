import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { EventLog } from '../../../event-log/event-log.js';
import { LogUnavailable } from '../../../event-log/event-log.types.js';
import { Ledger } from './ledger.js';
import { Liveness } from './liveness.js';
import { LivenessStore } from './liveness.store.js';
import { newId } from './new-id.js';
import { bookFromSnapshot, takeSnapshots } from './snapshots.js';
import { SnapshotsStore } from './snapshots.store.js';
import { Timekeeper } from './timekeeper.js';

const logger = new Logger('ledger');
const RETRY_MS = 500;

/** On a ledger that cannot be followed no node may decide: it stops, visibly. */
function stopForGood(error: Error): void {
  logger.fatal(`the ledger cannot go on: ${error.stack ?? error.message}`);
  process.exit(1);
}

async function openLedger(log: EventLog, pool: Pool): Promise<Ledger> {
  const snapshots = new SnapshotsStore(pool);
  const book = await whenReachable(() => bookFromSnapshot(snapshots, log, (reason) => logger.warn(reason)));
  const since = book.revision;
  const ledger = new Ledger(book, log, { now: Date.now, newEventId: randomUUID, newId }, stopForGood);
  await whenReachable(() => ledger.start());
  takeSnapshots(ledger, book, since, snapshots, (error) => logger.warn(`no snapshot was taken: ${error.message}`));
  logger.log(`the ledger is at revision ${ledger.revision}`);
  return ledger;
}

async function whenReachable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      logger.warn(`the event log is away, trying again: ${error.message}`);
      await sleep(RETRY_MS);
    }
  }
}

@Module({
  providers: [
    // The DataSource is asked for only because its tables must have been migrated first.
    { provide: Ledger, useFactory: openLedger, inject: [EventLog, Pool, DataSource] },
    {
      provide: Liveness,
      useFactory: (pool: Pool, ledger: Ledger) =>
        new Liveness(randomUUID(), new LivenessStore(pool), ledger, Date.now, (error) =>
          logger.warn(`this node could not be noted as alive: ${error.message}`),
        ),
      inject: [Pool, Ledger],
    },
    {
      provide: Timekeeper,
      useFactory: (ledger: Ledger, liveness: Liveness) =>
        new Timekeeper(ledger, liveness, Date.now, randomUUID, (error) =>
          logger.error(`the clock could not be advanced: ${error.stack ?? error.message}`),
        ),
      inject: [Ledger, Liveness],
    },
  ],
  exports: [Ledger],
})
export class LedgerModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly ledger: Ledger,
    private readonly liveness: Liveness,
    private readonly timekeeper: Timekeeper,
  ) {}

  onApplicationBootstrap(): void {
    this.liveness.start();
    this.timekeeper.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.timekeeper.stop();
    this.liveness.stop();
    await this.ledger.stop();
  }
}
