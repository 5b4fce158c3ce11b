import { randomUUID } from 'node:crypto';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { LOOPBACK } from '../shared/stand-in-process.js';
import { CommittedLog } from './log/committed-log.js';
import { frameMessage, proposeJson } from './log/event-frame.js';
import { LogWriter } from './log/log-writer.js';
import { FIRST_POSITION } from './log/postgres-runs.js';
import { serveBatchAppend, serveTombstone } from './wire/append.js';
import { type Authorize, type CallHandler, type GrpcCall, listenForGrpc, type Route } from './wire/grpc-server.js';
import { serveRead } from './wire/read.js';

export interface EventStoreOptions {
  /** A Postgres database of the event store's own; its tables are made when missing. */
  databaseUrl: string;
  port?: number;
  /** TLS, and users with their rights, for the tests of our settings. */
  secure?: { tls: { cert: Buffer; key: Buffer }; authorize(log: CommittedLog): Authorize };
  /** Changes the routes in tests, as `TestCluster` does. */
  reroute?(route: Route): Route;
  /** Called when a commit failed or the database connection broke, so that the disk's state is unknown: the process should exit. */
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

const SERVER_VERSION = '24.10.0+embedded';
const PREFIX = '/event_store.client.';

/** @param authorize allows everybody everything when absent */
function routes(log: CommittedLog, writer: LogWriter, authorize: Authorize = async () => undefined): Route {
  const handlers: Record<string, CallHandler> = {
    'streams.Streams/Read': (call) => serveRead(call, log, authorize),
    'streams.Streams/BatchAppend': (call) => serveBatchAppend(call, writer, authorize),
    'streams.Streams/Tombstone': (call) => serveTombstone(call, writer, authorize),
    'operations.Operations/StartScavenge': (call) => serveScavenge(call, log, authorize),
    'server_features.ServerFeatures/GetSupportedMethods': (call) => serveFeatures(call, Object.keys(handlers)),
  };
  return (path) => handlers[path.slice(PREFIX.length)];
}

/** Serves StartScavenge. Unlike a real server, which scavenges in the background, it answers at the end. */
async function serveScavenge(call: GrpcCall, log: CommittedLog, authorize: Authorize): Promise<void> {
  await authorize(call, 'delete', '$all');
  await call.receiveOne();
  await log.rewriteFiles();
  const { STARTED } = operations.ScavengeResp.ScavengeResult;
  const response = new operations.ScavengeResp().setScavengeId(randomUUID()).setScavengeResult(STARTED);
  await call.send(frameMessage(response.serializeBinary()));
}

/** @param methods the served methods, as `service/Method` */
export async function serveFeatures(call: GrpcCall, methods: readonly string[]): Promise<void> {
  await call.receiveOne();
  const supported = methods.map((path) => {
    const [service, method] = path.split('/');
    const name = `event_store.client.${service}`;
    return new features.SupportedMethod().setServiceName(name).setMethodName(method!.toLowerCase());
  });
  const response = new features.SupportedMethods().setEventStoreServerVersion(SERVER_VERSION).setMethodsList(supported);
  await call.send(frameMessage(response.serializeBinary()));
}
