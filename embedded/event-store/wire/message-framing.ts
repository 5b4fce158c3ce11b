import { GrpcError, Status } from './grpc-status.js';

const HEADER_LENGTH = 5;
/** A message in tiny pieces must not take many times its size. */
const PIECES_LIMIT = 4_096;

/** Puts a message's length before it, as gRPC sends it. */
export function frameMessage(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_LENGTH + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEADER_LENGTH);
  return frame;
}

/** Cuts what arrives into messages. A message is copied only if it arrived in several pieces. */
export class MessageSplitter {
  private pieces: Buffer[] = [];
  private length = 0;
  /** Length of the frame under way, header included; unknown until its header is there. */
  private wanted = HEADER_LENGTH;
  private headerRead = false;

  constructor(private readonly limitBytes: number) {}

  /** Of the message that has begun and not ended; 0 between two messages. */
  get unfinishedBytes(): number {
    return this.length;
  }

  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    this.pieces.push(chunk);
    this.length += chunk.length;
    if (this.pieces.length > PIECES_LIMIT) this.pieces = [Buffer.concat(this.pieces, this.length)];
    while (this.length >= this.wanted) {
      const whole = this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.length);
      if (!this.headerRead) {
        this.wanted = HEADER_LENGTH + this.readHeader(whole);
        this.headerRead = true;
        this.pieces = [whole];
        continue;
      }
      const message = whole.subarray(HEADER_LENGTH, this.wanted);
      this.pieces = whole.length === this.wanted ? [] : [whole.subarray(this.wanted)];
      this.length -= this.wanted;
      this.wanted = HEADER_LENGTH;
      this.headerRead = false;
      onMessage(message);
    }
  }

  private readHeader(bytes: Buffer): number {
    if (bytes[0] !== 0) throw new GrpcError(Status.UNIMPLEMENTED, 'Compressed messages are not supported.');
    const length = bytes.readUInt32BE(1);
    if (length > this.limitBytes) {
      throw new GrpcError(
        Status.RESOURCE_EXHAUSTED,
        `A message of ${length} bytes is larger than the limit of ${this.limitBytes} bytes.`,
      );
    }
    return length;
  }
}
