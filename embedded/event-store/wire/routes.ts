import { randomUUID } from 'node:crypto';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { CommittedLog } from '../log/committed-log.js';
import { frameMessage } from '../log/event-frame.js';
import type { LogWriter } from '../log/log-writer.js';
import { serveBatchAppend, serveTombstone } from './append.js';
import type { Authorize, CallHandler, GrpcCall, Route } from './grpc-server.js';
import { serveRead } from './read.js';

const SERVER_VERSION = '24.10.0+embedded';
const PREFIX = '/event_store.client.';

/** @param authorize everybody may do all when absent */
export function routes(log: CommittedLog, writer: LogWriter, authorize: Authorize = async () => undefined): Route {
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
