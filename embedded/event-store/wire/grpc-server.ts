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
import { MalformedMessageError } from '../encoding/protobuf.js';
import { GrpcCall } from './grpc-call.js';
import { GrpcError, invalidArgument, Status } from './grpc-status.js';
import { ReceiveBudget } from './receive-budget.js';

/** Large enough that a client never waits for leave to send a big append. */
const RECEIVE_WINDOW_BYTES = 4 * 1024 * 1024;
const CALLS_PER_CONNECTION = 1_000;
/** Node's 10 MB would refuse new calls beside a hundred readers that stall; each of them has a quarter of one waiting. */
const CONNECTION_MEMORY_MB = 1_024;
const RECEIVED_LIMIT_BYTES = 128 * 1024 * 1024;
const GRPC = /^application\/grpc(\+proto)?(;|$)/;
const SHUTDOWN_PATIENCE_MS = 2_000;

/** Serves one call; a GrpcError thrown becomes the call's status, anything else is a bug and INTERNAL. */
export type CallHandler = (call: GrpcCall) => Promise<void>;

export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
}

/**
 * gRPC on node:http2 itself: @grpc/grpc-js frames and writes every message by itself, while the frames this server
 * sends lie ready in the log and leave by the hundred in one write.
 */
export class GrpcServer {
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly calls = new Set<GrpcCall>();

  private constructor(
    private readonly server: Http2Server,
    private readonly route: (path: string) => CallHandler | undefined,
    private readonly budget: ReceiveBudget,
  ) {
    server.on('session', (session) => this.greet(session));
    server.on('stream', (stream, headers) => this.accept(stream, headers));
    // A client that speaks no HTTP/2 or breaks off its handshake harms only itself.
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
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        server.on('error', (error) => console.error('A connection could not be accepted:', error));
        resolve();
      });
    });
    return grpc;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Tells every open call that the server goes away, and waits a little for the connections to end. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const call of this.calls) call.fail(new GrpcError(Status.UNAVAILABLE, 'The server is shutting down.'));
    for (const session of this.sessions) session.close();
    const patience = setTimeout(() => this.destroy(), SHUTDOWN_PATIENCE_MS);
    await closed;
    clearTimeout(patience);
  }

  /** Breaks every connection at once. */
  destroy(): void {
    this.server.close();
    for (const session of this.sessions) session.destroy();
  }

  private greet(session: ServerHttp2Session): void {
    this.sessions.add(session);
    session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
    session.on('close', () => this.sessions.delete(session));
    session.on('error', () => session.destroy());
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
      call.fail(statusOf(error, call.path));
    }
  }
}

/** What is no gRPC call is answered as HTTP. */
function refuseHttp(stream: ServerHttp2Stream, status: number): void {
  stream.on('error', () => undefined);
  if (stream.closed || stream.destroyed) return;
  stream.respond({ [constants.HTTP2_HEADER_STATUS]: status }, { endStream: true });
  stream.resume();
}

function statusOf(error: unknown, path: string): GrpcError {
  if (error instanceof GrpcError) return error;
  if (error instanceof MalformedMessageError) return invalidArgument(`The message cannot be read: ${error.message}.`);
  console.error(`${path} failed:`, error);
  return new GrpcError(Status.INTERNAL, 'The server failed to carry out the call; its log says why.');
}
