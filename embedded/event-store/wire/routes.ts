import type { EventLog } from '../log/event-log.js';
import type { LogWriter } from '../log/log-writer.js';
import type { AccessControl } from './access-control.js';
import { serveAppend } from './append-calls.js';
import { BatchAppendCall } from './batch-append-call.js';
import { serveGossip, serveServerFeatures } from './cluster-calls.js';
import { serveDelete } from './delete-calls.js';
import type { CallHandler } from './grpc-server.js';
import { GrpcError, Status } from './grpc-status.js';
import { serveRead } from './read-call.js';

const STREAMS = '/event_store.client.streams.Streams';

/** What this server knows of and does not do, in words for whoever calls it. */
const NOT_DONE: readonly (readonly [prefix: string, sentence: string])[] = [
  ['/event_store.client.projections.', 'The embedded event store has no projections.'],
  ['/event_store.client.persistent_subscriptions.', 'The embedded event store has no persistent subscriptions.'],
  ['/event_store.client.operations.', 'The embedded event store has no scavenge and no other operations.'],
  ['/event_store.client.users.', 'The users of the embedded event store are those it was started with.'],
  ['/event_store.client.monitoring.', 'The embedded event store has no statistics.'],
];

/** Finds who serves a method. */
export function routes(
  log: EventLog,
  writer: LogWriter,
  access: AccessControl,
): (path: string) => CallHandler | undefined {
  const handlers = new Map<string, CallHandler>([
    [`${STREAMS}/Read`, (call) => serveRead(call, log, access)],
    [`${STREAMS}/Append`, (call) => serveAppend(call, writer, access)],
    [
      `${STREAMS}/BatchAppend`,
      async (call) => new BatchAppendCall(call, writer, access, access.authenticate(call)).serve(),
    ],
    [`${STREAMS}/Delete`, (call) => serveDelete(call, 'soft-delete', writer, access)],
    [`${STREAMS}/Tombstone`, (call) => serveDelete(call, 'tombstone', writer, access)],
    ['/event_store.client.gossip.Gossip/Read', serveGossip],
    ['/event_store.client.server_features.ServerFeatures/GetSupportedMethods', serveServerFeatures],
  ]);
  return (path) => handlers.get(path) ?? refusal(path);
}

function refusal(path: string): CallHandler | undefined {
  const found = NOT_DONE.find(([prefix]) => path.startsWith(prefix));
  if (found === undefined) return undefined;
  return async () => {
    throw new GrpcError(Status.UNIMPLEMENTED, found[1]);
  };
}
