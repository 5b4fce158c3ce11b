import { randomUUID } from 'node:crypto';
import { LOOPBACK } from '../shared/stand-in-process.js';
import { CommittedLog } from './log/committed-log.js';
import { proposeJson } from './log/event-frame.js';
import { LogWriter } from './log/log-writer.js';
import { FIRST_POSITION } from './log/postgres-runs.js';
import { type Authorize, listenForGrpc, type Route } from './wire/grpc-server.js';
import { routes } from './wire/routes.js';

export interface EventStoreOptions {
  /** A Postgres database of the event store's own; its tables are made when missing. */
  databaseUrl: string;
  /** 0, the default, takes a free port. */
  port?: number;
  /** Tests of our settings use it: TLS, and users with their rights. */
  secure?: { tls: { cert: Buffer; key: Buffer }; authorize(log: CommittedLog): Authorize };
  /** Changes the routes in tests, as `TestCluster` does. */
  reroute?(route: Route): Route;
  /**
   * Called when a commit failed or the database connection broke, so that the disk's state is unknown. All connections
   * are closed already, and the process should exit and be restarted. When absent, the error is only printed.
   */
  onFailure?(error: Error): void;
}

/** Writes the system events with which every new log of EventStoreDB begins: no reader may assume that the first event is its own. */
async function writeSystemEvents(writer: LogWriter): Promise<void> {
  const append = async (stream: string, type: string, json: string) => {
    await writer.write({ stream, expectation: 'any', events: [proposeJson(randomUUID(), type, json)] });
  };
  await append('$epoch-information', '$epoch-information', '{"epochNumber":0}');
  await append('$$$stats', '$metadata', '{"$maxAge":86400}');
}

const printFailure = (error: Error) => console.error('The event store stops:', error);

/** Starts an event store that the EventStoreDB client can use. Throws when another one uses the same database. */
export async function startEventStore(options: EventStoreOptions) {
  const { databaseUrl, port = 0, secure, reroute = (route) => route, onFailure = printFailure } = options;
  let server: Awaited<ReturnType<typeof listenForGrpc>> | undefined;
  let stopping = false;
  const fail = (error: Error) => {
    if (stopping) return;
    stopping = true;
    void server?.close();
    onFailure(error);
  };
  const log = await CommittedLog.open(databaseUrl, fail);
  const writer = new LogWriter(log, fail);
  const listening = await listenForGrpc(port, secure?.tls, reroute(routes(log, writer, secure?.authorize(log))));
  server = listening;
  if (log.head === FIRST_POSITION) await writeSystemEvents(writer);
  // The failure may have come before there was a server to close.
  if (stopping) await listening.close();
  return {
    connectionString: `esdb://${LOOPBACK}:${listening.port}?tls=${secure !== undefined}`,
    port: listening.port,
    async close() {
      stopping = true;
      await listening.close();
      await writer.idle();
      await log.close();
    },
  };
}
