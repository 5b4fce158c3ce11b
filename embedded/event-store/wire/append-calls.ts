import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Expectation } from '../core/expectation.js';
import { isMetadataStream } from '../core/stream.js';
import type { ProposedEvent } from '../log/event-frame.js';
import type { LogWriter } from '../log/log-writer.js';
import type { AccessControl } from './access-control.js';
import {
  appendResponse,
  appendTooLarge,
  deleteResponse,
  isAscii,
  refusalOf,
  wrongVersionResponse,
} from './append-answers.js';
import { type AppendOptions, assertWritable, decodeAppend, decodeWith, streamNameOf } from './append-requests.js';
import { type GrpcCall, MESSAGE_LIMIT_BYTES } from './grpc-call.js';
import { invalidArgument, unknownError } from './grpc-status.js';

/** The strictest default of real servers, so that an append that passes here passes everywhere. */
const APPEND_LIMIT_BYTES = 1024 * 1024;
/** Limits the memory of events without data, which have no size. */
const APPEND_LIMIT_EVENTS = 50_000;

/** The events of an append that have arrived. */
export class ReceivedEvents {
  readonly events: ProposedEvent[] = [];
  /** EventStoreDB counts the data only. */
  private sizeBytes = 0;

  /** Throws GrpcError when they exceed the limits of an append. */
  add(event: ProposedEvent): void {
    this.events.push(event);
    this.sizeBytes += event.data.length;
    if (this.sizeBytes > APPEND_LIMIT_BYTES) throw appendTooLarge(APPEND_LIMIT_BYTES);
    if (this.events.length > APPEND_LIMIT_EVENTS) throw tooManyEvents();
  }
}

const tooManyEvents = () => invalidArgument(`An append may have ${APPEND_LIMIT_EVENTS} events.`);

/** Serves Append: one append, each of its events in a message of its own. */
export async function serveAppend(call: GrpcCall, writer: LogWriter, access: AccessControl): Promise<void> {
  const user = access.authenticate(call);
  const received = new ReceivedEvents();
  let options: AppendOptions | undefined;
  let bytes = 0;
  try {
    await call.receive((message) => {
      const decoded = decodeAppend(message);
      options ??= decoded.options;
      if (decoded.event === undefined) return;
      call.budget.take(message.length);
      bytes += message.length;
      received.add(decoded.event);
      if (bytes > MESSAGE_LIMIT_BYTES) throw tooManyEvents();
    });
    if (call.gone.aborted) return;
    if (options === undefined) throw invalidArgument('The first message of an append must hold its options.');
    const { stream, expectation } = options;
    assertWritable(stream);
    await access.require(user, 'write', stream);
    const { events } = received;
    const { deadlineMs } = call;
    const outcome = await writer.write({ kind: 'append', stream, expectation, events, bytes, deadlineMs });
    if (outcome.kind === 'done') await call.send(appendResponse(outcome));
    else if (outcome.kind === 'wrong-expected-version') await call.send(wrongVersionResponse(outcome, expectation));
    else throw refusalOf(outcome, options);
  } finally {
    call.budget.take(-bytes);
  }
}

/** Serves Delete and Tombstone, whose messages have the same fields. */
export async function serveDelete(
  call: GrpcCall,
  kind: 'soft-delete' | 'tombstone',
  writer: LogWriter,
  access: AccessControl,
): Promise<void> {
  const user = access.authenticate(call);
  const options = decodeWith(streams.DeleteReq, await call.receiveOne()).getOptions();
  if (options === undefined) throw invalidArgument('A delete must name its stream.');
  const stream = streamNameOf(options.getStreamIdentifier());
  assertWritable(stream);
  if (isMetadataStream(stream)) throw invalidArgument('Metadata is not deleted; newer metadata takes its place.');
  let expectation: Expectation = 'any';
  if (options.hasRevision()) expectation = Number(options.getRevision());
  else if (options.hasNoStream()) expectation = 'no-stream';
  else if (options.hasStreamExists()) expectation = 'stream-exists';
  await access.require(user, 'delete', stream);
  const outcome = await writer.write({ kind, stream, expectation, bytes: 0, deadlineMs: call.deadlineMs });
  if (outcome.kind === 'done') await call.send(deleteResponse(outcome.position!));
  // A trailer holds ASCII only, so EventStoreDB itself fails when its refusal would name another stream.
  else if (outcome.kind === 'timeout' || isAscii(stream)) throw refusalOf(outcome, { stream, expectation });
  else throw unknownError('The server failed to name the stream in its refusal.');
}
