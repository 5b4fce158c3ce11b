import { TOMBSTONE_REVISION } from '../core/stream-state.js';
import { FieldReader, varintLength, writeVarint } from '../encoding/protobuf.js';
import { ID_LENGTH, type ProposedEvent } from './proposed-event.js';

/**
 * The form in which an event is kept is the very form in which it is read: one gRPC frame holding a ReadResp with the
 * event. Reading is then copying bytes from the disk to the socket. A frame, in the order in which it is written:
 *
 *     0, length of the rest (u32, big endian)
 *     ReadResp.event = 1
 *       ReadEvent.event = 1
 *         RecordedEvent: id = 1, stream_identifier = 2, stream_revision = 3, prepare_position = 4, commit_position = 5,
 *                        metadata = 6 (type, content-type, created), custom_metadata = 7, data = 8
 *       ReadEvent.commit_position = 3
 */
export const FRAME_HEADER_LENGTH = 5;

const TICKS_PER_MS = 10_000n;
const TOMBSTONE_VARINT = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
/** An id, tags included: 0a 26 (UUID) 12 24 (string). */
const ID_FIELD_LENGTH = ID_LENGTH + 4;
const TYPE_KEY = entryKey('type');
const CONTENT_TYPE_KEY = entryKey('content-type');
const CREATED_KEY = entryKey('created');
/** More than the tags, lengths and numbers of any one event take. */
const OVERHEAD_LIMIT = 5 + 4 * 6 + ID_FIELD_LENGTH + 5 * 11 + 3 * 16 + 40 + 40;

export interface FramedEvents {
  bytes: Buffer;
  /** Where in `bytes` the last event's frame begins. */
  lastOffset: number;
}

/**
 * Encodes events of one stream that follow one another.
 *
 * @param firstPosition log position of the first byte written here; an event's position is that of its frame
 * @param createdMs milliseconds since the epoch
 */
export function frameEvents(
  stream: string,
  firstRevision: number,
  events: readonly ProposedEvent[],
  firstPosition: number,
  createdMs: number,
): FramedEvents {
  const streamField = streamIdentifierField(stream);
  const created = createdEntry(createdMs);
  let limit = 0;
  for (const event of events) limit += OVERHEAD_LIMIT + streamField.length + contentLength(event);
  const bytes = Buffer.allocUnsafe(limit);
  let offset = 0;
  let lastOffset = 0;
  for (let index = 0; index < events.length; index++) {
    lastOffset = offset;
    const position = firstPosition + offset;
    offset = writeFrame(bytes, offset, streamField, firstRevision + index, events[index]!, position, created);
  }
  return { bytes: bytes.subarray(0, offset), lastOffset };
}

function writeFrame(
  out: Buffer,
  start: number,
  streamField: Buffer,
  revision: number,
  event: ProposedEvent,
  position: number,
  created: Buffer,
): number {
  const { source } = event;
  const revisionLength = revision === TOMBSTONE_REVISION ? TOMBSTONE_VARINT.length : varintLength(revision);
  const positionLength = varintLength(position);
  const typeLength = event.typeStop - event.typeStart;
  const contentTypeLength = event.contentTypeStop - event.contentTypeStart;
  const metadataLength = event.metadataStop - event.metadataStart;
  const dataLength = event.dataStop - event.dataStart;
  const typeEntry = TYPE_KEY.length + 1 + varintLength(typeLength) + typeLength;
  const contentTypeEntry = CONTENT_TYPE_KEY.length + 1 + varintLength(contentTypeLength) + contentTypeLength;
  const recorded =
    ID_FIELD_LENGTH +
    streamField.length +
    (1 + revisionLength) +
    2 * (1 + positionLength) +
    lengthOfBytesField(typeEntry) +
    lengthOfBytesField(contentTypeEntry) +
    created.length +
    (metadataLength === 0 ? 0 : lengthOfBytesField(metadataLength)) +
    (dataLength === 0 ? 0 : lengthOfBytesField(dataLength));
  const readEvent = lengthOfBytesField(recorded) + 1 + positionLength;
  const response = lengthOfBytesField(readEvent);

  let at = start;
  out[at++] = 0;
  at = out.writeUInt32BE(response, at);
  at = writeTag(out, at, 0x0a, readEvent);
  at = writeTag(out, at, 0x0a, recorded);
  at = out.writeUInt32BE(0x0a261224, at);
  at = copyLowerCase(source, event.idStart, out, at);
  at += streamField.copy(out, at);
  out[at++] = 0x18;
  at = revision === TOMBSTONE_REVISION ? at + TOMBSTONE_VARINT.copy(out, at) : writeVarint(out, at, revision);
  out[at++] = 0x20;
  at = writeVarint(out, at, position);
  out[at++] = 0x28;
  at = writeVarint(out, at, position);
  at = writeTag(out, at, 0x32, typeEntry);
  at += TYPE_KEY.copy(out, at);
  at = writeSpan(out, at, 0x12, source, event.typeStart, event.typeStop);
  at = writeTag(out, at, 0x32, contentTypeEntry);
  at += CONTENT_TYPE_KEY.copy(out, at);
  at = writeSpan(out, at, 0x12, source, event.contentTypeStart, event.contentTypeStop);
  at += created.copy(out, at);
  if (metadataLength > 0) at = writeSpan(out, at, 0x3a, source, event.metadataStart, event.metadataStop);
  if (dataLength > 0) at = writeSpan(out, at, 0x42, source, event.dataStart, event.dataStop);
  out[at++] = 0x18;
  at = writeVarint(out, at, position);
  if (at !== start + FRAME_HEADER_LENGTH + response) throw new Error('An event frame is not as long as computed.');
  return at;
}

/** Length of the whole frame that begins at `offset`. */
export function frameLength(bytes: Buffer, offset: number): number {
  return FRAME_HEADER_LENGTH + bytes.readUInt32BE(offset + 1);
}

/** What is inside a frame, found by walking it; nothing is copied before it is asked for. */
export class FrameView {
  private readonly reader: FieldReader;

  constructor(
    readonly bytes: Buffer,
    readonly offset: number,
  ) {
    this.reader = new FieldReader(bytes);
  }

  /** The RecordedEvent's bytes. */
  get recorded(): Buffer {
    return this.recordedReader().bytesOfRest();
  }

  get id(): string {
    const id = this.find(1).nested();
    id.next();
    return id.string();
  }

  get stream(): string {
    const identifier = this.find(2).nested();
    identifier.next();
    return identifier.string();
  }

  get revision(): number {
    return Math.min(this.find(3).varint(), TOMBSTONE_REVISION);
  }

  get position(): number {
    return this.find(5).varint();
  }

  get type(): string {
    return this.entry(0);
  }

  get createdMs(): number {
    return Number(BigInt(this.entry(2)) / TICKS_PER_MS);
  }

  get data(): Buffer {
    const reader = this.recordedReader();
    while (reader.next()) if (reader.field === 8) return reader.bytes();
    return Buffer.alloc(0);
  }

  /** The value of the metadata map's n-th entry: 0 type, 1 content type, 2 created. */
  private entry(index: number): string {
    const reader = this.recordedReader();
    let seen = 0;
    while (reader.next()) {
      if (reader.field !== 6 || seen++ < index) continue;
      const entry = reader.nested();
      entry.next();
      entry.next();
      return entry.string();
    }
    throw new Error('A stored event has no such metadata entry.');
  }

  private find(field: number): FieldReader {
    const reader = this.recordedReader();
    while (reader.next()) if (reader.field === field) return reader;
    throw new Error(`A stored event has no field ${field}.`);
  }

  private recordedReader(): FieldReader {
    const reader = this.reader.reset(
      this.offset + FRAME_HEADER_LENGTH,
      this.offset + frameLength(this.bytes, this.offset),
    );
    reader.next();
    reader.reset(reader.start, reader.stop).next();
    return reader.reset(reader.start, reader.stop);
  }
}

function streamIdentifierField(stream: string): Buffer {
  const name = Buffer.from(stream, 'utf8');
  const inner = lengthOfBytesField(name.length);
  const field = Buffer.allocUnsafe(lengthOfBytesField(inner));
  const at = writeTag(field, 0, 0x12, inner);
  writeSpan(field, at, 0x1a, name, 0, name.length);
  return field;
}

function createdEntry(createdMs: number): Buffer {
  const ticks = Buffer.from((BigInt(createdMs) * TICKS_PER_MS).toString(), 'latin1');
  const inner = CREATED_KEY.length + lengthOfBytesField(ticks.length);
  const entry = Buffer.allocUnsafe(lengthOfBytesField(inner));
  let at = writeTag(entry, 0, 0x32, inner);
  at += CREATED_KEY.copy(entry, at);
  writeSpan(entry, at, 0x12, ticks, 0, ticks.length);
  return entry;
}

function entryKey(key: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, key.length]), Buffer.from(key, 'latin1')]);
}

function contentLength(event: ProposedEvent): number {
  return (
    event.typeStop -
    event.typeStart +
    (event.contentTypeStop - event.contentTypeStart) +
    (event.metadataStop - event.metadataStart) +
    (event.dataStop - event.dataStart)
  );
}

/** Of a field with a one-byte tag. */
function lengthOfBytesField(length: number): number {
  return 1 + varintLength(length) + length;
}

function writeTag(out: Buffer, at: number, tag: number, length: number): number {
  out[at] = tag;
  return writeVarint(out, at + 1, length);
}

function writeSpan(out: Buffer, at: number, tag: number, source: Buffer, start: number, stop: number): number {
  const content = writeTag(out, at, tag, stop - start);
  return content + source.copy(out, content, start, stop);
}

/** Ids are compared as text, so one spelling is kept. */
function copyLowerCase(source: Buffer, start: number, out: Buffer, at: number): number {
  for (let index = 0; index < ID_LENGTH; index++) {
    const byte = source[start + index]!;
    out[at + index] = byte >= 0x41 && byte <= 0x46 ? byte | 0x20 : byte;
  }
  return at + ID_LENGTH;
}
