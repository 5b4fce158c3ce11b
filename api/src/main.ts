import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { reportTo, runProcess, untilEventLogReady } from '../../event-log/startup.js';
import { AppModule } from './app.module.js';
import { configureHttp, httpAdapter } from './configure-http.js';
import type { HealthReport } from './health/readiness.js';
import { createLogger, NestLogger } from './http/logging.js';
import { Config } from './platform/config.js';
import { stopOnSignals } from './stop-on-signals.js';

const logger = createLogger(process.env.LOG_LEVEL);
await runProcess(reportTo(logger), async () => {
  const config = new Config(process.env);
  await waitForEventLog(config);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, httpAdapter(config), {
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

/** Waits until the event store responds. Meanwhile every request gets 503 and a health report. */
async function waitForEventLog(config: Config): Promise<void> {
  let server: Server | undefined;
  await untilEventLogReady(config.eventStoreUrl, ({ message }) => {
    const log = () => logger.error(`${message}; trying again`);
    if (server) log();
    else server = respondUnavailable().listen(config.port, config.host, log);
  });
  if (server === undefined) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

function respondUnavailable(): Server {
  const report: HealthReport = {
    status: 'unavailable',
    checks: { postgres: 'not checked', eventLog: 'failed', clock: 'unknown', readModels: 'not checked' },
  };
  return createServer((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(report));
  });
}
