/** Protobuf's wire format, for frequent messages: generated classes cost 5 to 9 times as much. */

export class MalformedMessageError extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const FIRST_CAPACITY = 256;
/** gRPC sends a zero byte and a length (u32, big endian) before each message. */
export const FRAME_HEADER_LENGTH = 5;

/** Walks the fields of one message without copying: `while (reader.next()) switch (reader.field)`. Skips fields that are not read. */
export class FieldReader {
  field = 0;
  private wireType = 0;
  private number = 0;
  private valueStart = 0;

  /** Reads the message at [at, end) of the buffer. */
  constructor(
    private readonly buffer: Buffer,
    private at = 0,
    private readonly end = buffer.length,
  ) {}

  /** Moves to the next field. Returns false at the end of the message. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.readVarint();
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0) throw new MalformedMessageError('a field has the number 0');
    if (this.wireType === VARINT) this.number = this.readVarint();
    else {
      const length = this.lengthOfValue();
      this.valueStart = this.at;
      this.at += length;
      if (this.at > this.end) throw new MalformedMessageError(`field ${this.field} is longer than its message`);
    }
    return true;
  }

  /** Moves to the first field with this number. Returns false when there is none. */
  find(field: number): boolean {
    while (this.next()) if (this.field === field) return true;
    return false;
  }

  /** Returns the value of a varint field, rounded beyond 2^53. */
  varint(): number {
    if (this.wireType !== VARINT) throw new MalformedMessageError(`field ${this.field} is no varint`);
    return this.number;
  }

  bytes(): Buffer {
    this.expectBytes();
    return this.buffer.subarray(this.valueStart, this.at);
  }

  string(): string {
    this.expectBytes();
    return this.buffer.toString('utf8', this.valueStart, this.at);
  }

  /** Returns a reader of the field's message. */
  message(): FieldReader {
    this.expectBytes();
    return new FieldReader(this.buffer, this.valueStart, this.at);
  }

  private expectBytes(): void {
    if (this.wireType !== BYTES) throw new MalformedMessageError(`field ${this.field} is no message or bytes`);
  }

  private lengthOfValue(): number {
    if (this.wireType === BYTES) return this.readVarint();
    if (this.wireType === FIXED64) return 8;
    if (this.wireType === FIXED32) return 4;
    throw new MalformedMessageError(`wire type ${this.wireType} is not known`);
  }

  private readVarint(): number {
    let result = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      if (this.at >= this.end) throw new MalformedMessageError('a varint is cut off');
      const byte = this.buffer[this.at++]!;
      result += (byte & 0x7f) * scale;
      if (byte < 0x80) return result;
      scale *= 128;
    }
    throw new MalformedMessageError('a varint is longer than 10 bytes');
  }
}

/** Writes a message from its last field to its first, because a length precedes its content but is known only after it. */
export class MessageWriter {
  private buffer: Buffer;
  /** Bytes written so far; they are at the end of the buffer. */
  length = 0;

  constructor(capacity = FIRST_CAPACITY) {
    this.buffer = Buffer.allocUnsafe(capacity);
  }

  varint(field: number, value: number | bigint): this {
    if (typeof value === 'number') this.number(value);
    else this.raw(Buffer.from([...varintBytes(value)]));
    return this.number(field * 8 + VARINT);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.raw(value)
      .number(value.length)
      .number(field * 8 + BYTES);
  }

  string(field: number, value: string): this {
    const length = Buffer.byteLength(value);
    const start = this.reserve(length);
    this.buffer.write(value, start);
    return this.number(length).number(field * 8 + BYTES);
  }

  /** Writes an empty message, or a bytes field without bytes. */
  empty(field: number): this {
    return this.number(0).number(field * 8 + BYTES);
  }

  message(field: number, fill: (message: this) => void): this {
    const lengthBefore = this.length;
    fill(this);
    return this.enclose(field, lengthBefore);
  }

  /** Makes a message field of everything written since the writer had this length. */
  enclose(field: number, lengthBefore: number): this {
    return this.number(this.length - lengthBefore).number(field * 8 + BYTES);
  }

  /** Writes bytes that are whole fields already. */
  raw(bytes: Uint8Array): this {
    const start = this.reserve(bytes.length);
    this.buffer.set(bytes, start);
    return this;
  }

  finish(): Buffer {
    return this.buffer.subarray(this.buffer.length - this.length);
  }

  /** Returns the message with gRPC's header before it. */
  frame(): Buffer {
    const { length } = this;
    const start = this.reserve(FRAME_HEADER_LENGTH);
    this.buffer[start] = 0;
    this.buffer.writeUInt32BE(length, start + 1);
    return this.finish();
  }

  private number(value: number): this {
    if (value < 128) {
      const start = this.reserve(1);
      this.buffer[start] = value;
      return this;
    }
    let at = this.reserve(varintLength(value));
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.buffer[at++] = (rest % 128) | 0x80;
    this.buffer[at] = rest;
    return this;
  }

  /** Makes space before the bytes written so far, and returns its offset. May replace the buffer. */
  private reserve(count: number): number {
    this.length += count;
    if (this.length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(2 * this.length);
      this.buffer.copy(larger, larger.length - (this.length - count), this.buffer.length - (this.length - count));
      this.buffer = larger;
    }
    return this.buffer.length - this.length;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

function* varintBytes(value: bigint): Generator<number> {
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) yield Number(rest & 0x7fn) | 0x80;
  yield Number(rest);
}
