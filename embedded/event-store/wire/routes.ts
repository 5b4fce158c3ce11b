import { randomUUID } from 'node:crypto';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { EventLog } from '../log/event-log.js';
import type { LogWriter } from '../log/log-writer.js';
import type { AccessControl } from './access-control.js';
import { serveAppend, serveDelete } from './append-calls.js';
import { BatchAppendCall } from './batch-append-call.js';
import type { GrpcCall } from './grpc-call.js';
import type { CallHandler } from './grpc-server.js';
import { GrpcError, invalidArgument, Status } from './grpc-status.js';
import { frameMessage } from './message-framing.js';
import { serveRead } from './read-call.js';
import { ScavengeCalls } from './scavenge-call.js';

/** The version of the imitated server. */
const SERVER_VERSION = '24.6.0+embedded';
const TICKS_PER_MS = 10_000;
const DEFAULT_PORT = 2113;
const PREFIX = '/event_store.client.';

/** Services that this server does not have, each with the refusal's text. */
const UNSUPPORTED: Record<string, string> = {
  projections: 'The embedded event store has no projections.',
  persistent_subscriptions: 'The embedded event store has no persistent subscriptions.',
  operations: 'Of the operations, the embedded event store has only StartScavenge.',
  users: 'The users of the embedded event store are those it was started with.',
  monitoring: 'The embedded event store has no statistics.',
};

/** The nodes of a cluster that tests imitate with several links to one server: their ports, and which of them leads. */
export interface TestCluster {
  ports: number[];
  leaderPort: number;
}

/** Returns the handler of a gRPC method path, undefined for an unknown one. */
export function routes(
  log: EventLog,
  writer: LogWriter,
  access: AccessControl,
  cluster?: TestCluster,
): (path: string) => CallHandler | undefined {
  const scavenges = new ScavengeCalls(log, access);
  const handlers: Record<string, CallHandler> = {
    'streams.Streams/Read': (call) => serveRead(call, log, access),
    'streams.Streams/Append': (call) => serveAppend(call, writer, access),
    'streams.Streams/BatchAppend': async (call) =>
      new BatchAppendCall(call, writer, access, access.authenticate(call)).serve(),
    'streams.Streams/Delete': (call) => serveDelete(call, 'soft-delete', writer, access),
    'streams.Streams/Tombstone': (call) => serveDelete(call, 'tombstone', writer, access),
    'operations.Operations/StartScavenge': (call) => scavenges.serve(call),
    'gossip.Gossip/Read': (call) => serveGossip(call, cluster),
    'server_features.ServerFeatures/GetSupportedMethods': (call) => serveFeatures(call, Object.keys(handlers)),
  };
  return (path) => {
    if (!path.startsWith(PREFIX)) return undefined;
    const method = path.slice(PREFIX.length);
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : refusal(method);
    if (cluster === undefined || handler === undefined) return handler;
    return async (call) => {
      refuseUnlessLeader(call, cluster);
      await handler(call);
    };
  };
}

function refusal(method: string): CallHandler | undefined {
  const text = UNSUPPORTED[method.split('.')[0]!];
  if (text === undefined) return undefined;
  return async () => {
    throw new GrpcError(Status.UNIMPLEMENTED, text);
  };
}

/** @param methods the served methods, as `service/Method` */
export async function serveFeatures(call: GrpcCall, methods: readonly string[]): Promise<void> {
  await call.receiveOne();
  const supported = methods.map((path) => {
    const [service, method] = path.split('/');
    const name = `event_store.client.${service}`;
    return new features.SupportedMethod().setServiceName(name).setMethodName(method!.toLowerCase());
  });
  const answer = new features.SupportedMethods().setEventStoreServerVersion(SERVER_VERSION).setMethodsList(supported);
  await call.send(frameMessage(answer.serializeBinary()));
}

/** Answers with a cluster of one, under the address that the client dialled, or with the test's cluster. */
async function serveGossip(call: GrpcCall, cluster: TestCluster | undefined): Promise<void> {
  await call.receiveOne();
  const { hostname, port } = addressOf(call);
  const { ports, leaderPort } = cluster ?? { ports: [port], leaderPort: port };
  const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
  const members = ports.map((memberPort) =>
    new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(randomUUID()))
      .setTimeStamp(String(Date.now() * TICKS_PER_MS))
      .setIsAlive(true)
      .setState(memberPort === leaderPort ? LEADER : FOLLOWER)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(hostname).setPort(memberPort)),
  );
  await call.send(frameMessage(new gossip.ClusterInfo().setMembersList(members).serializeBinary()));
}

/** Refuses a call that needs the leader but reached another node of the test's cluster. The refusal names the leader. */
function refuseUnlessLeader(call: GrpcCall, { leaderPort }: TestCluster): void {
  if (!call.requiresLeader) return;
  const { hostname, port } = addressOf(call);
  if (port === leaderPort) return;
  throw new GrpcError(Status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': hostname,
    'leader-endpoint-port': String(leaderPort),
  });
}

/** Returns the address that the client dialled. */
function addressOf({ authority }: GrpcCall): { hostname: string; port: number } {
  if (!URL.canParse(`http://${authority}`)) throw invalidArgument('The authority of the call is no address.');
  const { hostname, port } = new URL(`http://${authority}`);
  return { hostname, port: port === '' ? DEFAULT_PORT : Number(port) };
}
