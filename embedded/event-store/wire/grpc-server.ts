import { once } from 'node:events';
import * as http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { status } from '@grpc/grpc-js';
import { LOOPBACK } from '../../shared/stand-in-process.js';
import { FRAME_HEADER_LENGTH, frameLength } from '../log/event-frame.js';

/** Large enough that a client can send a big append without waiting for window updates. */
const RECEIVE_WINDOW_BYTES = 4 * 1024 * 1024;
const MESSAGE_LIMIT_BYTES = 16 * 1024 * 1024;
/** The real server's limit: the 101st call waits without a response. */
const CALLS_PER_CONNECTION = 100;
/** Node's 10 MB are too few: a hundred stalled readers, each with a page unread, would block new calls on their connection. */
const CONNECTION_MEMORY_MB = 1_024;
const HEAD = {
  [http2.constants.HTTP2_HEADER_STATUS]: 200,
  [http2.constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc+proto',
};

/** Ends a call with a status other than OK. Trailers must be ASCII. */
export class GrpcError extends Error {
  constructor(
    readonly code: status,
    message: string,
    readonly trailers: Readonly<Record<string, string>> = {},
    /** Message of a refused append, and its type, by which a BatchAppend call reports it and goes on. */
    readonly details?: { type: string; message: { serializeBinary(): Uint8Array } },
  ) {
    super(message);
  }
}

export const invalidArgument = (message: string): GrpcError => new GrpcError(status.INVALID_ARGUMENT, message);

export type CallHandler = (call: GrpcCall) => Promise<void>;

/** Returns the handler of a gRPC method path, undefined for an unknown one. */
export type Route = (path: string) => CallHandler | undefined;

/** Throws GrpcError when the call's user may not do this with the stream. */
export type Authorize = (call: GrpcCall, action: 'read' | 'write' | 'delete', stream: string) => Promise<void>;

/** One gRPC call: messages in, messages out, one status. */
export class GrpcCall {
  /** Aborted when the client has gone or has cancelled the call. */
  readonly gone: AbortSignal;
  private isCorked = false;

  constructor(
    private readonly stream: http2.ServerHttp2Stream,
    readonly headers: http2.IncomingHttpHeaders,
  ) {
    const controller = new AbortController();
    this.gone = controller.signal;
    for (const end of ['close', 'error']) stream.on(end, () => controller.abort());
  }

  get path(): string {
    return String(this.headers[http2.constants.HTTP2_HEADER_PATH]);
  }

  /** Yields the client's messages. A message is copied only if it arrived in several pieces, and then once. */
  async *messages(): AsyncGenerator<Buffer> {
    let pieces: Buffer[] = [];
    let missing = FRAME_HEADER_LENGTH;
    for await (const chunk of this.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      pieces.push(chunk);
      missing -= chunk.length;
      if (missing > 0) continue;
      let rest = pieces.length === 1 ? chunk : Buffer.concat(pieces);
      let end = FRAME_HEADER_LENGTH;
      while (rest.length >= FRAME_HEADER_LENGTH) {
        end = frameLength(rest, 0);
        if (end > MESSAGE_LIMIT_BYTES) throw new GrpcError(status.RESOURCE_EXHAUSTED, 'The message is too large.');
        if (rest.length < end) break;
        yield rest.subarray(FRAME_HEADER_LENGTH, end);
        rest = rest.subarray(end);
        end = FRAME_HEADER_LENGTH;
      }
      pieces = rest.length === 0 ? [] : [rest];
      missing = end - rest.length;
    }
  }

  async receiveOne(): Promise<Buffer> {
    let only: Buffer | undefined;
    for await (const message of this.messages()) only = message;
    if (only === undefined) throw new GrpcError(status.INTERNAL, 'Expected one message, got none.');
    return only;
  }

  /** Sends framed messages. Returns a promise when the client reads too slowly, which resolves once it has caught up. */
  send(frames: Buffer): Promise<unknown> | undefined {
    if (this.isOver) return undefined;
    if (!this.stream.headersSent) this.stream.respond(HEAD, { waitForTrailers: true });
    if (!this.isCorked) {
      this.isCorked = true;
      this.stream.cork();
      process.nextTick(() => {
        this.isCorked = false;
        this.stream.uncork();
      });
    }
    if (this.stream.write(frames)) return undefined;
    return once(this.stream, 'drain', { signal: this.gone }).catch(() => undefined);
  }

  /** Ends the call: with the status OK, or with that of a GrpcError. Any other error is a bug, which is logged. */
  finish(error?: unknown): void {
    if (this.isOver) return;
    const trailers = error === undefined ? { 'grpc-status': String(status.OK) } : this.trailersOf(error);
    if (this.stream.headersSent) {
      this.stream.on('wantTrailers', () => this.stream.sendTrailers(trailers));
      this.stream.end();
    } else this.stream.respond({ ...HEAD, ...trailers }, { endStream: true });
    // The rest of the client's messages must be read, or the connection's window fills up.
    this.stream.resume();
  }

  private trailersOf(error: unknown): Record<string, string> {
    if (!(error instanceof GrpcError)) console.error(`${this.path} failed:`, error);
    const { code, message, trailers } =
      error instanceof GrpcError ? error : new GrpcError(status.INTERNAL, 'The server failed; its log says why.');
    return { ...trailers, 'grpc-status': String(code), 'grpc-message': encodeURI(message) };
  }

  /** A reset stream is closed at once and destroyed later; answering on it would throw. */
  private get isOver(): boolean {
    return this.gone.aborted || this.stream.destroyed || this.stream.closed || this.stream.writableEnded;
  }
}

/** Serves on node:http2: unlike @grpc/grpc-js it sends frames as the log stores them, hundreds in one write. */
export async function listenForGrpc(port: number, tls: { cert: Buffer; key: Buffer } | undefined, route: Route) {
  const options = {
    settings: { initialWindowSize: RECEIVE_WINDOW_BYTES, maxConcurrentStreams: CALLS_PER_CONNECTION },
    maxSessionMemory: CONNECTION_MEMORY_MB,
  };
  const secure = tls && http2.createSecureServer({ ...options, ...tls });
  const server = (secure ?? http2.createServer(options)) as http2.Http2Server;
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  server.on('stream', (stream, headers) => void serve(new GrpcCall(stream, headers), route));
  // A client that speaks no HTTP/2, or breaks its handshake off, affects no other.
  server.on('sessionError', () => undefined);
  await once(server.listen(port, LOOPBACK), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

/** Never rejects. */
async function serve(call: GrpcCall, route: Route): Promise<void> {
  try {
    const handler = route(call.path);
    if (handler === undefined) throw new GrpcError(status.UNIMPLEMENTED, `There is no method ${call.path}.`);
    await handler(call);
    call.finish();
  } catch (error) {
    call.finish(error);
  }
}
