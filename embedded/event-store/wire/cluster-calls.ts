import { randomUUID } from 'node:crypto';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { GrpcCall } from './grpc-call.js';
import { invalidArgument } from './grpc-status.js';
import { frameMessage } from './message-framing.js';

/** The server whose behaviour is imitated, and that it is an imitation. */
const SERVER_VERSION = '24.6.0+embedded';
const TICKS_PER_MS = 10_000;
const DEFAULT_PORT = 2113;

const instanceId = randomUUID();

const METHODS: readonly (readonly [service: string, method: string])[] = [
  ['event_store.client.streams.Streams', 'read'],
  ['event_store.client.streams.Streams', 'append'],
  ['event_store.client.streams.Streams', 'batchappend'],
  ['event_store.client.streams.Streams', 'delete'],
  ['event_store.client.streams.Streams', 'tombstone'],
  ['event_store.client.gossip.Gossip', 'read'],
  ['event_store.client.server_features.ServerFeatures', 'getsupportedmethods'],
];

export async function serveServerFeatures(call: GrpcCall): Promise<void> {
  await call.receiveOne();
  const methods = new features.SupportedMethods();
  methods.setEventStoreServerVersion(SERVER_VERSION);
  for (const [service, method] of METHODS) {
    const supported = new features.SupportedMethod();
    supported.setServiceName(service);
    supported.setMethodName(method);
    methods.addMethods(supported);
  }
  await call.send(frameMessage(methods.serializeBinary()));
}

/** A cluster of one: this server, under the address by which the client found it. */
export async function serveGossip(call: GrpcCall): Promise<void> {
  await call.receiveOne();
  if (!URL.canParse(`http://${call.authority}`)) throw invalidArgument('The authority of the call is no address.');
  const dialled = new URL(`http://${call.authority}`);
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress(dialled.hostname);
  endPoint.setPort(dialled.port === '' ? DEFAULT_PORT : Number(dialled.port));
  const id = new shared.UUID();
  id.setString(instanceId);
  const member = new gossip.MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp(String(Date.now() * TICKS_PER_MS));
  member.setState(gossip.MemberInfo.VNodeState.LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const cluster = new gossip.ClusterInfo();
  cluster.addMembers(member);
  await call.send(frameMessage(cluster.serializeBinary()));
}
