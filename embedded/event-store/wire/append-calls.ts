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
import { type AppendOptions, decodeAppend } from './append-messages.js';
import { type GrpcCall, MESSAGE_LIMIT_BYTES } from './grpc-call.js';
import { GrpcError, invalidArgument, Status } from './grpc-status.js';
import { RefusedEventError } from './proposed-event-message.js';
import { refuseStreamName } from './stream-names.js';

/** The strictest server default, so that what passes here passes everywhere. */
export const APPEND_LIMIT_BYTES = 1024 * 1024;
/** Events without data have no size, but take room all the same. */
export const APPEND_LIMIT_EVENTS = 50_000;
export const TOO_MANY_EVENTS = `An append may have ${APPEND_LIMIT_EVENTS} events.`;

interface ReceivedAppend {
  options: AppendOptions | undefined;
  events: ProposedEvent[];
  /** As it counts against the limit. */
  size: number;
  /** What its messages keep in memory. */
  bytes: number;
}

/** Append: one append, its events in messages of their own. */
export async function serveAppend(call: GrpcCall, writer: LogWriter, access: AccessControl): Promise<void> {
  const user = access.authenticate(call);
  const received: ReceivedAppend = { options: undefined, events: [], size: 0, bytes: 0 };
  try {
    await call.receive((message) => collect(received, message, call));
    if (call.gone.aborted) return;
    const { options, events, bytes } = received;
    if (options === undefined) throw invalidArgument('The first message of an append must hold its options.');
    const { stream, expectation } = options;
    const refusal = refuseStreamName(stream);
    if (refusal !== undefined) throw invalidArgument(refusal);
    await access.require(user, 'write', stream);
    const { deadlineMs } = call;
    const outcome = await new Promise<Outcome>((settle) => {
      writer.submit({ kind: 'append', stream, expectation, events, bytes, deadlineMs, settle });
    });
    await call.send(responseOf(outcome, options));
  } finally {
    call.budget.giveBack(received.bytes);
  }
}

function collect(received: ReceivedAppend, message: Buffer, call: GrpcCall): void {
  const { options, event } = decodeAppendMessage(message);
  received.options ??= options;
  if (event === undefined) return;
  call.budget.take(message.length);
  received.bytes += message.length;
  received.size += sizeOf(event);
  received.events.push(event);
  if (received.size > APPEND_LIMIT_BYTES) throw appendTooLargeError(APPEND_LIMIT_BYTES);
  if (received.bytes > MESSAGE_LIMIT_BYTES || received.events.length > APPEND_LIMIT_EVENTS) {
    throw invalidArgument(TOO_MANY_EVENTS);
  }
}

/** @throws GrpcError for the outcomes that end the call with a status */
function responseOf(outcome: Outcome, { stream, expectation }: AppendOptions): Buffer {
  switch (outcome.kind) {
    case 'done':
      return appendResponse(outcome);
    case 'wrong-expected-version':
      return wrongVersionResponse({ stream, expectation }, outcome.currentRevision);
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
