import { EventStoreDBClient } from '@eventstore/db-client';
import grpcOperations from '@eventstore/db-client/generated/operations_grpc_pb.js';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import { HOUR_MS } from '../../contracts/durations.js';

type OperationsClient = InstanceType<typeof grpcOperations.OperationsClient>;

/** Private members of the client, which has no scavenge call. */
interface ClientInternals {
  getGRPCClient(type: typeof grpcOperations.OperationsClient, name: string): Promise<OperationsClient>;
  callArguments(options: { deadline: number }): [Metadata, CallOptions];
}

/** The embedded server responds when the scavenge is finished. */
const TIMEOUT_MS = HOUR_MS;

/** Starts a scavenge, on the embedded or a real server. Returns false when one is running already. */
export async function startScavenge(connectionString: string): Promise<boolean> {
  const client = EventStoreDBClient.connectionString(connectionString);
  const internals = client as unknown as ClientInternals;
  try {
    const caller = await internals.getGRPCClient(grpcOperations.OperationsClient, 'startScavenge');
    const options = new operations.StartScavengeReq.Options().setThreadCount(1).setStartFromChunk(0);
    const request = new operations.StartScavengeReq().setOptions(options);
    const response = await new Promise<operations.ScavengeResp>((resolve, reject) => {
      caller.startScavenge(request, ...internals.callArguments({ deadline: TIMEOUT_MS }), (error, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
    return response.getScavengeResult() === operations.ScavengeResp.ScavengeResult.STARTED;
  } finally {
    await client.dispose();
  }
}
