import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import { GrpcError, percentEncode, Status } from './grpc-status.js';
import { MessageSplitter } from './message-framing.js';
import type { ReceiveBudget } from './receive-budget.js';

/** Of one message of a call that sends many. */
export const MESSAGE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Of the message of a call that sends one: no such request needs more, and reading it must not hold up others. */
const SINGLE_MESSAGE_LIMIT_BYTES = 1024 * 1024;
/** A client that leaves more than this unread is not read from either. */
const UNREAD_LIMIT_BYTES = 1024 * 1024;
const CONTENT_TYPE = 'application/grpc+proto';
const TIMEOUT_UNITS_MS: Record<string, number> = { n: 1e-6, u: 1e-3, m: 1, S: 1e3, M: 60e3, H: 3600e3 };

/** One gRPC call: messages in, messages out, one status. */
export class GrpcCall {
  readonly path: string;
  /** Host and port the client dialled. */
  readonly authority: string;
  readonly authorization: string | undefined;
  /** Milliseconds since the epoch; infinite when the client sets none. */
  readonly deadlineMs: number;
  /** Aborted when the client has gone or cancelled; then nothing needs to be sent any more. */
  readonly gone: AbortSignal;

  private readonly goneController = new AbortController();
  private outgoing: Buffer[] = [];
  private drained: Promise<void> | undefined;
  private pauses = 0;
  private awaitsReader = false;
  private ended = false;

  constructor(
    private readonly stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    readonly budget: ReceiveBudget,
  ) {
    this.path = String(headers[constants.HTTP2_HEADER_PATH] ?? '');
    this.authority = String(headers[constants.HTTP2_HEADER_AUTHORITY] ?? headers.host ?? '');
    this.authorization = headers.authorization;
    this.deadlineMs = Date.now() + timeoutMs(headers['grpc-timeout']);
    this.gone = this.goneController.signal;
    stream.on('close', () => this.goneController.abort());
    // A broken stream is always closed as well, and there is nobody left to tell.
    stream.on('error', () => this.goneController.abort());
  }

  /** Hands over each message as it arrives. @returns when the client has sent its last; rejects on a broken message */
  async receive(onMessage: (message: Buffer) => void, limitBytes = MESSAGE_LIMIT_BYTES): Promise<void> {
    const splitter = new MessageSplitter(limitBytes);
    let heldBytes = 0;
    const hold = (bytes: number) => {
      if (bytes !== heldBytes) this.budget.take(bytes - heldBytes);
      heldBytes = bytes;
    };
    try {
      await this.chunks((chunk) => {
        splitter.push(chunk, (message) => {
          // From here on it is counted by whoever keeps it.
          hold(0);
          onMessage(message);
        });
        hold(splitter.unfinishedBytes);
      });
    } finally {
      hold(0);
    }
    if (splitter.unfinishedBytes > 0 && !this.gone.aborted) {
      throw new GrpcError(Status.INTERNAL, 'The last message is cut off.');
    }
  }

  /** The single message of a call that has only one. */
  async receiveOne(): Promise<Buffer> {
    let only: Buffer | undefined;
    await this.receive((message) => {
      if (only !== undefined) throw new GrpcError(Status.INTERNAL, 'Expected one message, got more.');
      only = message;
    }, SINGLE_MESSAGE_LIMIT_BYTES);
    if (only === undefined) throw new GrpcError(Status.INTERNAL, 'Expected one message, got none.');
    return only;
  }

  /** May be asked for by several; what the client sends waits until each of them has had `resumeReceiving` called. */
  pauseReceiving(): void {
    if (this.pauses++ === 0) this.stream.pause();
  }

  resumeReceiving(): void {
    if (--this.pauses === 0) this.stream.resume();
  }

  /** Sends framed messages in this tick's write; for small answers. */
  sendSoon(frames: Buffer): void {
    if (this.outgoing.push(frames) === 1) setImmediate(() => this.flush());
  }

  /** Sends framed messages. @returns a promise while the client reads more slowly than we write, else nothing */
  send(frames: Buffer): Promise<void> | undefined {
    if (this.broken || this.ended) return undefined;
    this.open();
    if (this.stream.write(frames)) return undefined;
    this.drained ??= new Promise((resolve) => {
      const done = () => {
        this.drained = undefined;
        this.stream.off('drain', done);
        this.gone.removeEventListener('abort', done);
        resolve();
      };
      this.stream.on('drain', done);
      this.gone.addEventListener('abort', done);
    });
    return this.drained;
  }

  finish(): void {
    this.end({ 'grpc-status': String(Status.OK) });
  }

  fail(error: GrpcError): void {
    const trailers: Record<string, string> = { ...error.trailers };
    trailers['grpc-status'] = String(error.code);
    trailers['grpc-message'] = percentEncode(error.message);
    this.end(trailers);
  }

  /** A stream that is reset is closed at once, and only later destroyed; to answer on it would throw. */
  private get broken(): boolean {
    return this.gone.aborted || this.stream.destroyed || this.stream.closed;
  }

  /** Resolves when the client has sent its last or has gone; rejects with what `onChunk` throws. */
  private chunks(onChunk: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.stream.on('data', (chunk: Buffer) => {
        try {
          onChunk(chunk);
        } catch (error) {
          this.stream.removeAllListeners('data');
          this.stream.resume();
          reject(error);
        }
      });
      this.stream.on('end', resolve);
      this.gone.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private flush(): void {
    const frames = this.outgoing;
    this.outgoing = [];
    if (frames.length === 0) return;
    const drained = this.send(frames.length === 1 ? frames[0]! : Buffer.concat(frames));
    if (drained === undefined || this.awaitsReader || this.stream.writableLength < UNREAD_LIMIT_BYTES) return;
    this.awaitsReader = true;
    this.pauseReceiving();
    void drained.then(() => {
      this.awaitsReader = false;
      this.resumeReceiving();
    });
  }

  private open(): void {
    if (this.stream.headersSent) return;
    this.stream.respond(
      { [constants.HTTP2_HEADER_STATUS]: 200, [constants.HTTP2_HEADER_CONTENT_TYPE]: CONTENT_TYPE },
      { waitForTrailers: true },
    );
  }

  private end(trailers: Record<string, string>): void {
    if (this.ended) return;
    this.flush();
    this.ended = true;
    if (this.broken) return;
    if (this.stream.headersSent) {
      this.stream.on('wantTrailers', () => {
        if (!this.broken) this.stream.sendTrailers(trailers);
      });
      this.stream.end();
    } else {
      const head = { [constants.HTTP2_HEADER_STATUS]: 200, [constants.HTTP2_HEADER_CONTENT_TYPE]: CONTENT_TYPE };
      this.stream.respond({ ...head, ...trailers }, { endStream: true });
    }
    // What the client may still be sending is not waited for, but must be taken, or its connection's window fills up.
    this.stream.resume();
  }
}

function timeoutMs(header: string | string[] | undefined): number {
  const match = /^(\d{1,8})([numSMH])$/.exec(String(header ?? ''));
  return match === null ? Number.POSITIVE_INFINITY : Number(match[1]) * TIMEOUT_UNITS_MS[match[2]!]!;
}
