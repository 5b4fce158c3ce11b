import { type BeforeApplicationShutdown, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { EventLog } from '../../event-log/event-log.js';
import { type ProjectionsConfig, readConfig } from './config.js';
import { Runner } from './runner.js';
import { allViews } from './views/all-views.js';

const CONFIG = Symbol('config');
const LOGGER = Symbol('logger');

@Module({
  providers: [
    { provide: CONFIG, useFactory: () => readConfig(process.env) },
    { provide: LOGGER, useFactory: ({ logLevel }: ProjectionsConfig) => pino({ level: logLevel }), inject: [CONFIG] },
    {
      provide: EventLog,
      useFactory: ({ eventStoreUrl }: ProjectionsConfig) => new EventLog(eventStoreUrl),
      inject: [CONFIG],
    },
    { provide: Runner, useFactory: runner, inject: [CONFIG, EventLog, LOGGER] },
  ],
})
export class ProjectionsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    @Inject(Runner) private readonly runner: Runner,
    @Inject(EventLog) private readonly log: EventLog,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner.stop();
    await this.log.close();
  }
}

function runner({ databaseUrl }: ProjectionsConfig, log: EventLog, logger: Logger): Runner {
  let told = false;
  return new Runner({
    databaseUrl,
    log,
    views: allViews,
    logger,
    onFollowing: () => {
      // Whoever started the worker waits for this line; a standby writes it when it takes over.
      if (!told) process.stdout.write('{"ready":true}\n');
      told = true;
    },
    onFatal: (error) => {
      logger.fatal({ err: error }, 'a view cannot take this event; the worker stops here');
      process.exit(1);
    },
  });
}
