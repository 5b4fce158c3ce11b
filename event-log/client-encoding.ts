import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const GeneratedRequest = streams.BatchAppendReq;
type Options = InstanceType<typeof GeneratedRequest.Options>;
type Uuid = InstanceType<typeof shared.UUID>;
/** As protobuf's generated messages have it: bytes, or the same as base64. */
type BytesField = Uint8Array | string;

/**
 * A shortcut in how the event store's client encodes an append; measured, google-protobuf was the larger part of what a
 * purchase cost: each event's JSON was decoded from base64 a character at a time, and each message encoded twice. The
 * client fills these two messages in their place. What travels is the same, byte for byte.
 */
export function encodeFaster(): void {
  Object.assign(streams, { BatchAppendReq: DirectRequest });
}

/** Stands in for BatchAppendReq. */
class DirectRequest {
  private correlationId: Uuid | undefined;
  private options: Options | undefined;
  private readonly messages: DirectMessage[] = [];
  private isFinal = false;

  setCorrelationId(id: Uuid): void {
    this.correlationId = id;
  }
  setOptions(options: Options): void {
    this.options = options;
  }
  setIsFinal(isFinal: boolean): void {
    this.isFinal = isFinal;
  }
  addProposedMessages(message: DirectMessage): void {
    this.messages.push(message);
  }

  serializeBinary(): Uint8Array {
    // Before this one begins to write: they share the room it writes to.
    const messages = this.messages.map((message) => message.serializeBinary());
    const writer = new Writer();
    if (this.correlationId) writer.uuid(1, this.correlationId);
    if (this.options) writer.bytes(2, this.options.serializeBinary());
    for (const message of messages) writer.bytes(3, message);
    if (this.isFinal) writer.flag(4);
    return writer.finish();
  }

  /** For the client's debug output. */
  toObject(): object {
    return GeneratedRequest.deserializeBinary(this.serializeBinary()).toObject();
  }
}
// The client finds the messages of the request, and a server how to read it, on its class.
Object.setPrototypeOf(DirectRequest, GeneratedRequest);

/** Stands in for BatchAppendReq.ProposedMessage. */
class DirectMessage {
  private id: Uuid | undefined;
  private readonly metadata = new Map<string, string>();
  private customMetadata: BytesField = '';
  private data: BytesField = '';
  private encoded: Uint8Array | undefined;

  setId(id: Uuid): void {
    this.id = id;
  }
  getMetadataMap(): Map<string, string> {
    return this.metadata;
  }
  setCustomMetadata(customMetadata: BytesField): void {
    this.customMetadata = customMetadata;
  }
  setData(data: BytesField): void {
    this.data = data;
  }

  /** The client asks for this first to learn the size, when the message is complete. */
  serializeBinary(): Uint8Array {
    this.encoded ??= this.encode();
    return this.encoded;
  }

  private encode(): Uint8Array {
    const writer = new Writer();
    if (this.id) writer.uuid(1, this.id);
    for (const key of [...this.metadata.keys()].sort()) writer.entry(2, key, this.metadata.get(key) as string);
    if (this.customMetadata.length > 0) writer.bytesField(3, this.customMetadata);
    if (this.data.length > 0) writer.bytesField(4, this.data);
    return writer.finish();
  }
}
Object.assign(DirectRequest, { ProposedMessage: DirectMessage });

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
/** Field numbers here are below 16, so that a tag is one byte; a length below 2³² takes at most five. */
const PREFIX_ROOM = 6;
const UUID_LENGTH = 36;

/** Shared by all writers: encoding is never interrupted, and what is finished is copied out. */
let scratch = Buffer.allocUnsafeSlow(64 * 1024);

class Writer {
  private at = 0;

  bytesField(field: number, value: BytesField): void {
    if (typeof value === 'string') this.text(field, value, 'base64');
    else this.bytes(field, value);
  }

  bytes(field: number, value: Uint8Array): void {
    this.prefix(field, value.length);
    scratch.set(value, this.at);
    this.at += value.length;
  }

  uuid(field: number, id: Uuid): void {
    const text = id.getString();
    if (text.length === UUID_LENGTH) {
      this.prefix(field, UUID_LENGTH + 2);
      this.text(2, text, 'latin1');
    } else this.bytes(field, id.serializeBinary());
  }

  entry(field: number, key: string, value: string): void {
    const [keyLength, valueLength] = [Buffer.byteLength(key), Buffer.byteLength(value)];
    this.prefix(field, prefixLength(keyLength) + keyLength + prefixLength(valueLength) + valueLength);
    this.text(1, key, 'utf8');
    this.text(2, value, 'utf8');
  }

  flag(field: number): void {
    this.ensure(2);
    scratch[this.at++] = (field << 3) | WIRE_VARINT;
    scratch[this.at++] = 1;
  }

  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(scratch, 0, this.at);
  }

  private text(field: number, value: string, encoding: 'utf8' | 'latin1' | 'base64'): void {
    const length = Buffer.byteLength(value, encoding);
    this.prefix(field, length);
    scratch.write(value, this.at, length, encoding);
    this.at += length;
  }

  /** Tag and length, with room for what is to follow. */
  private prefix(field: number, length: number): void {
    this.ensure(PREFIX_ROOM + length);
    scratch[this.at++] = (field << 3) | WIRE_BYTES;
    let rest = length;
    for (; rest > 127; rest >>>= 7) scratch[this.at++] = (rest & 127) | 128;
    scratch[this.at++] = rest;
  }

  private ensure(room: number): void {
    if (this.at + room <= scratch.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(scratch.length * 2, this.at + room));
    scratch.copy(larger, 0, 0, this.at);
    scratch = larger;
  }
}

function prefixLength(length: number): number {
  let bytes = 2;
  for (let rest = length; rest > 127; rest >>>= 7) bytes += 1;
  return bytes;
}
