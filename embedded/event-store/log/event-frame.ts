import protobuf from 'protobufjs/minimal.js';

const { Reader, Writer } = protobuf;
type Writer = protobuf.Writer;

/** Revision of a stream's tombstone in this server; on the wire it is EventStoreDB's 2^63 - 1. */
export const TOMBSTONE_REVISION = Number.MAX_SAFE_INTEGER;

/** An event of an append. Its buffers are views of the message it arrived in: the only copy is the one into the log. */
export interface ProposedEvent {
  /** A UUID in lower case. */
  id: string;
  type: string;
  contentType: string;
  /** Empty when the event has none; the same holds for `data`. */
  metadata: Buffer;
  data: Buffer;
}

/** gRPC sends a zero byte and a length (u32, big endian) before each message. */
export const FRAME_HEADER_LENGTH = 5;
const TICKS_PER_MS = 10_000n;
/** How EventStoreDB writes the revision of a tombstone: 2^63 - 1, in two halves. */
const TOMBSTONE_REVISION_SENT = { low: 0xffffffff, high: 0x7fffffff } as unknown as number;
const NOTHING = Buffer.alloc(0);

export const proposeJson = (id: string, type: string, json: string): ProposedEvent => ({
  id,
  type,
  contentType: 'application/json',
  metadata: NOTHING,
  data: Buffer.from(json),
});

/* A tag is a field's number with its wire type: 0 for a varint, 2 for a length and that many bytes. */
const varintTag = (field: number): number => field << 3;
const lengthTag = (field: number): number => (field << 3) | 2;

/** Begins a message in a field; `ldelim` ends it, and writes its length before it. */
const openMessage = (writer: Writer, field: number): Writer => writer.uint32(lengthTag(field)).fork();

export function frameMessage(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_LENGTH + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, FRAME_HEADER_LENGTH);
  return frame;
}

export const frameLength = (bytes: Buffer, offset: number): number =>
  FRAME_HEADER_LENGTH + bytes.readUInt32BE(offset + 1);

/**
 * Encodes an event as it is stored and sent to readers: a gRPC frame that holds a ReadResp, so that a read copies bytes from
 * the disk to the socket. A frame's fields, in order:
 *
 *     ReadResp.event = 1
 *       ReadEvent.event = 1
 *         RecordedEvent: id = 1, stream_identifier = 2, stream_revision = 3, prepare_position = 4, commit_position = 5,
 *                        metadata = 6 (type, content-type, created), custom_metadata = 7, data = 8
 *       ReadEvent.commit_position = 3
 *
 * @param position the frame's own offset in the log
 */
export function encodeFrame(
  stream: string,
  revision: number,
  { id, type, contentType, metadata, data }: ProposedEvent,
  position: number,
  createdMs: number,
): Buffer {
  const writer = Writer.create();
  openMessage(openMessage(writer, 1), 1);
  openMessage(writer, 1).uint32(lengthTag(2)).string(id).ldelim();
  openMessage(writer, 2).uint32(lengthTag(3)).string(stream).ldelim();
  writer.uint32(varintTag(3)).uint64(revision === TOMBSTONE_REVISION ? TOMBSTONE_REVISION_SENT : revision);
  writer.uint32(varintTag(4)).uint64(position).uint32(varintTag(5)).uint64(position);
  const entries = { type, 'content-type': contentType, created: String(BigInt(createdMs) * TICKS_PER_MS) };
  for (const [key, value] of Object.entries(entries)) {
    openMessage(writer, 6).uint32(lengthTag(1)).string(key).uint32(lengthTag(2)).string(value).ldelim();
  }
  if (metadata.length > 0) writer.uint32(lengthTag(7)).bytes(metadata);
  if (data.length > 0) writer.uint32(lengthTag(8)).bytes(data);
  writer.ldelim().uint32(varintTag(3)).uint64(position).ldelim();
  return frameMessage(writer.finish());
}

/** Returns the id and the stream of the event whose frame begins at the offset: the first two fields of its RecordedEvent. */
export function namesOf(bytes: Buffer, offset = 0): { id: string; stream: string } {
  const reader = Reader.create(bytes);
  reader.pos = offset + FRAME_HEADER_LENGTH;
  /** Reads the text that these messages hold, each the first field of the one around it. */
  const textIn = (messages: number): string => {
    // The tag and the length of each message, and the tag of the text.
    for (let left = 2 * messages + 1; left > 0; left -= 1) reader.uint32();
    return reader.string();
  };
  return { id: textIn(3), stream: textIn(1) };
}

/** Events of one stream, next to each other in the log. Positions are byte offsets, as on the real server. */
export interface Run {
  stream: string;
  position: number;
  /** Position after the last event's last byte, where the next run begins. */
  end: number;
  firstRevision: number;
  count: number;
  bytes: Buffer;
}

export const isTombstone = (run: Run): boolean => run.firstRevision === TOMBSTONE_REVISION;

export const lastRevisionOf = ({ firstRevision, count }: Run): number => firstRevision + count - 1;

export function offsetsOf({ bytes }: Run): number[] {
  const offsets: number[] = [];
  for (let offset = 0; offset < bytes.length; offset += frameLength(bytes, offset)) offsets.push(offset);
  return offsets;
}

/** Returns the offset of the first frame at or after a log position, or the run's length when there is none. */
export const offsetAtPosition = (run: Run, position: number): number =>
  offsetsOf(run).find((offset) => run.position + offset >= position) ?? run.bytes.length;

/** Returns the offset of the frame `count` events after the one at `from`. */
export function skipFrames({ bytes }: Run, from: number, count: number): number {
  let offset = from;
  for (let left = count; left > 0 && offset < bytes.length; left--) offset += frameLength(bytes, offset);
  return offset;
}
