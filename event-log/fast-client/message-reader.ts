/** Encodes a field's number and wire type: 0 for a varint, 2 for a length and that many bytes. */
export const field = (number: number, wireType: 0 | 2): number => (number << 3) | wireType;

/** The scale of a varint's ninth byte, which no safe integer has. */
const BEYOND_NUMBERS = 2 ** 56;
/** Decoding puts it in the place of bytes that are no UTF-8. */
const REPLACED = '\ufffd';

/** Reads a protobuf message's fields. `isWhole` is false after something that it cannot read; google-protobuf then decodes the message. */
export class MessageReader {
  at = 0;
  isWhole = true;

  constructor(private readonly buffer: Buffer) {}

  get left(): number {
    return this.buffer.length - this.at;
  }

  /** Exact up to 2⁵³; gives up above, because a number cannot hold such a position exactly. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < BEYOND_NUMBERS; scale *= 128) {
      const byte = this.buffer[this.at++];
      if (byte === undefined) return this.giveUp();
      value += (byte & 127) * scale;
      if (byte < 128) return value <= Number.MAX_SAFE_INTEGER ? value : this.giveUp();
    }
    return this.giveUp();
  }

  length(): number {
    const length = this.varint();
    return length <= this.left ? length : this.giveUp();
  }

  bytes(): Buffer {
    const length = this.length();
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }

  /** Gives up on bytes that are no UTF-8, so that the client decodes them in its own way. */
  text(): string {
    const length = this.length();
    this.at += length;
    const text = this.buffer.toString('utf8', this.at - length, this.at);
    if (text.includes(REPLACED)) this.giveUp();
    return text;
  }

  /** The text of a message that has this one field. */
  onlyText(tag: number): string {
    const end = this.length() + this.at;
    if (this.varint() !== tag) this.giveUp();
    const text = this.text();
    if (this.at !== end) this.giveUp();
    return text;
  }

  /** Reads these bytes if they come next, and returns whether they did. */
  passes(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) {
      if (this.buffer[this.at + index] !== bytes[index]) return false;
    }
    this.at += bytes.length;
    return true;
  }

  /** Stops reading: the message does not have the expected form. */
  giveUp(): number {
    this.isWhole = false;
    this.at = this.buffer.length;
    return 0;
  }
}
