import { randomUUID } from 'node:crypto';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import { status } from '@grpc/grpc-js';
import type { CommittedLog } from '../log/committed-log.js';
import { frameMessage } from '../log/event-frame.js';
import type { LogWriter } from '../log/log-writer.js';
import type { AccessControl } from './access-control.js';
import { refuseDelete, serveBatchAppend, serveTombstone } from './append.js';
import { type CallHandler, type GrpcCall, GrpcError } from './grpc-server.js';
import { serveRead } from './read.js';

/** The version of the imitated server. */
const SERVER_VERSION = '24.6.0+embedded';
const TICKS_PER_MS = 10_000;
const PREFIX = '/event_store.client.';

/** The nodes of a cluster that tests imitate with several links to one server: their ports, and which of them leads. */
export interface TestCluster {
  ports: number[];
  leaderPort: number;
}

/** Returns the handler of a gRPC method path, undefined for an unknown one. */
export function routes(
  log: CommittedLog,
  writer: LogWriter,
  access: AccessControl,
  cluster?: TestCluster,
): (path: string) => CallHandler | undefined {
  const handlers: Record<string, CallHandler> = {
    'streams.Streams/Read': (call) => serveRead(call, log, access),
    'streams.Streams/BatchAppend': (call) => serveBatchAppend(call, writer, access),
    'streams.Streams/Tombstone': (call) => serveTombstone(call, writer, access),
    'streams.Streams/Delete': (call) => refuseDelete(call, access),
    'operations.Operations/StartScavenge': (call) => serveScavenge(call, log, access),
    'gossip.Gossip/Read': (call) => serveGossip(call, cluster),
    'server_features.ServerFeatures/GetSupportedMethods': (call) => serveFeatures(call, Object.keys(handlers)),
  };
  return (path) => {
    const handler = handlers[path.slice(PREFIX.length)];
    if (cluster === undefined || handler === undefined) return handler;
    return async (call) => {
      refuseUnlessLeader(call, cluster);
      await handler(call);
    };
  };
}

/** Serves StartScavenge. Unlike a real server, which scavenges in the background, it answers at the end. */
async function serveScavenge(call: GrpcCall, log: CommittedLog, access: AccessControl): Promise<void> {
  await access.require(access.userOf(call), 'delete', '$all');
  await call.receiveOne();
  await log.rewriteFiles();
  const { STARTED } = operations.ScavengeResp.ScavengeResult;
  const answer = new operations.ScavengeResp().setScavengeId(randomUUID()).setScavengeResult(STARTED);
  await call.send(frameMessage(answer.serializeBinary()));
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
  throw new GrpcError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': hostname,
    'leader-endpoint-port': String(leaderPort),
  });
}

/** Returns the address that the client dialled. */
function addressOf({ authority }: GrpcCall): { hostname: string; port: number } {
  const { hostname, port } = new URL(`http://${authority}`);
  return { hostname, port: Number(port) };
}
