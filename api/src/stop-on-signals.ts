import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { Logger } from 'pino';
import { Readiness } from './features/health/readiness.js';

/** Supervisors usually kill a process after 10 s. */
const STOP_TIMEOUT_MS = 9_000;
/** Requests already on the network when the signal arrives are still accepted. */
const GRACE_MS = 300;
const CLOSE_IDLE_EVERY_MS = 50;

/** On SIGTERM or SIGINT: finishes the requests in flight, closes the stores and exits. After `ignore` a signal ends the process at once. */
export function stopOnSignals(app: INestApplication, logger: Logger): { ignore(): void } {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('the api did not stop in time; exiting');
      process.exit(1);
    }, STOP_TIMEOUT_MS).unref();
    closeGently(app).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return { ignore: () => process.off('SIGTERM', stop).off('SIGINT', stop) };
}

/** Reports `stopping` to the load balancer, finishes the requests in flight and closes. */
export async function closeGently(app: INestApplication, graceMs = GRACE_MS): Promise<void> {
  const server = app.getHttpServer() as Server;
  app.get(Readiness).stop();
  // Ends kept-alive connections after their response: the next request goes to another node.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
  await sleep(graceMs);
  // Browsers keep idle connections open, which would delay the close.
  const closingIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  try {
    await app.close();
  } finally {
    clearInterval(closingIdle);
  }
}
