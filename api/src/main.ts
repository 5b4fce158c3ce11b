import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { reportTo, runProcess } from '../../event-log/startup.js';
import { AppModule } from './app.module.js';
import { configureHttp } from './configure-http.js';
import { createLogger, NestLogger } from './http/logging.js';
import { Config } from './platform/config.js';
import { stopOnSignals } from './stop-on-signals.js';
import { waitForEventLog } from './wait-for-event-log.js';

const logger = createLogger(process.env.LOG_LEVEL);
await runProcess(reportTo(logger), async () => {
  const config = new Config(process.env);
  await waitForEventLog(config, logger);
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    bodyParser: false,
    logger: new NestLogger(logger),
    // Otherwise Nest ends the process before the log line with the reason is written.
    abortOnError: false,
  });
  configureHttp(app);
  stopOnSignals(app, logger);
  await app.listen(config.port, config.host);
  logger.info({ url: await app.getUrl() }, 'listening');
});
