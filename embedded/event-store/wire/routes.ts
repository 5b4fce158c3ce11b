import { randomUUID } from 'node:crypto';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { CommittedLog } from '../log/committed-log.js';
import { frameMessage } from '../log/event-frame.js';
import type { LogWriter } from '../log/log-writer.js';
import type { AccessControl } from './access-control.js';
import { serveBatchAppend, serveTombstone } from './append.js';
import type { CallHandler, GrpcCall, Route } from './grpc-server.js';
import { serveRead } from './read.js';

const SERVER_VERSION = '24.10.0+embedded';
const TICKS_PER_MS = 10_000;
const PREFIX = '/event_store.client.';

export function routes(log: CommittedLog, writer: LogWriter, access: AccessControl): Route {
  const handlers: Record<string, CallHandler> = {
    'streams.Streams/Read': (call) => serveRead(call, log, access),
    'streams.Streams/BatchAppend': (call) => serveBatchAppend(call, writer, access),
    'streams.Streams/Tombstone': (call) => serveTombstone(call, writer, access),
    'operations.Operations/StartScavenge': (call) => serveScavenge(call, log, access),
    'gossip.Gossip/Read': (call) => serveGossip(call, [addressOf(call).port], addressOf(call).port),
    'server_features.ServerFeatures/GetSupportedMethods': (call) => serveFeatures(call, Object.keys(handlers)),
  };
  return (path) => handlers[path.slice(PREFIX.length)];
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

/** Answers with the nodes of a cluster on the host that the client dialled: the ports, and which of them leads or is stopping. */
export async function serveGossip(
  call: GrpcCall,
  ports: readonly number[],
  leaderPort: number,
  stopping?: ReadonlyMap<number, unknown>,
): Promise<void> {
  await call.receiveOne();
  const { hostname } = addressOf(call);
  const { LEADER, FOLLOWER, SHUTTINGDOWN } = gossip.MemberInfo.VNodeState;
  const stateOf = (port: number) => (port === leaderPort ? LEADER : FOLLOWER);
  const members = ports.map((memberPort) =>
    new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(randomUUID()))
      .setTimeStamp(String(Date.now() * TICKS_PER_MS))
      .setIsAlive(true)
      .setState(stopping?.has(memberPort) ? SHUTTINGDOWN : stateOf(memberPort))
      .setHttpEndPoint(new gossip.EndPoint().setAddress(hostname).setPort(memberPort)),
  );
  await call.send(frameMessage(new gossip.ClusterInfo().setMembersList(members).serializeBinary()));
}

export function addressOf({ authority }: GrpcCall): { hostname: string; port: number } {
  const { hostname, port } = new URL(`http://${authority}`);
  return { hostname, port: Number(port) };
}
