import { type BeforeApplicationShutdown, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { EventLog } from '../../event-log/event-log.js';
import { OtherHistory } from '../../event-log/event-log.types.js';
import { InvalidSetting } from '../../event-log/settings.js';
import { reportTo } from '../../event-log/startup.js';
import { createLogger, readConfig } from './config.js';
import { Runner } from './runner.js';
import { allViews } from './views/all-views.js';

const OTHER_HISTORY =
  'the read models were built from another event log: point EVENT_STORE_URL at that log, or drop the schema read, ' +
  'so that the worker rebuilds the read models from this log';

/** Runs the worker as long as the process runs. */
@Module({})
export class ProjectionsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly config = readConfig(process.env);
  private readonly logger = createLogger(this.config.logLevel);
  private readonly log = new EventLog(this.config.eventStoreUrl);
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
    this.runner.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner.stop();
    await this.log.close();
  }

  /** Prints the line that the process's starter waits for. A standby prints it when it takes over. */
  private reportReady(): void {
    if (!this.isReady) process.stdout.write('{"ready":true}\n');
    this.isReady = true;
  }

  private exit(error: Error): void {
    const isOtherHistory = error instanceof OtherHistory;
    reportTo(this.logger)(isOtherHistory ? new InvalidSetting(`${OTHER_HISTORY} (${error.message})`) : error);
    process.exit(1);
  }
}
