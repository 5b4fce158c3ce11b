import { setTimeout as sleep } from 'node:timers/promises';
import { AccessDeniedError, BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import { LogUnavailable } from './event-log.types.js';
import { InvalidSetting } from './settings.js';

const CHECK_TIMEOUT_MS = 5_000;
/** gRPC's status for a wrong login; a missing right is PERMISSION_DENIED. */
const UNAUTHENTICATED = 16;

/** Opens a client. Throws InvalidSetting; the client's own errors would show the connection string with its password. */
export function openClient(connectionString: string, open: (connectionString: string) => EventStoreDBClient) {
  try {
    return open(connectionString);
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    if (message.startsWith('Failed to load certificate') || /^(ENOENT|EACCES|EISDIR)$/.test(code)) {
      throw new InvalidSetting('EVENT_STORE_URL names a certificate file that cannot be read.');
    }
    if (code.startsWith('ERR_OSSL')) {
      throw new InvalidSetting('EVENT_STORE_URL names a certificate file that holds no valid certificate.');
    }
    throw new InvalidSetting(
      'EVENT_STORE_URL is not a valid connection string, such as esdb://user:password@host:2113.',
    );
  }
}

/**
 * Reads one event of `$all`. Throws InvalidSetting for a wrong login or a missing right; LogUnavailable when the server does
 * not respond, or has TLS and the client has not, or the other way round: the message says what the connection failed at.
 */
export async function checkConnection(client: EventStoreDBClient, connectionString: string): Promise<void> {
  const ending = new AbortController();
  try {
    await Promise.race([
      readLastEvent(client),
      sleep(CHECK_TIMEOUT_MS, undefined, { signal: ending.signal }).then(() => {
        throw new Error(`no response within ${CHECK_TIMEOUT_MS} ms`);
      }),
    ]);
  } catch (error) {
    if (error instanceof AccessDeniedError) throw new InvalidSetting(accessProblem(connectionString, error));
    throw new LogUnavailable(`the event store does not respond: ${(error as Error).message}`, { cause: error });
  } finally {
    ending.abort();
  }
}

async function readLastEvent(client: EventStoreDBClient): Promise<void> {
  // Read to the end, because the client's dispose() would wait for a half-read call for ever.
  for await (const _ of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
}

function accessProblem(connectionString: string, { code }: { code?: unknown }): string {
  if (!/^[^/]*\/\/[^/?]*@/.test(connectionString))
    return 'The event store requires a user; EVENT_STORE_URL names none.';
  if (code === UNAUTHENTICATED) return 'The event store refuses the user or the password in EVENT_STORE_URL.';
  return 'The user in EVENT_STORE_URL may not read $all; docs/operations.md says how to give this right.';
}
