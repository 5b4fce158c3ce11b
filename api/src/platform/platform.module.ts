import { Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { EventLog } from '../../../event-log/event-log.js';
import { EventVersions } from '../../../event-log/event-versions.js';
import { surviveLosses } from '../../../event-log/postgres.js';
import { Background } from './background.js';
import { Clock } from './clock.js';
import { Config } from './config.js';
import { Listener } from './listener.store.js';
import { Locks } from './locks.store.js';
import { migrate } from './migrations.js';
import { GENERAL_POOL, PriorityPool } from './priority-pool.store.js';

const logger = new Logger('stores');
const warn = (message: string): void => logger.warn(message);

@Global()
@Module({
  providers: [
    Background,
    {
      provide: Clock,
      useFactory: (pool: PriorityPool, background: Background) =>
        new Clock(Date.now).compareWithPostgres(pool, background),
      inject: [PriorityPool, Background],
    },
    { provide: Config, useFactory: () => new Config(process.env) },
    {
      provide: EventVersions,
      useFactory: (pool: PriorityPool) =>
        new EventVersions(pool, true, ({ message }) => logger.warn(`event versions: ${message}`)).start(),
      inject: [PriorityPool],
    },
    {
      provide: EventLog,
      useFactory: ({ eventStoreUrl, streamPrefix }: Config, fence: EventVersions) => {
        const onForeign = (event: string) => logger.warn(`skipped an event of another program: ${event}`);
        return new EventLog(eventStoreUrl, { fence, streamPrefix, onForeign });
      },
      inject: [Config, EventVersions],
    },
    { provide: Pool, useFactory: openPool, inject: [Config] },
    { provide: PriorityPool, useFactory: openPriorityPool, inject: [Config, Pool] },
    Listener,
    Locks,
    { provide: Registry, useFactory: () => new Registry() },
  ],
  exports: [Background, Clock, Config, EventLog, EventVersions, Listener, Locks, Pool, PriorityPool, Registry],
})
export class PlatformModule implements OnApplicationShutdown {
  constructor(
    private readonly pool: Pool,
    private readonly priorityPool: PriorityPool,
    private readonly eventLog: EventLog,
    private readonly versions: EventVersions,
  ) {}

  // Closed last: requests in flight still use the stores while the HTTP server closes.
  async onApplicationShutdown(): Promise<void> {
    await this.versions.stop();
    await Promise.all([this.pool.end(), this.priorityPool.end()]);
    await this.eventLog.close();
  }
}

/** Migrates before it opens the pool, so every user of the pool finds its tables. */
async function openPool(config: Config): Promise<Pool> {
  await migrate(config.databaseUrl);
  return surviveLosses(
    new Pool({ connectionString: config.databaseUrl, application_name: 'omni-jackpot-api', ...GENERAL_POOL }),
    warn,
  );
}

/** @param _migrated opened first, because it migrates */
function openPriorityPool(config: Config, _migrated: Pool): PriorityPool {
  return surviveLosses(
    new PriorityPool({
      connectionString: config.databaseUrl,
      application_name: 'omni-jackpot-api-priority',
      max: 6,
      connectionTimeoutMillis: 2_000,
      statement_timeout: 2_000,
      lock_timeout: 1_000,
      // Ends a query on a connection that is half open.
      query_timeout: 2_500,
    }),
    warn,
  );
}
