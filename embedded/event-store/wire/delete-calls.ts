import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Expectation } from '../core/expectation.js';
import { isMetadataStream } from '../core/stream-state.js';
import type { LogWriter, Outcome } from '../log/log-writer.js';
import type { AccessControl } from './access-control.js';
import { deleteResponse, streamDeletedError, wrongExpectedVersionError } from './append-answers.js';
import { decodeWith } from './generated-messages.js';
import type { GrpcCall } from './grpc-call.js';
import { GrpcError, invalidArgument, Status } from './grpc-status.js';
import { readableStreamName, refuseStreamName } from './stream-names.js';

/** Delete and Tombstone, whose messages have the same fields. */
export async function serveDelete(
  call: GrpcCall,
  kind: 'soft-delete' | 'tombstone',
  writer: LogWriter,
  access: AccessControl,
): Promise<void> {
  const user = access.authenticate(call);
  const options = decodeWith(streams.DeleteReq, await call.receiveOne()).getOptions();
  if (options === undefined) throw invalidArgument('A delete must name its stream.');
  const stream = readableStreamName(options.getStreamIdentifier());
  const refusal = refuseStreamName(stream);
  if (refusal !== undefined) throw invalidArgument(refusal);
  if (isMetadataStream(stream)) throw invalidArgument('Metadata is not deleted; newer metadata takes its place.');
  const expectation = expectationOf(options);
  await access.require(user, 'delete', stream);
  const { deadlineMs } = call;
  const outcome = await new Promise<Outcome>((settle) => {
    writer.submit({ kind, stream, expectation, bytes: 0, deadlineMs, settle });
  });
  switch (outcome.kind) {
    case 'done':
      return void (await call.send(deleteResponse(outcome.position!)));
    case 'wrong-expected-version':
      throw wrongExpectedVersionError({ stream, expectation }, outcome.currentRevision);
    case 'stream-deleted':
      throw streamDeletedError(stream);
    case 'timeout':
      throw new GrpcError(Status.DEADLINE_EXCEEDED, 'The deadline passed before the delete was begun.');
  }
}

function expectationOf(options: InstanceType<typeof streams.DeleteReq.Options>): Expectation {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  return 'any';
}
