import { status } from '@grpc/grpc-js';
import { type CallHandler, GrpcError } from '../wire/grpc-server.js';
import { addressOf, serveGossip } from '../wire/routes.js';

/** The nodes of a cluster that tests imitate with several links to one server: their ports, and which of them leads. */
export interface TestCluster {
  ports: number[];
  leaderPort: number;
}

/** Makes one server answer as the nodes of a cluster: those that do not lead refuse calls for the leader, and name it. */
export const asCluster =
  (cluster: TestCluster) =>
  (route: (path: string) => CallHandler | undefined) =>
  (path: string): CallHandler | undefined => {
    if (path.endsWith('gossip.Gossip/Read')) return (call) => serveGossip(call, cluster.ports, cluster.leaderPort);
    const handler = route(path);
    return async (call) => {
      const { hostname, port } = addressOf(call);
      if (!call.requiresLeader || port === cluster.leaderPort) return handler?.(call);
      throw new GrpcError(status.NOT_FOUND, 'Leader info available', {
        exception: 'not-leader',
        'leader-endpoint-host': hostname,
        'leader-endpoint-port': String(cluster.leaderPort),
      });
    };
  };
