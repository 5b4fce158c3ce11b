import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { AccessDeniedError, type EventStoreDBClient } from '@eventstore/db-client';
import { LogUnavailable } from './event-log.types.js';
import { InvalidSetting } from './settings.js';

const HANDSHAKE_TIMEOUT_MS = 2_000;
/** gRPC's status for a wrong login; a missing right is PERMISSION_DENIED. */
const UNAUTHENTICATED = 16;
/** The user, the hosts and the options of a connection string, as the client divides it. */
const CONNECTION_STRING = /\/\/(?:([^:]+):[^@]+@)?([^?/]*)\/?\??(.*)/;

/** Opens a client. Throws InvalidSetting; the client's own errors would show the connection string with its password. */
export function openClient(connectionString: string, open: (connectionString: string) => EventStoreDBClient) {
  try {
    return open(connectionString);
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException;
    if (message.startsWith('Failed to load certificate') || /ENOENT|EACCES|EISDIR/.test(code)) {
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

/** Reads one event of `$all`, and to the end: the client's dispose() would wait for a half-read call for ever. */
export async function readFirstEvent(client: EventStoreDBClient): Promise<void> {
  for await (const _ of client.readAll({ maxCount: 1 }));
}

/** Returns why that read failed: InvalidSetting for login, right or TLS, otherwise LogUnavailable. */
export async function explainFailure(error: Error, connectionString: string): Promise<Error> {
  if (error instanceof AccessDeniedError) return new InvalidSetting(accessProblem(connectionString, error));
  const tlsProblem = await findTlsProblem(connectionString);
  if (tlsProblem !== undefined) return new InvalidSetting(tlsProblem);
  return new LogUnavailable(`the event store does not respond: ${error.message}`, { cause: error });
}

function accessProblem(connectionString: string, { code }: { code?: unknown }): string {
  const [, user] = CONNECTION_STRING.exec(connectionString) ?? [];
  if (user === undefined) return 'The event store requires a user; EVENT_STORE_URL names none.';
  if (code === UNAUTHENTICATED) return 'The event store refuses the user or the password in EVENT_STORE_URL.';
  return 'The user in EVENT_STORE_URL may not read $all; docs/operations.md says how to give this right.';
}

/** Tries a TLS handshake with each server of the connection string. Undefined when TLS is not the problem. */
async function findTlsProblem(connectionString: string): Promise<string | undefined> {
  const [, , hosts = '', options = ''] = CONNECTION_STRING.exec(connectionString) ?? [];
  const usesTls = !/tls=false/i.test(options);
  const [, caFile] = /tlsCAFile=([^&\s]+)/i.exec(options) ?? [];
  const ca = usesTls && caFile ? readFileSync(decodeURIComponent(caFile)) : undefined;
  for (const address of hosts.split(',')) {
    const [host = '', port = '2113'] = address.split(':');
    // The client verifies certificates also with tlsVerifyCert=false.
    const outcome = await handshake({ host, port: Number(port), rejectUnauthorized: usesTls, ca });
    if (!usesTls && outcome === 'ok') return 'The event store requires TLS, but EVENT_STORE_URL has tls=false.';
    if (!usesTls) continue;
    if (/ERR_SSL_|EPROTO/.test(outcome)) {
      return 'The event store has no TLS; EVENT_STORE_URL needs tls=false to use it without.';
    }
    if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(outcome)) {
      return `The event store’s certificate is not trusted (${outcome}); name its authority by tlsCAFile in EVENT_STORE_URL.`;
    }
  }
  return undefined;
}

function handshake(options: ConnectionOptions & { host: string }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ ...options, servername: isIP(options.host) ? '' : options.host });
    const end = (outcome: string) => {
      resolve(outcome);
      socket.destroy();
    };
    socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => end('timeout'));
    socket.once('secureConnect', () => end('ok'));
    socket.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => end(code));
  });
}
