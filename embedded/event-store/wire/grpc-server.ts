import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { GrpcCall, ReceiveBudget } from './grpc-call.js';
import { GrpcError, Status } from './grpc-status.js';

/** Large enough that a client can send a big append without waiting for window updates. */
const RECEIVE_WINDOW_BYTES = 4 * 1024 * 1024;
/** As on the real server: the 101st call waits without an answer. */
const CALLS_PER_CONNECTION = 100;
/** With Node's 10 MB a hundred stalled readers, each with 256 KiB unread, would block new calls on their connection. */
const CONNECTION_MEMORY_MB = 1_024;
const RECEIVED_LIMIT_BYTES = 128 * 1024 * 1024;
const GRPC = /^application\/grpc(\+proto)?(;|$)/;
const SHUTDOWN_PATIENCE_MS = 2_000;

/** Serves one call. */
export type CallHandler = (call: GrpcCall) => Promise<void>;

export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

/**
 * A gRPC server on node:http2. @grpc/grpc-js would frame and write every message separately; this server's frames are
 * stored in the log, and hundreds are sent in one write.
 */
export class GrpcServer {
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly calls = new Set<GrpcCall>();

  private constructor(
    private readonly server: Http2Server,
    private readonly route: (path: string) => CallHandler | undefined,
    private readonly budget: ReceiveBudget,
  ) {
    server.on('session', (session) => {
      this.sessions.add(session);
      session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
      session.on('close', () => this.sessions.delete(session));
      session.on('error', () => session.destroy());
    });
    server.on('stream', (stream, headers) => this.accept(stream, headers));
    // A client that speaks no HTTP/2, or breaks its handshake off, affects no other.
    server.on('sessionError', () => undefined);
  }

  static async listen(
    host: string,
    port: number,
    tls: TlsFiles | undefined,
    route: (path: string) => CallHandler | undefined,
    receivedLimitBytes = RECEIVED_LIMIT_BYTES,
  ): Promise<GrpcServer> {
    const options = {
      settings: { initialWindowSize: RECEIVE_WINDOW_BYTES, maxConcurrentStreams: CALLS_PER_CONNECTION },
      maxSessionMemory: CONNECTION_MEMORY_MB,
    };
    const server = tls === undefined ? createServer(options) : createSecureServer({ ...options, ...tls });
    const grpc = new GrpcServer(server as Http2Server, route, new ReceiveBudget(receivedLimitBytes));
    await once(server.listen(port, host), 'listening');
    server.on('error', (error) => console.error('A connection could not be accepted:', error));
    return grpc;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends every open call with UNAVAILABLE, and waits up to 2 s for the connections to end. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const call of this.calls) call.fail(new GrpcError(Status.UNAVAILABLE, 'The server is shutting down.'));
    for (const session of this.sessions) session.close();
    const patience = setTimeout(() => this.destroy(), SHUTDOWN_PATIENCE_MS);
    await closed;
    clearTimeout(patience);
  }

  /** Destroys every connection at once. */
  destroy(): void {
    this.server.close();
    for (const session of this.sessions) session.destroy();
  }

  private accept(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const isPost = headers[constants.HTTP2_HEADER_METHOD] === 'POST';
    if (!isPost || !GRPC.test(headers['content-type'] ?? '')) {
      refuseHttp(stream, isPost ? 415 : 405);
      return;
    }
    const call = new GrpcCall(stream, headers, this.budget);
    this.calls.add(call);
    call.gone.addEventListener('abort', () => this.calls.delete(call), { once: true });
    void this.serve(call);
  }

  /** Never rejects. */
  private async serve(call: GrpcCall): Promise<void> {
    try {
      const handler = this.route(call.path);
      if (handler === undefined) throw new GrpcError(Status.UNIMPLEMENTED, `There is no method ${call.path}.`);
      await handler(call);
      call.finish();
    } catch (error) {
      call.fail(error);
    }
  }
}

/** Answers a request that is no gRPC call with an HTTP status. */
function refuseHttp(stream: ServerHttp2Stream, status: number): void {
  stream.on('error', () => undefined);
  if (stream.closed || stream.destroyed) return;
  stream.respond({ [constants.HTTP2_HEADER_STATUS]: status }, { endStream: true });
  stream.resume();
}
