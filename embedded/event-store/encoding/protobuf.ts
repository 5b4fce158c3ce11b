/** Just enough of protobuf's wire format to read and write the few messages that come thousands of times a second. */

export class MalformedMessageError extends Error {}

export const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
export const WIRE_BYTES = 2;
const WIRE_FIXED32 = 5;
const NOTHING = Buffer.alloc(0);

/**
 * Walks the fields of one message without copying: `while (reader.next()) switch (reader.field)`, then `varint()` or
 * `start`/`stop` for a field of bytes; what is not taken is skipped.
 */
export class FieldReader {
  field = 0;
  wireType = 0;
  /** The value of a field of bytes lies at [start, stop). */
  start = 0;
  stop = 0;
  private value = 0;

  /** Where the value of a varint field lies, for `uint64`. */
  private varintStart = 0;

  constructor(
    public buffer: Buffer,
    public offset = 0,
    private end = buffer.length,
  ) {}

  /** Starts over on another message. */
  over(buffer: Buffer, offset: number, end: number): this {
    this.buffer = buffer;
    return this.reset(offset, end);
  }

  /** Starts over on another message within the same buffer. */
  reset(offset: number, end: number): this {
    this.offset = offset;
    this.end = end;
    return this;
  }

  /** Lets go of the buffer, which a lasting reader would else keep in memory. */
  release(): void {
    this.over(NOTHING, 0, 0);
  }

  next(): boolean {
    if (this.offset >= this.end) return false;
    const tag = this.readVarint();
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    this.start = this.stop = 0;
    switch (this.wireType) {
      case WIRE_VARINT:
        this.varintStart = this.offset;
        this.value = this.readVarint();
        break;
      case WIRE_BYTES: {
        const length = this.readVarint();
        this.span(length);
        break;
      }
      case WIRE_FIXED64:
        this.span(8);
        break;
      case WIRE_FIXED32:
        this.span(4);
        break;
      default:
        throw new MalformedMessageError(`wire type ${this.wireType} is not known`);
    }
    if (this.field === 0) throw new MalformedMessageError('a field has the number 0');
    return true;
  }

  /** The value of a varint field; beyond 2^53 it is rounded. */
  varint(): number {
    if (this.wireType !== WIRE_VARINT) throw new MalformedMessageError(`field ${this.field} is no varint`);
    return this.value;
  }

  /** The same, exact up to 2^64. */
  uint64(): bigint {
    if (this.wireType !== WIRE_VARINT) throw new MalformedMessageError(`field ${this.field} is no varint`);
    let result = 0n;
    for (let at = this.varintStart, shift = 0n; at < this.offset; at++, shift += 7n) {
      result |= BigInt(this.buffer[at]! & 0x7f) << shift;
    }
    return BigInt.asUintN(64, result);
  }

  /** Signed; what was negative is 2^63 and more as `varint` has it. */
  int64(): number {
    return this.varint() < 2 ** 63 ? this.value : Number(BigInt.asIntN(64, this.uint64()));
  }

  /** A reader over the nested message of this field. */
  nested(): FieldReader {
    this.expectBytes();
    return new FieldReader(this.buffer, this.start, this.stop);
  }

  bytes(): Buffer {
    this.expectBytes();
    return this.buffer.subarray(this.start, this.stop);
  }

  /** What has not been walked yet. */
  bytesOfRest(): Buffer {
    return this.buffer.subarray(this.offset, this.end);
  }

  string(): string {
    this.expectBytes();
    return this.buffer.toString('utf8', this.start, this.stop);
  }

  expectBytes(): void {
    if (this.wireType !== WIRE_BYTES) throw new MalformedMessageError(`field ${this.field} is no message or bytes`);
  }

  private span(length: number): void {
    this.start = this.offset;
    this.stop = this.offset + length;
    if (this.stop > this.end) throw new MalformedMessageError(`field ${this.field} is longer than its message`);
    this.offset = this.stop;
  }

  private readVarint(): number {
    let result = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      if (this.offset >= this.end) throw new MalformedMessageError('a varint is cut off');
      const byte = this.buffer[this.offset++]!;
      result += (byte & 0x7f) * scale;
      if (byte < 0x80) return result;
      scale *= 128;
    }
    throw new MalformedMessageError('a varint is longer than 10 bytes');
  }
}

export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** @returns the offset after it */
export function writeVarint(buffer: Buffer, offset: number, value: number): number {
  let rest = value;
  while (rest >= 128) {
    buffer[offset++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  buffer[offset++] = rest;
  return offset;
}

/** Collects the fields of a small message. */
export class FieldWriter {
  private readonly parts: Buffer[] = [];

  varint(field: number, value: number): this {
    const part = Buffer.allocUnsafe(varintLength(field * 8) + varintLength(value));
    writeVarint(part, writeVarint(part, 0, field * 8 + WIRE_VARINT), value);
    this.parts.push(part);
    return this;
  }

  uint64(field: number, value: bigint): this {
    const part = [...varintBytes(BigInt(field * 8 + WIRE_VARINT)), ...varintBytes(value)];
    this.parts.push(Buffer.from(part));
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    const head = Buffer.allocUnsafe(varintLength(field * 8) + varintLength(value.length));
    writeVarint(head, writeVarint(head, 0, field * 8 + WIRE_BYTES), value.length);
    this.parts.push(head, value as Buffer);
    return this;
  }

  string(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value, 'utf8'));
  }

  message(field: number, fill: (nested: FieldWriter) => void): this {
    const nested = new FieldWriter();
    fill(nested);
    return this.bytes(field, nested.finish());
  }

  finish(): Buffer {
    return Buffer.concat(this.parts);
  }
}

function* varintBytes(value: bigint): Generator<number> {
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) yield Number(rest & 0x7fn) | 0x80;
  yield Number(rest);
}
