import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';

/** Supervisors usually kill after 10 s. */
const STOP_WITHIN_MS = 9_000;
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

/** Finishes what is in flight. A browser keeps its connection open after its last answer: that is not waited for. */
export async function closeGently(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const closingIdle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  try {
    await app.close();
  } finally {
    clearInterval(closingIdle);
  }
}
