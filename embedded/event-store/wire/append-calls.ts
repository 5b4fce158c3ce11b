import type { LogWriter, Outcome } from '../log/log-writer.js';
import { type ProposedEvent, sizeOf } from '../log/proposed-event.js';
import type { AccessControl } from './access-control.js';
import {
  appendResponse,
  appendTooLargeError,
  missingMetadataError,
  streamDeletedError,
  wrongVersionResponse,
} from './append-answers.js';
import { type AppendOptions, decodeAppend, RefusedEventError } from './append-messages.js';
import type { GrpcCall } from './grpc-call.js';
import { MESSAGE_LIMIT_BYTES } from './grpc-server.js';
import { GrpcError, invalidArgument, Status } from './grpc-status.js';
import { refuseStreamName } from './stream-names.js';

/** The strictest server default, so that what passes here passes everywhere. */
export const APPEND_LIMIT_BYTES = 1024 * 1024;
/** Events without data have no size, but take room all the same. */
export const APPEND_LIMIT_EVENTS = 50_000;
export const TOO_MANY_EVENTS = `An append may have ${APPEND_LIMIT_EVENTS} events.`;

/** Append: one append, its events in messages of their own. */
export async function serveAppend(call: GrpcCall, writer: LogWriter, access: AccessControl): Promise<void> {
  const user = access.authenticate(call);
  let options: AppendOptions | undefined;
  const events: ProposedEvent[] = [];
  let size = 0;
  let bytes = 0;
  await call.receive((message) => {
    const decoded = decodeAppendMessage(message);
    options ??= decoded.options;
    if (decoded.event === undefined) return;
    size += sizeOf(decoded.event);
    bytes += message.length;
    if (size > APPEND_LIMIT_BYTES) throw appendTooLargeError(APPEND_LIMIT_BYTES);
    events.push(decoded.event);
    if (bytes > MESSAGE_LIMIT_BYTES || events.length > APPEND_LIMIT_EVENTS) throw invalidArgument(TOO_MANY_EVENTS);
  });
  if (call.gone.aborted) return;
  if (options === undefined) throw invalidArgument('The first message of an append must hold its options.');
  const { stream, expectation } = options;
  const refusal = refuseStreamName(stream);
  if (refusal !== undefined) throw invalidArgument(refusal);
  await access.require(user, 'write', stream);
  const { deadlineMs } = call;
  const outcome = await new Promise<Outcome>((settle) => {
    writer.submit({ kind: 'append', stream, expectation, events, bytes, deadlineMs, settle });
  });
  switch (outcome.kind) {
    case 'done':
      return void (await call.send(appendResponse(outcome)));
    case 'wrong-expected-version':
      return void (await call.send(wrongVersionResponse({ stream, expectation }, outcome.currentRevision)));
    case 'stream-deleted':
      throw streamDeletedError(stream);
    case 'timeout':
      throw new GrpcError(Status.DEADLINE_EXCEEDED, 'The deadline passed before the append was begun.');
  }
}

function decodeAppendMessage(message: Buffer) {
  try {
    return decodeAppend(message);
  } catch (error) {
    if (!(error instanceof RefusedEventError)) throw error;
    throw error.lacksMetadata ? missingMetadataError(error.message) : invalidArgument(error.message);
  }
}
