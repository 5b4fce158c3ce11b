import { type BeforeApplicationShutdown, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { UnreadableEvent } from '../../contracts/events/schemas.js';
import { EventLog } from '../../event-log/event-log.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { EventVersions } from '../../event-log/event-versions.js';
import { isPostgresOutage, surviveLosses } from '../../event-log/postgres.js';
import { InvalidSetting } from '../../event-log/settings.js';
import { reportTo, whenReachable } from '../../event-log/startup.js';
import { createLogger, readConfig } from './config.js';
import { Runner } from './runner.js';
import { allViews } from './views/all-views.js';

const OTHER_HISTORY =
  'the read models were built from another event log: point EVENT_STORE_URL at that log, or drop the schema read, ' +
  'so that the worker rebuilds the read models from this log';

@Module({})
export class ProjectionsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly config = readConfig(process.env);
  private readonly logger = createLogger(this.config.logLevel);
  private readonly warn = (message: string): void => this.logger.warn(message);
  private readonly pool = surviveLosses(
    new Pool({ connectionString: this.config.databaseUrl, application_name: 'projections-versions', max: 1 }),
    this.warn,
  );
  private readonly versions = new EventVersions(this.pool, false, ({ message }) => this.warn(message));
  private readonly log = new EventLog(this.config.eventStoreUrl, {
    fence: this.versions,
    streamPrefix: this.config.streamPrefix,
    onForeign: (event) => this.warn(`skipped an event of another program: ${event}`),
  });
  private readonly stopping = new AbortController();
  private starting: Promise<void> | undefined;
  private isReady = false;
  private readonly runner = new Runner({
    databaseUrl: this.config.databaseUrl,
    log: this.log,
    views: allViews,
    logger: this.logger,
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
      const warn = ({ message }: Error): void => this.warn(`Postgres is unavailable: ${message}`);
      await whenReachable(() => this.versions.start(), isPostgresOutage, warn, signal);
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
    const report = reportTo(this.logger);
    if (error instanceof OtherHistory) report(new InvalidSetting(`${OTHER_HISTORY} (${error.message})`));
    else if (error instanceof UnreadableEvent) this.logger.fatal(error.message);
    else report(error);
    process.exit(1);
  }
}
