import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { Readiness } from './health/readiness.js';

/** Supervisors usually kill after 10 s. */
const STOP_WITHIN_MS = 9_000;
/** Requests that are on the wire when the signal comes get in before the door closes. */
const LAST_CALL_MS = 300;
const CLOSE_IDLE_EVERY_MS = 50;

/** On TERM or INT: stop accepting, finish what is in flight, close the stores, exit. */
export function stopOnSignals(app: NestExpressApplication, logger: Logger): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('still busy; ending all the same');
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
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
}

/** Says so to the load balancer, lets in what is under way, finishes it, and closes. */
export async function closeGently(app: NestExpressApplication, lastCallMs = LAST_CALL_MS): Promise<void> {
  const server = app.getHttpServer() as Server;
  app.get(Readiness).stop();
  // Answered, a kept-alive connection ends: its next request belongs to another node.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
  await sleep(lastCallMs);
  // A browser keeps its connection open after its last answer; that is not waited for.
  const closingIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  try {
    await app.close();
  } finally {
    clearInterval(closingIdle);
  }
}
