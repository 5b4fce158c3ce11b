import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import { BadRegexError } from '../core/event-filter.js';
import { MalformedMessageError } from '../log/protobuf.js';
import { GrpcError, invalidArgument, Status, unknownError } from './grpc-status.js';
import { MessageSplitter } from './message-framing.js';

/** Limit for one message of a call that sends many. */
export const MESSAGE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Limit for the message of a call that sends one: no such request needs more, and decoding it blocks other calls. */
const SINGLE_MESSAGE_LIMIT_BYTES = 1024 * 1024;
/** While a client leaves more than this unread, the server reads nothing from it. */
const UNREAD_LIMIT_BYTES = 1024 * 1024;
const HEAD = {
  [constants.HTTP2_HEADER_STATUS]: 200,
  [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc+proto',
};
const TIMEOUT_UNITS_MS: Record<string, number> = { n: 1e-6, u: 1e-3, m: 1, S: 1e3, M: 60e3, H: 3600e3 };

/**
 * Limits the received bytes in memory that are not committed or refused yet, over all calls: each call has limits of its
 * own, but there may be thousands of calls.
 */
export class ReceiveBudget {
  private heldBytes = 0;

  constructor(private readonly limitBytes: number) {}

  /** Throws RESOURCE_EXHAUSTED, and counts nothing, when the bytes exceed the limit. A negative number gives bytes back. */
  take(bytes: number): void {
    if (bytes > 0 && this.heldBytes + bytes > this.limitBytes) {
      throw new GrpcError(Status.RESOURCE_EXHAUSTED, 'Too much is being sent to the server at once.');
    }
    this.heldBytes += bytes;
  }
}

/** One gRPC call: messages in, messages out, one status. */
export class GrpcCall {
  readonly path: string;
  /** Host and port the client dialled. */
  readonly authority: string;
  readonly authorization: string | undefined;
  /** The client accepts an answer only from the leader of a cluster. */
  readonly requiresLeader: boolean;
  /** Epoch milliseconds; infinite when the client sets none. */
  readonly deadlineMs: number;
  /** Aborted when the client has gone or has cancelled the call. */
  readonly gone: AbortSignal;

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
    this.requiresLeader = headers['requires-leader'] === 'true';
    this.deadlineMs = Date.now() + timeoutMs(String(headers['grpc-timeout']));
    const controller = new AbortController();
    this.gone = controller.signal;
    for (const end of ['close', 'error']) stream.on(end, () => controller.abort());
  }

  /** Calls `onMessage` for each message; resolves after the client's last one. Throws GrpcError for a broken message. */
  async receive(onMessage: (message: Buffer) => void, limitBytes = MESSAGE_LIMIT_BYTES): Promise<void> {
    const splitter = new MessageSplitter(limitBytes);
    let heldBytes = 0;
    const hold = (bytes: number) => {
      this.budget.take(bytes - heldBytes);
      heldBytes = bytes;
    };
    const onChunk = (chunk: Buffer) => {
      splitter.push(chunk, (message) => {
        // The receiver counts the message from here on.
        hold(0);
        onMessage(message);
      });
      hold(splitter.unfinishedBytes);
    };
    try {
      await new Promise<void>((resolve, reject) => {
        this.stream.on('data', (chunk: Buffer) => {
          try {
            onChunk(chunk);
          } catch (error) {
            this.stream.removeAllListeners('data').resume();
            reject(error);
          }
        });
        this.stream.on('end', resolve);
        this.gone.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      hold(0);
    }
    if (splitter.unfinishedBytes > 0 && !this.gone.aborted) {
      throw new GrpcError(Status.INTERNAL, 'The last message is cut off.');
    }
  }

  /** Returns the message of a call that has exactly one. */
  async receiveOne(): Promise<Buffer> {
    let only: Buffer | undefined;
    await this.receive((message) => {
      if (only !== undefined) throw new GrpcError(Status.INTERNAL, 'Expected one message, got more.');
      only = message;
    }, SINGLE_MESSAGE_LIMIT_BYTES);
    if (only === undefined) throw new GrpcError(Status.INTERNAL, 'Expected one message, got none.');
    return only;
  }

  /** Pauses reading. Calls nest: reading resumes after as many calls of `resumeReceiving`. */
  pauseReceiving(): void {
    if (this.pauses++ === 0) this.stream.pause();
  }

  resumeReceiving(): void {
    if (--this.pauses === 0) this.stream.resume();
  }

  /** Sends small framed messages together with those of the promises that settle with this one. */
  sendSoon(frames: Buffer): void {
    if (this.outgoing.push(frames) === 1) process.nextTick(() => this.flush());
  }

  /** Sends framed messages. Returns a promise when the client reads too slowly; it resolves when the client has caught up. */
  send(frames: Buffer): Promise<void> | undefined {
    if (this.broken || this.ended) return undefined;
    if (!this.stream.headersSent) this.stream.respond(HEAD, { waitForTrailers: true });
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

  /** Ends the call with a GrpcError's status. Any other error is a bug, which is logged and becomes INTERNAL. */
  fail(error: unknown): void {
    const { code, message, trailers } = this.statusOf(error);
    // `encodeURI` throws for a half of a surrogate pair, which Buffer replaces.
    const text = encodeURI(Buffer.from(message).toString());
    this.end({ ...trailers, 'grpc-status': String(code), 'grpc-message': text });
  }

  private statusOf(error: unknown): GrpcError {
    if (error instanceof GrpcError) return error;
    if (error instanceof BadRegexError) return unknownError(`The filter cannot be used: ${error.message}.`);
    if (error instanceof MalformedMessageError) return invalidArgument(`The message cannot be read: ${error.message}.`);
    console.error(`${this.path} failed:`, error);
    return new GrpcError(Status.INTERNAL, 'The server failed to carry out the call; its log says why.');
  }

  /** A reset stream is closed at once and destroyed later; answering on it would throw. */
  private get broken(): boolean {
    return this.gone.aborted || this.stream.destroyed || this.stream.closed;
  }

  private flush(): void {
    const frames = this.outgoing.splice(0);
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
    } else this.stream.respond({ ...HEAD, ...trailers }, { endStream: true });
    // The rest of the client's messages must be read, or the connection's window fills up.
    this.stream.resume();
  }
}

function timeoutMs(header: string): number {
  const [, count, unit] = /^(\d{1,8})([numSMH])$/.exec(header) ?? [];
  return unit === undefined ? Number.POSITIVE_INFINITY : Number(count) * TIMEOUT_UNITS_MS[unit]!;
}
