import { randomUUID } from 'node:crypto';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { status } from '@grpc/grpc-js';
import { frameMessage } from '../log/event-frame.js';
import { decodeAppend, refusalFrame } from '../wire/append.js';
import { type CallHandler, type GrpcCall, GrpcError } from '../wire/grpc-server.js';
import type { Link } from './link.js';

/** A real server that is stopped in good order keeps its open calls for this long. */
const STOPPING_MS = 5_000;
const TICKS_PER_MS = 10_000;

/** How a stopping node treats appends on its open calls. A real one was seen to do both. */
type OpenAppends = 'are refused' | 'get no response';

/** The nodes of a cluster that tests imitate with several links to one server. */
export class TestCluster {
  ports: number[] = [];
  /** The node that the others take for the leader; 0 while there is none. */
  leaderPort = 0;
  private readonly stopping = new Map<number, OpenAppends>();
  private readonly calls = new Set<{ port: number; stream: ServerHttp2Stream }>();

  /** Makes one server answer as the nodes: those that do not lead refuse calls for the leader, and name it. */
  readonly reroute =
    (route: (path: string) => CallHandler | undefined) =>
    (path: string): CallHandler =>
    async (call) => {
      const { hostname, port: dialled } = new URL(`http://${call.headers[':authority']}`);
      const port = Number(dialled);
      if (path.endsWith('gossip.Gossip/Read')) return this.serveGossip(call, hostname);
      if (call.headers['requires-leader'] === 'true' && port !== this.leaderPort)
        throw new GrpcError(status.NOT_FOUND, 'Leader info available', {
          exception: 'not-leader',
          'leader-endpoint-host': hostname,
          'leader-endpoint-port': String(this.leaderPort),
        });
      const { stream } = call as unknown as { stream: ServerHttp2Stream };
      const open = { port, stream };
      this.calls.add(open);
      this.silenceWhenStopping(call, port);
      await route(path)?.(call);
      this.calls.delete(open);
    };

  /**
   * Stops a node in good order, as TERM does a real one: at once it no longer leads and takes no new calls; its open calls are
   * silent for 5 s, and end with RST_STREAM and code 0.
   */
  async stop(node: Link, openAppends: OpenAppends): Promise<void> {
    this.stopping.set(node.port, openAppends);
    node.close();
    const open = [...this.calls].filter(({ port }) => port === node.port);
    for (const { stream } of open) stream.session?.goaway(constants.NGHTTP2_NO_ERROR);
    await sleep(STOPPING_MS);
    for (const { stream } of open) stream.close(constants.NGHTTP2_NO_ERROR);
    await node.kill();
    this.stopping.delete(node.port);
  }

  private async serveGossip(call: GrpcCall, hostname: string): Promise<void> {
    await call.receiveOne();
    const { LEADER, FOLLOWER, SHUTTINGDOWN } = gossip.MemberInfo.VNodeState;
    const members = this.ports.map((port) => {
      const state = port === this.leaderPort ? LEADER : FOLLOWER;
      return new gossip.MemberInfo()
        .setInstanceId(new shared.UUID().setString(randomUUID()))
        .setTimeStamp(String(Date.now() * TICKS_PER_MS))
        .setIsAlive(true)
        .setState(this.stopping.has(port) ? SHUTTINGDOWN : state)
        .setHttpEndPoint(new gossip.EndPoint().setAddress(hostname).setPort(port));
    });
    await call.send(frameMessage(new gossip.ClusterInfo().setMembersList(members).serializeBinary()));
  }

  private silenceWhenStopping(call: GrpcCall, port: number): void {
    const { stopping } = this;
    const [send, messages] = [call.send.bind(call), call.messages.bind(call)];
    call.send = (frames) => (stopping.has(port) ? undefined : send(frames));
    call.messages = async function* () {
      for await (const message of messages()) {
        if (!stopping.has(port)) yield message;
        else if (stopping.get(port) === 'are refused') void send(refusalOf(message));
      }
    };
  }
}

/** The response of a server that does not lead to an append. */
function refusalOf(append: Buffer): Buffer {
  const details = { type: 'google.protobuf.Empty', message: new shared.Empty() };
  return refusalFrame(decodeAppend(append), new GrpcError(status.UNKNOWN, 'Server Is Not Ready', {}, details));
}
