import { TOMBSTONE_REVISION } from '../core/stream.js';
import { FieldReader, FRAME_HEADER_LENGTH, MessageWriter } from './protobuf.js';

/** An event of an append. Its buffers are views of the message it arrived in: the only copy is the one into the log. */
export interface ProposedEvent {
  /** A UUID in lower case. */
  id: string;
  type: Buffer;
  contentType: Buffer;
  /** Empty when the event has none; the same holds for `data`. */
  metadata: Buffer;
  data: Buffer;
}

const TICKS_PER_MS = 10_000n;
/** How EventStoreDB writes the revision of a tombstone. */
const TOMBSTONE_REVISION_SENT = 2n ** 63n - 1n;
/** Upper bound for an event's id, tags, lengths and numbers. */
const OVERHEAD_BYTES = 256;
const TYPE_KEY = Buffer.from('\x0a\x04type');
const CONTENT_TYPE_KEY = Buffer.from('\x0a\x0ccontent-type');
const NOTHING = Buffer.alloc(0);

/** Makes an event that the server itself writes: metadata or a tombstone. */
export const proposeJson = (id: string, type: string, json: string): ProposedEvent => ({
  id: id.toLowerCase(),
  type: Buffer.from(type),
  contentType: Buffer.from('application/json'),
  metadata: NOTHING,
  data: Buffer.from(json),
});

/**
 * Encodes the events of one append as they are stored and sent to readers: each in a gRPC frame that holds a ReadResp, so
 * that a read copies bytes from the disk to the socket. A frame's fields, in order:
 *
 *     ReadResp.event = 1
 *       ReadEvent.event = 1
 *         RecordedEvent: id = 1, stream_identifier = 2, stream_revision = 3, prepare_position = 4, commit_position = 5,
 *                        metadata = 6 (type, content-type, created), custom_metadata = 7, data = 8
 *       ReadEvent.commit_position = 3
 */
export class FrameEncoder {
  private readonly streamField: Buffer;
  private readonly createdField: Buffer;

  /** @param createdMs milliseconds since the epoch */
  constructor(stream: string, createdMs: number) {
    this.streamField = new MessageWriter().message(2, (identifier) => identifier.string(3, stream)).finish();
    const ticks = String(BigInt(createdMs) * TICKS_PER_MS);
    this.createdField = new MessageWriter().message(6, (entry) => entry.string(2, ticks).string(1, 'created')).finish();
  }

  /** @param position the frame's own offset in the log */
  encode(revision: number, { id, type, contentType, metadata, data }: ProposedEvent, position: number): Buffer {
    const { streamField, createdField } = this;
    const contentLength = type.length + contentType.length + metadata.length + data.length;
    const writer = new MessageWriter(OVERHEAD_BYTES + streamField.length + contentLength);
    writer.varint(3, position);
    const recorded = writer.length;
    if (data.length > 0) writer.bytes(8, data);
    if (metadata.length > 0) writer.bytes(7, metadata);
    writer.raw(createdField);
    let entry = writer.length;
    writer.bytes(2, contentType).raw(CONTENT_TYPE_KEY).enclose(6, entry);
    entry = writer.length;
    writer.bytes(2, type).raw(TYPE_KEY).enclose(6, entry);
    writer.varint(5, position).varint(4, position);
    writer.varint(3, revision === TOMBSTONE_REVISION ? TOMBSTONE_REVISION_SENT : revision);
    writer.raw(streamField);
    const uuid = writer.length;
    writer.string(2, id).enclose(1, uuid).enclose(1, recorded).enclose(1, 0);
    return writer.frame();
  }
}

/** Returns the length of the whole frame that begins at `offset`. */
export const frameLength = (bytes: Buffer, offset: number): number =>
  FRAME_HEADER_LENGTH + bytes.readUInt32BE(offset + 1);

/** Reads the fields of a frame in place, without decoding the whole event. */
export class FrameView {
  constructor(
    private readonly bytes: Buffer,
    private readonly offset: number,
  ) {}

  /** The RecordedEvent's bytes. */
  get recorded(): Buffer {
    return this.readEvent().bytes();
  }

  get id(): string {
    return this.text(1, 2);
  }

  get stream(): string {
    return this.text(2, 3);
  }

  get revision(): number {
    return Math.min(this.find(3).varint(), TOMBSTONE_REVISION);
  }

  get position(): number {
    return this.find(5).varint();
  }

  get type(): string {
    return this.text(6, 2);
  }

  get createdMs(): number {
    const recorded = this.find(6);
    recorded.find(6);
    recorded.find(6);
    const entry = recorded.message();
    entry.find(2);
    return Number(BigInt(entry.string()) / TICKS_PER_MS);
  }

  get data(): Buffer {
    const recorded = this.readEvent().message();
    return recorded.find(8) ? recorded.bytes() : NOTHING;
  }

  /** The text of a field in the first message of this field number. */
  private text(field: number, innerField: number): string {
    const message = this.find(field).message();
    message.find(innerField);
    return message.string();
  }

  private find(field: number): FieldReader {
    const recorded = this.readEvent().message();
    if (recorded.find(field)) return recorded;
    throw new Error(`A stored event has no field ${field}.`);
  }

  /** Returns a reader at the field ReadEvent.event. */
  private readEvent(): FieldReader {
    const response = new FieldReader(
      this.bytes,
      this.offset + FRAME_HEADER_LENGTH,
      this.offset + frameLength(this.bytes, this.offset),
    );
    response.next();
    const readEvent = response.message();
    readEvent.next();
    return readEvent;
  }
}
