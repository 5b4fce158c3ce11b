/** Field number and wire type as they stand in the bytes: 0 a varint, 2 a length and that many bytes. */
export const field = (number: number, wireType: 0 | 2): number => (number << 3) | wireType;

/** Of the ninth byte of a varint. */
const BEYOND_NUMBERS = 2 ** 56;
/** Stands in a text for bytes that are no UTF-8. */
const REPLACED = '\ufffd';

/** Reads a protobuf message's fields. It reads on past what it does not understand, and then says that it was not whole. */
export class MessageReader {
  at = 0;
  isWhole = true;

  constructor(private readonly buffer: Buffer) {}

  get left(): number {
    return this.buffer.length - this.at;
  }

  /** Exact up to 2⁵³, the highest position a number can name; above that the message is not ours to read. */
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

  /** What is no UTF-8 is the client's to read in its own way. */
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

  /** The bytes of a message that has this one field. */
  onlyBytes(tag: number): Buffer {
    const end = this.length() + this.at;
    if (this.varint() !== tag) this.giveUp();
    const bytes = this.bytes();
    if (this.at !== end) this.giveUp();
    return bytes;
  }

  /** Whether these bytes come next; if so, it has read them. */
  passes(bytes: Uint8Array): boolean {
    for (let index = 0; index < bytes.length; index++) {
      if (this.buffer[this.at + index] !== bytes[index]) return false;
    }
    this.at += bytes.length;
    return true;
  }

  /** What was read was not as it should be: the message is not ours to read. */
  giveUp(): number {
    this.isWhole = false;
    this.at = this.buffer.length;
    return 0;
  }
}
