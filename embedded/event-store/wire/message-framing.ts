import { FRAME_HEADER_LENGTH, MessageWriter } from '../log/protobuf.js';
import { GrpcError, Status } from './grpc-status.js';

/** Limit for a message that arrives in tiny pieces, each of which costs memory of its own. */
const PIECES_LIMIT = 4_096;

/** Puts gRPC's header before an encoded message. */
export const frameMessage = (message: Uint8Array): Buffer => new MessageWriter().raw(message).frame();

/** Splits the arriving bytes into messages. A message is copied only if it arrived in several pieces. */
export class MessageSplitter {
  private pieces: Buffer[] = [];
  /** Bytes to wait for: first the header, then the whole frame. */
  private wanted = FRAME_HEADER_LENGTH;
  /** Bytes received of an incomplete message; 0 between two messages. */
  unfinishedBytes = 0;

  constructor(private readonly limitBytes: number) {}

  /** Throws GrpcError for a message that is compressed or over the limit. */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    this.pieces.push(chunk);
    this.unfinishedBytes += chunk.length;
    if (this.pieces.length > PIECES_LIMIT) this.joinPieces();
    while (this.unfinishedBytes >= this.wanted) {
      const bytes = this.joinPieces();
      this.wanted = FRAME_HEADER_LENGTH + this.readHeader(bytes);
      if (this.unfinishedBytes < this.wanted) return;
      const message = bytes.subarray(FRAME_HEADER_LENGTH, this.wanted);
      this.unfinishedBytes -= this.wanted;
      this.pieces = this.unfinishedBytes === 0 ? [] : [bytes.subarray(this.wanted)];
      this.wanted = FRAME_HEADER_LENGTH;
      onMessage(message);
    }
  }

  private joinPieces(): Buffer {
    if (this.pieces.length > 1) this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0]!;
  }

  private readHeader(bytes: Buffer): number {
    if (bytes[0] !== 0) throw new GrpcError(Status.UNIMPLEMENTED, 'Compressed messages are not supported.');
    const length = bytes.readUInt32BE(1);
    if (length <= this.limitBytes) return length;
    const text = `A message of ${length} bytes is larger than the limit of ${this.limitBytes} bytes.`;
    throw new GrpcError(Status.RESOURCE_EXHAUSTED, text);
  }
}
