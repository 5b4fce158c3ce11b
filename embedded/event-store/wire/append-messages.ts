import type { Expectation } from '../core/expectation.js';
import { FieldReader, MalformedMessageError } from '../encoding/protobuf.js';
import { ID_LENGTH, type ProposedEvent } from '../log/proposed-event.js';
import { NAME_LIMIT } from './stream-names.js';

/** Reads the requests of Append and BatchAppend: by hand, because a big append is most of what the server decodes. */

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

/** The message can be read, but an event in it cannot be taken. */
export class RefusedEventError extends Error {
  constructor(
    message: string,
    readonly lacksMetadata: boolean,
  ) {
    super(message);
  }
}

const TYPE = 'type';
const CONTENT_TYPE = 'content-type';

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
  return decoded;
}

function readBatchEvent(message: Buffer, reader: FieldReader, decoded: BatchAppendMessage): void {
  try {
    decoded.events.push(readEvent(message, reader.start, reader.stop));
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
      decoded.event = readEvent(message, reader.start, reader.stop);
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
        expectation = reader.varint();
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
    if (reader.field === 1) ms += reader.varint() * 1_000;
    if (reader.field === 2) ms += reader.varint() / 1_000_000;
  }
  return ms;
}

export function readStreamName(reader: FieldReader): string {
  while (reader.next()) if (reader.field === 3) return checkedText(reader.bytes(), 'a stream name');
  return '';
}

/** Scratch readers, so that reading a thousand events makes no thousand readers. */
const eventReader = new FieldReader(Buffer.alloc(0));
const innerReader = new FieldReader(Buffer.alloc(0));

function readEvent(source: Buffer, start: number, stop: number): ProposedEvent {
  const event: ProposedEvent = {
    source,
    idStart: -1,
    typeStart: -1,
    typeStop: -1,
    contentTypeStart: -1,
    contentTypeStop: -1,
    metadataStart: 0,
    metadataStop: 0,
    dataStart: 0,
    dataStop: 0,
  };
  let structuredId: string | undefined;
  const reader = eventReader.over(source, start, stop);
  while (reader.next()) {
    reader.expectBytes();
    switch (reader.field) {
      case 1:
        structuredId = placeId(event, innerReader.over(source, reader.start, reader.stop));
        break;
      case 2:
        placeMetadata(event, innerReader.over(source, reader.start, reader.stop));
        break;
      case 3:
        event.metadataStart = reader.start;
        event.metadataStop = reader.stop;
        break;
      case 4:
        event.dataStart = reader.start;
        event.dataStop = reader.stop;
        break;
    }
  }
  eventReader.release();
  innerReader.release();
  const missing = [];
  if (event.typeStart < 0) missing.push(TYPE);
  if (event.contentTypeStart < 0) missing.push(CONTENT_TYPE);
  if (missing.length > 0) throw new RefusedEventError(`An event lacks the metadata ${missing.join(' and ')}.`, true);
  if (Math.max(event.typeStop - event.typeStart, event.contentTypeStop - event.contentTypeStart) > NAME_LIMIT) {
    throw new RefusedEventError(`An event type may have ${NAME_LIMIT} bytes.`, false);
  }
  if (structuredId !== undefined) return withId(event, structuredId);
  if (event.idStart < 0) throw new MalformedMessageError('an event has no id');
  return event;
}

/** @returns the id as text when it came as two numbers */
function placeId(event: ProposedEvent, reader: FieldReader): string | undefined {
  while (reader.next()) {
    if (reader.field === 1) return readStructured(reader.nested());
    if (reader.field !== 2) continue;
    reader.expectBytes();
    if (!isUuid(reader.buffer, reader.start, reader.stop)) throw new MalformedMessageError('an event id is no UUID');
    event.idStart = reader.start;
  }
  return undefined;
}

function placeMetadata(event: ProposedEvent, entry: FieldReader): void {
  let keyStart = 0;
  let keyStop = 0;
  let valueStart = 0;
  let valueStop = 0;
  while (entry.next()) {
    entry.expectBytes();
    if (entry.field === 1) {
      keyStart = entry.start;
      keyStop = entry.stop;
    } else if (entry.field === 2) {
      valueStart = entry.start;
      valueStop = entry.stop;
    }
  }
  // The two known keys differ in length.
  const keyLength = keyStop - keyStart;
  if (keyLength === TYPE.length && entry.buffer.toString('latin1', keyStart, keyStop) === TYPE) {
    checkText(entry.buffer, valueStart, valueStop, 'an event type');
    event.typeStart = valueStart;
    event.typeStop = valueStop;
  } else if (keyLength === CONTENT_TYPE.length && entry.buffer.toString('latin1', keyStart, keyStop) === CONTENT_TYPE) {
    checkText(entry.buffer, valueStart, valueStop, 'a content type');
    event.contentTypeStart = valueStart;
    event.contentTypeStop = valueStop;
  }
}

/** Moves an event to a buffer of its own that has the id as text. */
function withId(event: ProposedEvent, id: string): ProposedEvent {
  const shift = (offset: number) => offset + ID_LENGTH;
  return {
    source: Buffer.concat([Buffer.from(id, 'latin1'), event.source]),
    idStart: 0,
    typeStart: shift(event.typeStart),
    typeStop: shift(event.typeStop),
    contentTypeStart: shift(event.contentTypeStart),
    contentTypeStop: shift(event.contentTypeStop),
    metadataStart: shift(event.metadataStart),
    metadataStop: shift(event.metadataStop),
    dataStart: shift(event.dataStart),
    dataStop: shift(event.dataStop),
  };
}

function readUuid(reader: FieldReader): string {
  while (reader.next()) {
    if (reader.field === 1) return readStructured(reader.nested());
    if (reader.field === 2) {
      reader.expectBytes();
      if (!isUuid(reader.buffer, reader.start, reader.stop)) throw new MalformedMessageError('an id is no UUID');
      return reader.string().toLowerCase();
    }
  }
  throw new MalformedMessageError('an id is empty');
}

function readStructured(reader: FieldReader): string {
  let most = 0n;
  let least = 0n;
  while (reader.next()) {
    if (reader.field === 1) most = reader.uint64();
    if (reader.field === 2) least = reader.uint64();
  }
  const hex = ((most << 64n) | least).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function isUuid(buffer: Buffer, start: number, stop: number): boolean {
  if (stop - start !== ID_LENGTH) return false;
  for (let index = 0; index < ID_LENGTH; index++) {
    const byte = buffer[start + index]!;
    const dash = index === 8 || index === 13 || index === 18 || index === 23;
    if (dash ? byte !== 0x2d : !isHexDigit(byte)) return false;
  }
  return true;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46);
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function checkedText(bytes: Buffer, what: string): string {
  checkText(bytes, 0, bytes.length, what);
  return bytes.toString('utf8');
}

/** protobuf's strings are UTF-8; one that is not would make every later reader's decoder fail. */
function checkText(buffer: Buffer, start: number, stop: number, what: string): void {
  for (let at = start; at < stop; at++) {
    if (buffer[at]! < 0x80) continue;
    try {
      strictUtf8.decode(buffer.subarray(start, stop));
      return;
    } catch {
      throw new MalformedMessageError(`${what} is not UTF-8`);
    }
  }
}
