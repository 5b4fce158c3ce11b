import { randomUUID } from 'node:crypto';
import { Global, Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { UnreadableEvent } from '../../../contracts/events/schemas.js';
import type { CommandMetadata, LedgerCommand } from '../../../domain/ledger/ledger-commands.js';
import { EventLog } from '../../../event-log/event-log.js';
import { EventVersions } from '../../../event-log/event-versions.js';
import { whenReachable } from '../../../event-log/startup.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { isOutage, Refused, Unavailable } from '../platform/failures.js';
import { PersonalTexts } from '../platform/personal-texts.store.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { findLoss } from './history-loss.store.js';
import { newId } from './ids.js';
import { Ledger } from './ledger.js';
import { LedgerMetrics } from './ledger-metrics.js';
import { Liveness, LivenessStore } from './liveness.store.js';
import { Snapshots, SnapshotsStore } from './snapshots.store.js';
import { StreamCommands } from './stream-commands.js';
import { Timekeeper } from './timekeeper.js';
import { PostgresTurns } from './turns.store.js';

const logger = new Logger('ledger');

/** A node that cannot follow the ledger must not decide: the process ends. */
function stopForGood(error: Error): void {
  // The log has reported it: the node refuses everything, and tells why (main.ts).
  if (error instanceof UnreadableEvent) return;
  logger.fatal(`the ledger cannot continue: ${error.stack ?? error.message}`);
  process.exit(1);
}

async function openLedger(
  log: EventLog,
  pool: Pool,
  priorityPool: PriorityPool,
  clock: Clock,
  registry: Registry,
  config: Config,
  texts: PersonalTexts,
  versions: EventVersions,
): Promise<Ledger> {
  const metrics = new LedgerMetrics(registry);
  const snapshots = new Snapshots(new SnapshotsStore(pool), config.ledgerSigningSecrets);
  const replica = await whenStoresReachable(() => snapshots.newestReplica(log, (reason) => logger.warn(reason)));
  const since = replica.revision;
  const sources = {
    now: () => clock.now(),
    fault: () => {
      if (clock.fault !== null) return new Refused('clock-untrusted');
      return log.historyFault === null ? null : new Unavailable(log.historyFault);
    },
    mayWrite: (type: string, version: number) => versions.mayWrite(type, version),
    turns: new PostgresTurns(priorityPool),
    encrypt: (command: LedgerCommand, metadata: CommandMetadata) => texts.encrypted(command, metadata),
    newEventId: randomUUID,
    newId,
    metrics,
  };
  const ledger = new Ledger(replica, metrics.measure(log), sources, stopForGood);
  await whenStoresReachable(() => ledger.start());
  log.historyFault = await whenStoresReachable(() => findLoss(pool, ledger, config.ledgerName));
  snapshots.takeFrom(ledger, replica, since, (error) => logger.warn(`no snapshot was taken: ${error.message}`));
  logger.log(`the ledger is at revision ${ledger.head.revision}`);
  return ledger;
}

const whenStoresReachable = <T>(work: () => Promise<T>): Promise<T> =>
  whenReachable(work, isOutage, ({ message }) => logger.warn(`a store is unavailable: ${message}`));

@Global()
@Module({
  providers: [
    {
      provide: Ledger,
      useFactory: openLedger,
      inject: [EventLog, Pool, PriorityPool, Clock, Registry, Config, PersonalTexts, EventVersions],
    },
    StreamCommands,
    PersonalTexts,
  ],
  exports: [Ledger, StreamCommands, PersonalTexts],
})
export class LedgerModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly liveness: Liveness;
  private readonly timekeeper: Timekeeper;

  constructor(
    private readonly ledger: Ledger,
    pool: PriorityPool,
    clock: Clock,
  ) {
    this.liveness = new Liveness(randomUUID(), new LivenessStore(pool), ledger, clock, ({ message }) =>
      logger.warn(`the liveness of this node could not be recorded: ${message}`),
    );
    this.timekeeper = new Timekeeper(ledger, this.liveness, clock, ({ stack, message }) =>
      logger.error(`the clock could not be advanced: ${stack ?? message}`),
    );
  }

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
