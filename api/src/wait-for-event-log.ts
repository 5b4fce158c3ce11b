import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Logger } from 'pino';
import { untilEventLogReady } from '../../event-log/startup.js';
import type { HealthReport } from './health/readiness.js';
import type { Config } from './platform/config.js';

/** Waits until the event store responds. Meanwhile every request gets 503 and a health report. */
export async function waitForEventLog(config: Config, logger: Logger): Promise<void> {
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
