import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import protobuf from 'protobufjs/minimal.js';
import { NO_EVENTS } from '../log/committed-log.js';
import { frameMessage, lengthTag, openMessage, type ProposedEvent, varintTag } from '../log/event-frame.js';
import type { Expectation, LogWriter, Outcome } from '../log/log-writer.js';
import type { AccessControl, User } from './access-control.js';
import { type GrpcCall, GrpcError, invalidArgument } from './grpc-server.js';

const { Reader, Writer } = protobuf;
type Reader = protobuf.Reader;

/** The strictest default of real servers, so that an append that passes here passes everywhere. They count the data only. */
const APPEND_LIMIT_BYTES = 1024 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOTHING = Buffer.alloc(0);

/** An append, or the part of it that one message holds. */
interface ArrivingAppend {
  correlationId: string;
  /** Empty in all messages but the first. */
  stream: string;
  expectation: Expectation;
  events: ProposedEvent[];
  bytes: number;
  isFinal: boolean;
}

/** Serves BatchAppend: many appends over one call, distinguished by correlation ids. Each is answered once, after its last message. */
export async function serveBatchAppend(call: GrpcCall, writer: LogWriter, access: AccessControl): Promise<void> {
  const user = access.userOf(call);
  const arriving = new Map<string, ArrivingAppend>();
  const answers = new Set<Promise<void>>();
  for await (const message of call.messages()) {
    const part = decodeAppend(message);
    const append = arriving.get(part.correlationId) ?? part;
    if (append !== part) {
      append.events.push(...part.events);
      append.bytes += part.bytes;
    }
    arriving.set(part.correlationId, append);
    if (!part.isFinal) continue;
    arriving.delete(part.correlationId);
    const answered = answerTo(append, user, writer, access)
      .then((frame) => void call.send(frame))
      .catch((error: unknown) => call.finish(error))
      .finally(() => answers.delete(answered));
    answers.add(answered);
  }
  await Promise.all(answers);
}

async function answerTo(append: ArrivingAppend, user: User | undefined, writer: LogWriter, access: AccessControl) {
  const { stream, expectation } = append;
  try {
    assertValid(append);
    await access.require(user, 'write', stream);
    const outcome = await writer.write(append);
    if (outcome.kind === 'done') return successFrame(append, outcome);
    throw refusalOf(outcome, stream, expectation);
  } catch (error) {
    if (error instanceof GrpcError) return refusalFrame(append, error);
    throw error;
  }
}

export async function serveTombstone(call: GrpcCall, writer: LogWriter, access: AccessControl): Promise<void> {
  const { stream, expectation } = await deleteRequest(call, access);
  const outcome = await writer.write({ stream, expectation, events: undefined, bytes: 0 });
  if (outcome.kind !== 'done') throw refusalOf(outcome, stream, expectation);
  const text = String(outcome.position);
  const position = new streams.TombstoneResp.Position().setCommitPosition(text).setPreparePosition(text);
  await call.send(frameMessage(new streams.TombstoneResp().setPosition(position).serializeBinary()));
}

/** Refuses Delete: first a user without the right. */
export async function refuseDelete(call: GrpcCall, access: AccessControl): Promise<void> {
  await deleteRequest(call, access);
  throw new GrpcError(status.UNIMPLEMENTED, 'The embedded event store can tombstone a stream, but not delete it.');
}

/** Reads the request of Tombstone or Delete, whose fields are the same. */
async function deleteRequest(call: GrpcCall, access: AccessControl) {
  const options = streams.TombstoneReq.deserializeBinary(await call.receiveOne()).getOptions();
  const stream = Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  if (options === undefined || stream === '') throw invalidArgument('A tombstone needs a stream.');
  await access.require(access.userOf(call), 'delete', stream);
  let expectation: Expectation = 'any';
  if (options.hasRevision()) expectation = Number(options.getRevision());
  else if (options.hasNoStream()) expectation = NO_EVENTS;
  return { stream, expectation };
}

/** Decodes a BatchAppendReq by hand: big appends are most of the bytes that the server decodes. */
function decodeAppend(message: Buffer): ArrivingAppend {
  const append: ArrivingAppend = {
    correlationId: '',
    stream: '',
    expectation: 'any',
    events: [],
    bytes: message.length,
    isFinal: false,
  };
  const reader = Reader.create(message);
  readFields(reader, message.length, (field) => {
    if (field === 1) append.correlationId = readUuid(reader);
    else if (field === 2) readOptions(reader, append);
    else if (field === 3) append.events.push(readEvent(reader));
    else if (field === 4) append.isFinal = reader.bool();
  });
  return append;
}

function readOptions(reader: Reader, append: ArrivingAppend): void {
  readMessage(reader, (field) => {
    if (field === 1) append.stream = readText(reader, 3);
    else if (field === 2) append.expectation = Number(reader.uint64());
    else if (field === 3) append.expectation = NO_EVENTS;
  });
}

function readEvent(reader: Reader): ProposedEvent {
  const event: ProposedEvent = { id: '', type: '', contentType: '', metadata: NOTHING, data: NOTHING };
  readMessage(reader, (field) => {
    if (field === 1) event.id = readUuid(reader);
    else if (field === 3) event.metadata = reader.bytes() as Buffer;
    else if (field === 4) event.data = reader.bytes() as Buffer;
    else if (field === 2) {
      const entry = ['', '', ''];
      readMessage(reader, (place) => {
        entry[place] = reader.string();
      });
      if (entry[1] === 'type') event.type = entry[2]!;
      else if (entry[1] === 'content-type') event.contentType = entry[2]!;
    }
  });
  return event;
}

const readUuid = (reader: Reader): string => readText(reader, 2).toLowerCase();

function readText(reader: Reader, textField: number): string {
  let text = '';
  readMessage(reader, (field) => {
    if (field === textField) text = reader.string();
  });
  return text;
}

const readMessage = (reader: Reader, readField: (field: number) => void): void =>
  readFields(reader, reader.uint32() + reader.pos, readField);

/** Calls `readField` for each field up to the end, and skips what it does not read. */
function readFields(reader: Reader, end: number, readField: (field: number) => void): void {
  while (reader.pos < end) {
    const tag = reader.uint32();
    const valueStart = reader.pos;
    readField(tag >>> 3);
    if (reader.pos === valueStart) reader.skipType(tag & 7);
  }
}

/** Throws GrpcError for an append that EventStoreDB refuses. */
function assertValid({ stream, events }: ArrivingAppend): void {
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
      type: 'MaximumAppendSizeExceeded',
      message: new shared.MaximumAppendSizeExceeded().setMaxappendsize(APPEND_LIMIT_BYTES),
    },
  );
}

/** Converts an unsuccessful outcome to an error: with trailers for a call of its own, with details for BatchAppend. */
export function refusalOf(
  outcome: Exclude<Outcome, { kind: 'done' }>,
  stream: string,
  expectation: Expectation,
): GrpcError {
  const trailers = { exception: outcome.kind, 'stream-name': encodeURI(stream) };
  if (outcome.kind === 'stream-deleted') {
    const details = { type: 'StreamDeleted', message: new shared.StreamDeleted() };
    return new GrpcError(status.FAILED_PRECONDITION, `The stream ${stream} is deleted.`, trailers, details);
  }
  const { currentRevision } = outcome;
  const message = new shared.WrongExpectedVersion();
  const empty = new shared.Empty();
  if (currentRevision === NO_EVENTS) message.setCurrentNoStream(empty);
  else message.setCurrentStreamRevision(String(currentRevision));
  if (expectation === NO_EVENTS) message.setExpectedNoStream(empty);
  else message.setExpectedStreamPosition(String(expectation));
  return new GrpcError(
    status.FAILED_PRECONDITION,
    `The stream ${stream} is not at the expected revision ${expectation} but at ${currentRevision}.`,
    {
      ...trailers,
      'expected-version': String(expectation),
      'actual-version': currentRevision === NO_EVENTS ? '' : String(currentRevision),
    },
    { type: 'WrongExpectedVersion', message },
  );
}

/** By hand too: one such answer goes to each append. */
function successFrame({ correlationId }: ArrivingAppend, outcome: Extract<Outcome, { kind: 'done' }>): Buffer {
  const { lastRevision, position } = outcome;
  const response = Writer.create();
  openMessage(response, 1).uint32(lengthTag(2)).string(correlationId).ldelim();
  openMessage(response, 3).uint32(varintTag(1)).uint64(lastRevision);
  openMessage(response, 3).uint32(varintTag(1)).uint64(position).uint32(varintTag(2)).uint64(position).ldelim();
  return frameMessage(response.ldelim().finish());
}

function refusalFrame({ correlationId, stream }: ArrivingAppend, error: GrpcError): Buffer {
  const details = error.details ?? {
    type: 'BadRequest',
    message: new shared.BadRequest().setMessage(error.message),
  };
  const type = `type.googleapis.com/event_store.client.${details.type}`;
  const response = Writer.create();
  openMessage(response, 1).uint32(lengthTag(2)).string(correlationId).ldelim();
  const refusal = openMessage(response, 2);
  refusal
    .uint32(varintTag(1))
    .int32(error.code as number)
    .uint32(lengthTag(2))
    .string(error.message);
  openMessage(refusal, 3)
    .uint32(lengthTag(1))
    .string(type)
    .uint32(lengthTag(2))
    .bytes(details.message.serializeBinary())
    .ldelim();
  refusal.ldelim();
  openMessage(response, 4).uint32(lengthTag(3)).bytes(Buffer.from(stream)).ldelim();
  return frameMessage(response.finish());
}
