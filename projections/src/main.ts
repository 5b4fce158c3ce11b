import 'reflect-metadata';
import { type BeforeApplicationShutdown, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Pool } from 'pg';
import { UnreadableEvent } from '../../contracts/events/schemas.js';
import { EventLog } from '../../event-log/event-log.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { EventVersions } from '../../event-log/event-versions.js';
import { isPostgresOutage, surviveLosses } from '../../event-log/postgres.js';
import { InvalidSetting } from '../../event-log/settings.js';
import * as startup from '../../event-log/startup.js';
import { createLogger, readConfig } from './config.js';
import { Runner } from './runner.js';
import { allViews } from './views/all-views.js';

const OTHER_HISTORY =
  'the read models were built from another event log: point EVENT_STORE_URL at that log, or drop the schema read, ' +
  'so that the worker rebuilds the read models from this log';

const logger = createLogger(process.env.LOG_LEVEL);
const warn = (message: string): void => logger.warn(message);

@Module({})
class ProjectionsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly config = readConfig(process.env);
  private readonly pool = surviveLosses(
    new Pool({ connectionString: this.config.databaseUrl, application_name: 'projections-versions', max: 1 }),
    warn,
  );
  private readonly versions = new EventVersions(this.pool, false, ({ message }) => warn(message));
  private readonly log = new EventLog(this.config.eventStoreUrl, {
    fence: this.versions,
    streamPrefix: this.config.streamPrefix,
    onForeign: (event) => warn(`skipped an event of another program: ${event}`),
  });
  private readonly stopping = new AbortController();
  private starting: Promise<void> | undefined;
  private isReady = false;
  private readonly runner = new Runner({
    databaseUrl: this.config.databaseUrl,
    log: this.log,
    views: allViews,
    logger,
    onFollowing: () => this.reportReady(),
    onFatal: (error) => this.exit(error),
  });

  onApplicationBootstrap(): void {
    void this.versions.unreadable.then((error) => this.exit(error));
    this.starting = this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.starting;
    await this.runner.stop();
    await this.versions.stop();
    await Promise.all([this.log.close(), this.pool.end()]);
  }

  /** Begins to read once the other processes can know which event versions this one reads. */
  private async start(): Promise<void> {
    const { signal } = this.stopping;
    try {
      const onOutage = ({ message }: Error): void => warn(`Postgres is unavailable: ${message}`);
      await startup.whenReachable(() => this.versions.start(), isPostgresOutage, onOutage, signal);
      this.runner.start();
    } catch (error) {
      if (!signal.aborted) this.exit(error as Error);
    }
  }

  /** Prints the line that the process's starter waits for. A standby prints it when it takes over. */
  private reportReady(): void {
    if (!this.isReady) process.stdout.write('{"ready":true}\n');
    this.isReady = true;
  }

  private exit(error: Error): void {
    const report = startup.reportTo(logger);
    if (error instanceof OtherHistory) report(new InvalidSetting(`${OTHER_HISTORY} (${error.message})`));
    else if (error instanceof UnreadableEvent) logger.fatal(error.message);
    else report(error);
    process.exit(1);
  }
}

startup.disableParallelScavenge();
await startup.runProcess(startup.reportTo(logger), async () => {
  const { eventStoreUrl } = readConfig(process.env);
  await startup.untilEventLogReady(eventStoreUrl, ({ message }) => logger.error(`${message}; trying again`));
  const app = await NestFactory.createApplicationContext(ProjectionsModule, { logger: false, abortOnError: false });
  // Ends with 0 after the batch; by default Nest sends the signal again, and the process ends by it.
  app.enableShutdownHooks([], { useProcessExit: true });
});
