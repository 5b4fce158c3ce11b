import type { Expectation } from '../core/expectation.js';
import { FieldReader, MalformedMessageError } from '../encoding/protobuf.js';
import type { ProposedEvent } from '../log/proposed-event.js';
import { RefusedEventError, readProposedEvent } from './proposed-event-message.js';
import { checkedText } from './text-field.js';
import { readUuid } from './uuid-message.js';

/** Reads the requests of Append and BatchAppend: by hand, because a big append is most of what the server decodes. */

/** No stream gets there, and an answer can still name it. */
const LARGEST_REVISION = 2 ** 63;

export interface AppendOptions {
  stream: string;
  expectation: Expectation;
  /** Milliseconds since the epoch; infinite when not given. */
  deadlineMs: number;
}

export interface BatchAppendMessage {
  correlationId: string;
  /** Only with the first message of a correlation id. */
  options: AppendOptions | undefined;
  events: ProposedEvent[];
  isFinal: boolean;
  /** Why the append cannot be carried out, though the message can be read. */
  problem: string | undefined;
}

export interface AppendMessage {
  options: AppendOptions | undefined;
  event: ProposedEvent | undefined;
}

export function decodeBatchAppend(message: Buffer): BatchAppendMessage {
  const decoded: BatchAppendMessage = {
    correlationId: '',
    options: undefined,
    events: [],
    isFinal: false,
    problem: undefined,
  };
  const reader = new FieldReader(message);
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        decoded.correlationId = readUuid(reader.nested());
        break;
      case 2:
        decoded.options = readOptions(reader.nested());
        break;
      case 3:
        reader.expectBytes();
        readBatchEvent(message, reader, decoded);
        break;
      case 4:
        decoded.isFinal = reader.varint() !== 0;
        break;
    }
  }
  if (decoded.correlationId === '') throw new MalformedMessageError('an append has no correlation id');
  return decoded;
}

function readBatchEvent(message: Buffer, reader: FieldReader, decoded: BatchAppendMessage): void {
  try {
    decoded.events.push(readProposedEvent(message, reader.start, reader.stop));
  } catch (error) {
    if (!(error instanceof RefusedEventError)) throw error;
    decoded.problem = error.message;
  }
}

export function decodeAppend(message: Buffer): AppendMessage {
  const decoded: AppendMessage = { options: undefined, event: undefined };
  const reader = new FieldReader(message);
  while (reader.next()) {
    if (reader.field === 1) decoded.options = readOptions(reader.nested());
    if (reader.field === 2) {
      reader.expectBytes();
      decoded.event = readProposedEvent(message, reader.start, reader.stop);
    }
  }
  return decoded;
}

/** Both RPCs number these fields alike; only BatchAppend has a deadline: 6 a timestamp, 7 (newer clients) a duration. */
function readOptions(reader: FieldReader): AppendOptions {
  let stream = '';
  let expectation: Expectation | undefined;
  let deadlineMs = Number.POSITIVE_INFINITY;
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        stream = readStreamName(reader.nested());
        break;
      case 2:
        expectation = Math.min(reader.varint(), LARGEST_REVISION);
        break;
      case 3:
        expectation = 'no-stream';
        break;
      case 4:
        expectation = 'any';
        break;
      case 5:
        expectation = 'stream-exists';
        break;
      case 6:
        deadlineMs = readSeconds(reader.nested());
        break;
      case 7:
        deadlineMs = Date.now() + readSeconds(reader.nested());
        break;
    }
  }
  if (expectation === undefined) throw new MalformedMessageError('an append names no expected revision');
  return { stream, expectation, deadlineMs };
}

/** Timestamp and Duration look the same. @returns milliseconds */
function readSeconds(reader: FieldReader): number {
  let ms = 0;
  while (reader.next()) {
    if (reader.field === 1) ms += reader.int64() * 1_000;
    if (reader.field === 2) ms += reader.int64() / 1_000_000;
  }
  return ms;
}

export function readStreamName(reader: FieldReader): string {
  while (reader.next()) if (reader.field === 3) return checkedText(reader.bytes(), 'a stream name');
  return '';
}
