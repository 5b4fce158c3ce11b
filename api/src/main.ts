import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { Config } from './config.js';
import { createLogger, NestLogger } from './http/logging.js';
import { setUpHttp } from './http/set-up.js';
import { stopOnSignals } from './stop-on-signals.js';

const logger = createLogger(process.env.LOG_LEVEL || 'info');
const app = await NestFactory.create<NestExpressApplication>(AppModule, {
  bodyParser: false,
  logger: new NestLogger(logger),
  // Without it a failure to start ends the process before the line that says why is written.
  abortOnError: false,
});
setUpHttp(app);
stopOnSignals(app, logger);
const config = app.get(Config);
await app.listen(config.port, config.host);
logger.info({ url: await app.getUrl() }, 'listening');
