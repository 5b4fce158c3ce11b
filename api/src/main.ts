import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { UnreadableEvent } from '../../contracts/events/schemas.js';
import { EventVersions } from '../../event-log/event-versions.js';
import { reportTo, runProcess, untilEventLogReady } from '../../event-log/startup.js';
import { AppModule } from './app.module.js';
import { configureHttp, httpAdapter } from './configure-http.js';
import type { HealthReport } from './features/health/readiness.js';
import { createLogger, NestLogger } from './http/logging.js';
import { Config } from './platform/config.js';
import { closeGently, stopOnSignals } from './stop-on-signals.js';

const logger = createLogger(process.env.LOG_LEVEL);
await runProcess(reportTo(logger), async () => {
  const config = new Config(process.env);
  await waitForEventLog(config);
  const creating = NestFactory.create<NestFastifyApplication>(AppModule, httpAdapter(config), {
    bodyParser: false,
    logger: new NestLogger(logger),
    // Otherwise Nest ends the process before the log line with the reason is written.
    abortOnError: false,
  });
  const app = await creating.catch((error: Error) => {
    if (!(error instanceof UnreadableEvent)) throw error;
    refuseAll(error, config);
  });
  if (app === undefined) return;
  configureHttp(app);
  const signals = stopOnSignals(app, logger);
  void app.get(EventVersions).unreadable.then(async (error) => {
    signals.ignore();
    await closeGently(app).catch((failure: Error) => logger.warn(`not closed cleanly: ${failure.message}`));
    refuseAll(error, config);
  });
  // A connection beyond the backlog is retried after a second. Node's default backlog is 511.
  await app.listen({ port: config.port, host: config.host, backlog: 4_096 });
  logger.info({ url: await app.getUrl() }, 'listening');
});

/** A node that is older than the log: it answers every request with 503 and the reason, until it is upgraded. */
function refuseAll({ message }: UnreadableEvent, { port, host }: Config): void {
  logger.fatal(message);
  respondUnavailable({ eventVersions: message }).listen(port, host);
}

/** Waits until the event store responds. Meanwhile every request gets 503 and a health report. */
async function waitForEventLog(config: Config): Promise<void> {
  let server: Server | undefined;
  await untilEventLogReady(config.eventStoreUrl, ({ message }) => {
    const log = () => logger.error(`${message}; trying again`);
    if (server) log();
    else server = respondUnavailable({ eventLog: 'failed' }).listen(config.port, config.host, log);
  });
  if (server === undefined) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** Answers with the one check that failed; the others were not made. */
function respondUnavailable(checks: Partial<HealthReport['checks']>): Server {
  const report = JSON.stringify({ status: 'unavailable', checks });
  return createServer((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(report);
  });
}
