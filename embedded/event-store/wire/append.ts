import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { NO_EVENTS } from '../log/committed-log.js';
import { frameMessage, type ProposedEvent } from '../log/event-frame.js';
import type { Expectation, LogWriter, Outcome, WriteRequest } from '../log/log-writer.js';
import { type Authorize, type GrpcCall, GrpcError, invalidArgument } from './grpc-server.js';

/** The strictest default of real servers, so that an append that passes here passes everywhere. They count the data only. */
const APPEND_LIMIT_BYTES = 1024 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface ArrivingAppend extends WriteRequest {
  correlationId: string;
  events: readonly ProposedEvent[];
  isFinal: boolean;
}

/** Serves BatchAppend: many appends over one call, distinguished by correlation ids. Each is one message, and is answered once. */
export async function serveBatchAppend(call: GrpcCall, writer: LogWriter, authorize: Authorize): Promise<void> {
  const responses = new Set<Promise<void>>();
  for await (const message of call.messages()) {
    const response = respondTo(decodeAppend(message), call, writer, authorize)
      .then((frame) => void call.send(frame))
      .catch((error: unknown) => call.finish(error))
      .finally(() => responses.delete(response));
    responses.add(response);
  }
  await Promise.all(responses);
}

async function respondTo(append: ArrivingAppend, call: GrpcCall, writer: LogWriter, authorize: Authorize) {
  try {
    assertValid(append);
    await authorize(call, 'write', append.stream);
    const outcome = await writer.write(append);
    if (outcome.kind === 'done') return successFrame(append, outcome);
    throw refusalOf(outcome, append);
  } catch (error) {
    if (error instanceof GrpcError) return refusalFrame(append, error);
    throw error;
  }
}

export async function serveTombstone(call: GrpcCall, writer: LogWriter, authorize: Authorize): Promise<void> {
  const options = streams.TombstoneReq.deserializeBinary(await call.receiveOne()).getOptions();
  const stream = streamNameOf(options);
  if (options === undefined || stream === '') throw invalidArgument('A tombstone needs a stream.');
  await authorize(call, 'delete', stream);
  if (!options.hasAny()) {
    throw new GrpcError(status.UNIMPLEMENTED, 'The embedded event store writes a tombstone at any revision only.');
  }
  const outcome = await writer.write({ stream, expectation: 'any', events: undefined });
  if (outcome.kind !== 'done') throw streamDeleted(stream);
  const text = String(outcome.position);
  const position = new streams.TombstoneResp.Position().setCommitPosition(text).setPreparePosition(text);
  await call.send(frameMessage(new streams.TombstoneResp().setPosition(position).serializeBinary()));
}

/** streams.proto and shared.proto, without what this server ignores. google-protobuf takes three times the time for an append. */
const AppendRequest = protobuf
  .parse(`
    syntax = "proto3";
    message Id { string text = 2; }
    message Empty {}
    message StreamIdentifier { bytes name = 3; }
    message Options {
      StreamIdentifier stream = 1;
      oneof expectation { uint64 revision = 2; Empty no_stream = 3; Empty any = 4; Empty stream_exists = 5; }
    }
    message Event { Id id = 1; map<string, string> metadata = 2; bytes custom_metadata = 3; bytes data = 4; }
    message AppendRequest { Id correlation_id = 1; Options options = 2; repeated Event events = 3; bool is_final = 4; }`)
  .root.lookupType('AppendRequest');

/** Of a field that was not sent, a decoded message has the default: null, or empty. */
interface DecodedAppend {
  correlationId: { text: string } | null;
  options: { stream: { name: Buffer } | null; expectation?: string; revision: number } | null;
  events: { id: { text: string } | null; metadata: Record<string, string>; customMetadata: Buffer; data: Buffer }[];
  isFinal: boolean;
}

export function decodeAppend(message: Buffer): ArrivingAppend {
  const { correlationId, options, events, isFinal } = AppendRequest.decode(message) as unknown as DecodedAppend;
  let expectation: Expectation = 'any';
  if (options?.expectation === 'revision') expectation = Number(options.revision);
  else if (options?.expectation === 'noStream') expectation = NO_EVENTS;
  const stream = options?.stream?.name.toString() ?? '';
  return { correlationId: correlationId?.text ?? '', stream, expectation, events: events.map(proposedEvent), isFinal };
}

const proposedEvent = ({ id, metadata, customMetadata, data }: DecodedAppend['events'][number]): ProposedEvent => ({
  id: id?.text.toLowerCase() ?? '',
  type: metadata.type ?? '',
  contentType: metadata['content-type'] ?? '',
  metadata: customMetadata,
  data,
});

/** Empty when the request names none. */
export const streamNameOf = (
  options: { getStreamIdentifier(): shared.StreamIdentifier | undefined } | undefined,
): string => Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

/** Throws GrpcError for an append that EventStoreDB refuses. */
function assertValid({ stream, events, isFinal }: ArrivingAppend): void {
  // The client splits appends above three megabytes only.
  if (!isFinal) throw invalidArgument('An append must be one message.');
  if (stream === '' || stream === '$all') throw invalidArgument('An append needs a stream.');
  if (events.length === 0) throw invalidArgument('An append needs an event.');
  if (events.some(({ type }) => type === '')) throw invalidArgument('An event needs a type.');
  if (!events.every(({ id }) => UUID.test(id))) throw invalidArgument("An event's id must be a UUID.");
  const bytes = events.reduce((sum, { data }) => sum + data.length, 0);
  if (bytes <= APPEND_LIMIT_BYTES) return;
  throw new GrpcError(
    status.INVALID_ARGUMENT,
    `An append may have ${APPEND_LIMIT_BYTES} bytes.`,
    {},
    {
      type: 'event_store.client.MaximumAppendSizeExceeded',
      message: new shared.MaximumAppendSizeExceeded().setMaxappendsize(APPEND_LIMIT_BYTES),
    },
  );
}

/** The refusal has trailers for a call of its own, and details for BatchAppend. */
export function streamDeleted(stream: string): GrpcError {
  const trailers = { exception: 'stream-deleted', 'stream-name': encodeURI(stream) };
  const details = { type: 'event_store.client.StreamDeleted', message: new shared.StreamDeleted() };
  return new GrpcError(status.FAILED_PRECONDITION, `The stream ${stream} is deleted.`, trailers, details);
}

function refusalOf(outcome: Exclude<Outcome, { kind: 'done' }>, { stream, expectation }: ArrivingAppend): GrpcError {
  if (outcome.kind === 'stream-deleted') return streamDeleted(stream);
  const { currentRevision } = outcome;
  const message = new shared.WrongExpectedVersion();
  if (currentRevision === NO_EVENTS) message.setCurrentNoStream(new shared.Empty());
  else message.setCurrentStreamRevision(String(currentRevision));
  if (expectation === NO_EVENTS) message.setExpectedNoStream(new shared.Empty());
  else message.setExpectedStreamPosition(String(expectation));
  return new GrpcError(
    status.FAILED_PRECONDITION,
    `The stream ${stream} is not at the expected revision ${expectation} but at ${currentRevision}.`,
    {},
    { type: 'event_store.client.WrongExpectedVersion', message },
  );
}

function successFrame({ correlationId }: ArrivingAppend, outcome: Extract<Outcome, { kind: 'done' }>): Buffer {
  const position = String(outcome.position);
  const success = new streams.BatchAppendResp.Success()
    .setCurrentRevision(String(outcome.lastRevision))
    .setPosition(new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position));
  const response = new streams.BatchAppendResp().setCorrelationId(new shared.UUID().setString(correlationId));
  return frameMessage(response.setSuccess(success).serializeBinary());
}

/** A status whose details (field 3) are empty: their class is of a package of the client's own. */
const WITH_DETAILS = Uint8Array.of(0x1a, 0);

export function refusalFrame({ correlationId, stream }: ArrivingAppend, error: GrpcError): Buffer {
  const { type, message } = error.details ?? {
    type: 'event_store.client.BadRequest',
    message: new shared.BadRequest().setMessage(error.message),
  };
  const refusal = statuses.Status.deserializeBinary(WITH_DETAILS).setMessage(error.message);
  refusal
    .setCode(error.code as number)
    .getDetails()
    ?.pack(message.serializeBinary(), type);
  const response = new streams.BatchAppendResp()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setError(refusal)
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  return frameMessage(response.serializeBinary());
}
