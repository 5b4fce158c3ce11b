import { EventLog } from './log/event-log.js';
import { LogWriter } from './log/log-writer.js';
import { AccessControl, type UserAccounts } from './wire/access-control.js';
import { GrpcServer, type TlsFiles } from './wire/grpc-server.js';
import { routes } from './wire/routes.js';

export interface EventStoreOptions {
  /** A Postgres database of the event store's own; its tables are made when missing. */
  databaseUrl: string;
  /** 127.0.0.1 when absent. */
  host?: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** With TLS come users: every call must then say who it is from, and ACLs hold. */
  secure?: { tls: TlsFiles; users: UserAccounts };
  /**
   * A commit failed or the database connection broke, so nobody knows what is on the disk. All connections are broken
   * off already; a process of its own should exit and be started anew. When absent the error is only printed.
   */
  onFailure?(error: Error): void;
}

export interface RunningEventStore {
  connectionString: string;
  port: number;
  close(): Promise<void>;
}

/** Starts an event store that the EventStoreDB client can use; refuses when another one uses the same database. */
export async function startEventStore(options: EventStoreOptions): Promise<RunningEventStore> {
  const { databaseUrl, host = '127.0.0.1', port = 0, secure } = options;
  let server: GrpcServer | undefined;
  let stopping = false;
  const fail = (error: Error) => {
    if (stopping) return;
    stopping = true;
    server?.destroy();
    if (options.onFailure === undefined) console.error('The event store stops:', error);
    else options.onFailure(error);
  };
  const log = await EventLog.open(databaseUrl, fail);
  const writer = new LogWriter(log, fail);
  const access = new AccessControl(log, secure?.users);
  try {
    server = await GrpcServer.listen(host, port, secure?.tls, routes(log, writer, access));
  } catch (error) {
    await log.close();
    throw error;
  }
  const listening = server;
  // It may have failed before there was a server to break off.
  if (stopping) listening.destroy();
  return {
    connectionString: `esdb://${host}:${listening.port}?tls=${secure !== undefined}`,
    port: listening.port,
    async close() {
      stopping = true;
      await listening.close();
      await writer.idle();
      await log.close();
    },
  };
}
