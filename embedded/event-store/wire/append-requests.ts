import { isUtf8 } from 'node:buffer';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { Expectation } from '../core/expectation.js';
import { describedStreamOf, isMetadataStream } from '../core/stream.js';
import type { ProposedEvent } from '../log/event-frame.js';
import { FieldReader, MalformedMessageError } from '../log/protobuf.js';
import { ALL_STREAM } from './access-control.js';
import { GrpcError, invalidArgument } from './grpc-status.js';

/* Decodes the requests of Append and BatchAppend by hand: big appends are most of the bytes that the server decodes. */

/** Limit for stream names and event types, in characters, so that filters stay quick. */
export const NAME_LIMIT = 4_096;
const NAME_TOO_LONG = `The name of a stream may have ${NAME_LIMIT} characters.`;
/** Larger revisions are lowered to this one: no stream reaches it, and an answer can name it. */
const LARGEST_REVISION = 2 ** 63;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** EventStoreDB treats it as a missing id. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const NOTHING = Buffer.alloc(0);

export interface AppendOptions {
  stream: string;
  expectation: Expectation;
  /** Epoch milliseconds; infinite when the client names none. */
  deadlineMs: number;
}

export interface BatchAppendMessage {
  correlationId: string;
  /** Set in the first message of a correlation id. */
  options: AppendOptions | undefined;
  events: ProposedEvent[];
  isFinal: boolean;
  /** Refuses the append, when it holds an invalid event. */
  refusal: GrpcError | undefined;
}

/** Throws MalformedMessageError. */
export function decodeBatchAppend(message: Buffer): BatchAppendMessage {
  const decoded: BatchAppendMessage = {
    correlationId: '',
    options: undefined,
    events: [],
    isFinal: false,
    refusal: undefined,
  };
  const reader = new FieldReader(message);
  while (reader.next()) {
    if (reader.field === 1) decoded.correlationId = readUuid(reader.message());
    else if (reader.field === 2) decoded.options = readOptions(reader.message());
    else if (reader.field === 4) decoded.isFinal = reader.varint() !== 0;
    else if (reader.field === 3) {
      try {
        decoded.events.push(readEvent(reader.message()));
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        decoded.refusal = error;
      }
    }
  }
  if (decoded.correlationId === '') throw new MalformedMessageError('an append has no correlation id');
  return decoded;
}

/** Decodes a message of an Append call: the options, or one event. Throws MalformedMessageError and GrpcError. */
export function decodeAppend(message: Buffer) {
  const reader = new FieldReader(message);
  let options: AppendOptions | undefined;
  let event: ProposedEvent | undefined;
  while (reader.next()) {
    if (reader.field === 1) options = readOptions(reader.message());
    else if (reader.field === 2) event = readEvent(reader.message());
  }
  return { options, event };
}

/** Both RPCs use the same field numbers; only BatchAppend has a deadline: 6 a timestamp, 7 (newer clients) a duration. */
function readOptions(reader: FieldReader): AppendOptions {
  let stream = '';
  let expectation: Expectation | undefined;
  let deadlineMs = Number.POSITIVE_INFINITY;
  while (reader.next()) {
    if (reader.field === 1) stream = readStreamName(reader.message());
    else if (reader.field === 2) expectation = Math.min(reader.varint(), LARGEST_REVISION);
    else if (reader.field === 3) expectation = 'no-stream';
    else if (reader.field === 4) expectation = 'any';
    else if (reader.field === 5) expectation = 'stream-exists';
    else if (reader.field === 6) deadlineMs = readMs(reader.bytes());
    else if (reader.field === 7) deadlineMs = Date.now() + readMs(reader.bytes());
  }
  if (expectation === undefined) throw new MalformedMessageError('an append names no expected revision');
  return { stream, expectation, deadlineMs };
}

/** Returns the milliseconds of a Timestamp or a Duration, whose fields are the same. */
function readMs(bytes: Buffer): number {
  const time = decodeWith(timestampPb.Timestamp, bytes);
  return time.getSeconds() * 1_000 + time.getNanos() / 1_000_000;
}

/** Throws GrpcError for an event that EventStoreDB refuses, and MalformedMessageError. */
function readEvent(reader: FieldReader): ProposedEvent {
  let id: string | undefined;
  let type: Buffer | undefined;
  let contentType: Buffer | undefined;
  let metadata: Buffer = NOTHING;
  let data: Buffer = NOTHING;
  while (reader.next()) {
    if (reader.field === 1) id = readUuid(reader.message());
    else if (reader.field === 3) metadata = reader.bytes();
    else if (reader.field === 4) data = reader.bytes();
    else if (reader.field === 2) {
      const { key, value } = readEntry(reader.message());
      if (key === 'type') type = checkText(value, 'an event type');
      else if (key === 'content-type') contentType = checkText(value, 'a content type');
    }
  }
  if (type === undefined || contentType === undefined) {
    const missing = [type ?? 'type', contentType ?? 'content-type'].filter((part) => typeof part === 'string');
    throw invalidArgument(`An event lacks the metadata ${missing.join(' and ')}.`, {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    });
  }
  if (type.length === 0) throw invalidArgument('An event needs a type.');
  if (Math.max(type.length, contentType.length) > NAME_LIMIT) {
    throw invalidArgument(`An event type may have ${NAME_LIMIT} bytes.`);
  }
  if (id === undefined) throw new MalformedMessageError('an event has no id');
  if (id === NIL_UUID) throw invalidArgument('An event needs an id other than the nil UUID.');
  return { id, type, contentType, metadata, data };
}

function readEntry(reader: FieldReader): { key: string; value: Buffer } {
  let key = '';
  let value: Buffer = NOTHING;
  while (reader.next()) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) value = reader.bytes();
  }
  return { key, value };
}

function readUuid(reader: FieldReader): string {
  const id = reader.find(2) ? reader.string().toLowerCase() : '';
  if (!UUID.test(id)) throw new MalformedMessageError('an id is no UUID');
  return id;
}

function readStreamName(reader: FieldReader): string {
  return reader.find(3) ? checkText(reader.bytes(), 'a stream name').toString() : '';
}

/** Returns a stream's name. Throws GrpcError or MalformedMessageError for a name that no stream can have. */
export function streamNameOf(identifier: StreamIdentifier | undefined): string {
  const name = checkText(Buffer.from(identifier?.getStreamName_asU8() ?? []), 'a stream name').toString();
  if (name === '') throw invalidArgument('A stream needs a name.');
  if (name.length > NAME_LIMIT) throw invalidArgument(NAME_TOO_LONG);
  return name;
}

/** Throws GrpcError when a stream of this name cannot be written to. */
export function assertWritable(stream: string): void {
  if (stream === '') throw invalidArgument('A stream needs a name.');
  if (stream.length > NAME_LIMIT) throw invalidArgument(NAME_TOO_LONG);
  if (stream === ALL_STREAM) throw invalidArgument('$all is the whole log and cannot be written to.');
  if (stream === '$$' || (isMetadataStream(stream) && isMetadataStream(describedStreamOf(stream)))) {
    throw invalidArgument(`${stream} would be the metadata of no stream or of metadata.`);
  }
}

/** Throws unless the bytes are UTF-8: any other protobuf string would make every reader's decoder fail. */
function checkText(bytes: Buffer, what: string): Buffer {
  if (!isUtf8(bytes)) throw new MalformedMessageError(`${what} is not UTF-8`);
  return bytes;
}

/** Decodes an infrequent message with its generated class. Throws MalformedMessageError. */
export function decodeWith<Message>(type: { deserializeBinary(bytes: Uint8Array): Message }, bytes: Buffer): Message {
  try {
    return type.deserializeBinary(bytes);
  } catch (error) {
    // google-protobuf throws plain Errors and AssertionErrors for malformed bytes.
    throw new MalformedMessageError(error instanceof Error ? error.message : String(error));
  }
}
