import { setFlagsFromString } from 'node:v8';
import pRetry, { type RetryContext } from 'p-retry';
import { EventLog } from './event-log.js';
import { secretRedactor } from './secrets.js';
import { InvalidSetting } from './settings.js';

/** SQLSTATE classes of a wrong user or password, and of a missing database. */
const DATABASE_REFUSAL = /^(28|3D)[0-9A-Z]{3}$/;

/** Resolves when the event store responds and the settings fit it. Throws InvalidSetting when waiting cannot help. */
export async function untilEventLogReady(connectionString: string, onWaiting: (error: Error) => void): Promise<void> {
  const log = new EventLog(connectionString, { patienceMs: Number.POSITIVE_INFINITY, onWaiting });
  await log.checkConnection().finally(() => log.close());
}

/** Repeats the work every half second for as long as a store is unavailable. `warn` gets each error after which it is repeated. */
export const whenReachable = <T>(
  work: () => Promise<T>,
  shouldRetry: (error: unknown) => boolean,
  warn: (error: Error) => void,
  signal?: AbortSignal,
): Promise<T> => {
  const decide = ({ error }: RetryContext) => {
    if (shouldRetry(error)) warn(error);
    return shouldRetry(error);
  };
  return pRetry(work, { retries: Number.POSITIVE_INFINITY, factor: 1, minTimeout: 500, shouldRetry: decide, signal });
};

/** V8's pretenuring kept read events until a full collection: one start in ten was slower by a third. */
export const disablePretenuring = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

/** One thread for young objects: on two cores several cost the auditor a tenth of its speed, the tables 4 %. */
export const disableParallelScavenge = (): void => setFlagsFromString('--no-parallel-scavenge');

/** Reports any uncaught error and exits with code 1. Node itself would print its fields, which may hold a secret. */
export async function runProcess(report: (error: Error) => void, main: () => Promise<void>): Promise<void> {
  const end = (error: unknown): void => {
    report(error instanceof Error ? error : new Error(String(error)));
    process.exit(1);
  };
  disablePretenuring();
  process.on('uncaughtException', end).on('unhandledRejection', end);
  await main().catch(end);
}

/** Like runProcess, for a command that reports its failure as one line on stderr. */
export const runCommand = (main: () => Promise<void>): Promise<void> => {
  const redact = secretRedactor(process.env);
  return runProcess(({ message }) => process.stderr.write(`${redact(message)}\n`), main);
};

/** Logs the error that ends a process: a wrong setting as one sentence, anything else with its stack. */
export const reportTo =
  (logger: { fatal(message: string): void; fatal(fields: object, message: string): void }) =>
  (error: Error & { code?: unknown }): void => {
    if (error instanceof InvalidSetting) logger.fatal(error.message);
    else if (DATABASE_REFUSAL.test(String(error.code))) logger.fatal(`DATABASE_URL is refused: ${error.message}.`);
    else logger.fatal({ err: error }, error.message);
  };
