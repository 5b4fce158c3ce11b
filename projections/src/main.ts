import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { disableParallelScavenge, reportTo, runProcess, untilEventLogReady } from '../../event-log/startup.js';
import { createLogger, readConfig } from './config.js';
import { ProjectionsModule } from './projections.module.js';

const logger = createLogger(process.env.LOG_LEVEL);

disableParallelScavenge();
await runProcess(reportTo(logger), async () => {
  const { eventStoreUrl } = readConfig(process.env);
  await untilEventLogReady(eventStoreUrl, ({ message }) => logger.error(`${message}; trying again`));
  const app = await NestFactory.createApplicationContext(ProjectionsModule, { logger: false, abortOnError: false });
  // Ends with 0 after the batch; by default Nest sends the signal again, and the process ends by it.
  app.enableShutdownHooks([], { useProcessExit: true });
});
