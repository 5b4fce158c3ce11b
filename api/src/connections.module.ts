import { Global, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { EventLog } from '../../event-log/event-log.js';
import { Config } from './config.js';
import { migrate } from './migrations.js';

const logger = new Logger('postgres');

/** What every room of the api may ask for: the settings, the two stores, and where to register metrics. */
@Global()
@Module({
  providers: [
    { provide: Config, useFactory: () => new Config(process.env) },
    { provide: EventLog, useFactory: (config: Config) => new EventLog(config.eventStoreUrl), inject: [Config] },
    { provide: Pool, useFactory: openPool, inject: [Config] },
    { provide: Registry, useFactory: () => new Registry() },
  ],
  exports: [Config, EventLog, Pool, Registry],
})
export class ConnectionsModule implements OnApplicationShutdown {
  constructor(
    private readonly pool: Pool,
    private readonly eventLog: EventLog,
  ) {}

  // Not before: requests in flight still use them while the server closes.
  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
    await this.eventLog.close();
  }
}

/** Nobody can hold the pool, or what is made with it, before the tables are there. */
async function openPool(config: Config): Promise<Pool> {
  await migrate(config.databaseUrl);
  const pool = new Pool({
    connectionString: config.databaseUrl,
    application_name: 'omni-jackpot-api',
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 10_000,
  });
  // An idle connection that Postgres ended; the pool opens another when one is needed.
  pool.on('error', (error) => logger.warn(`an idle connection was lost: ${error.message}`));
  return pool;
}
