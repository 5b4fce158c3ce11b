import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import {
  type ClientHttp2Session,
  connect,
  createServer as createHttp2Server,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The outside calls of a process, step by step. Each call to the gateway or the event store is two steps: before it is
 * forwarded, and when it was carried out, before its answer is. `onStep` returns true to let the process end there: then
 * nothing is forwarded any more.
 */
export class StepProxy {
  onStep: (step: string) => boolean = () => false;
  private readonly servers: { close(): unknown; closeAllConnections?(): void }[] = [];

  /** The address of a proxy before an HTTP server. */
  async http(target: string): Promise<string> {
    const server: Server = createServer(async (incoming, outgoing) => {
      const { method, url = '/', headers } = incoming;
      const [path = ''] = url.split('?');
      const step = path.endsWith('/verify') ? 'verify' : `${method} ${path}`;
      const body = await buffer(incoming).catch(() => null);
      // A killed process breaks off its requests.
      if (body === null || this.onStep(`before ${step}`)) return;
      const upstream = request(new URL(url, target), { method, headers });
      upstream.on('error', () => outgoing.destroy());
      upstream.on('response', async (response) => {
        const answer = await buffer(response);
        if (this.onStep(`after ${step}`)) return;
        outgoing.writeHead(response.statusCode ?? 502, response.headers).end(answer);
      });
      upstream.end(body);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** The port of a proxy before a gRPC server. Each message of the client is a call, and the server's next message its answer. */
  async grpc(targetPort: number): Promise<number> {
    const server = createHttp2Server();
    server.on('session', (session) => {
      const upstream = connect(`http://127.0.0.1:${targetPort}`);
      session.on('close', () => upstream.destroy());
      session.on('error', () => upstream.destroy());
      upstream.on('error', () => session.destroy());
      session.on('stream', (stream: ServerHttp2Stream, headers) => {
        // The process has just been killed.
        if (upstream.closed || upstream.destroyed) stream.close();
        else this.pass(stream, headers, upstream);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  close(): void {
    for (const server of this.servers) {
      server.closeAllConnections?.();
      server.close();
    }
  }

  private pass(stream: ServerHttp2Stream, headers: Record<string, unknown>, upstream: ClientHttp2Session): void {
    const step = String(headers[':path']).split('/').at(-1);
    let isAnswerDue = false;
    const call = upstream.request(headers as Record<string, string>, { endStream: false });
    stream.on('data', (message: Buffer) => {
      isAnswerDue = true;
      if (!this.onStep(`before ${step}`)) call.write(message);
    });
    stream.on('end', () => call.end());
    stream.on('error', () => call.close());
    stream.on('close', () => call.close());
    let trailers = {};
    call.on('trailers', (received) => {
      trailers = received;
    });
    call.on('response', (received) => {
      if (!stream.destroyed) stream.respond(received, { waitForTrailers: true });
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    call.on('data', (message: Buffer) => {
      const isAnswer = isAnswerDue;
      isAnswerDue = false;
      if (isAnswer && this.onStep(`after ${step}`)) return;
      if (!stream.destroyed) stream.write(message);
    });
    call.on('end', () => stream.end());
    call.on('error', () => stream.destroy());
  }
}
