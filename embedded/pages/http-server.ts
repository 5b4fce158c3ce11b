import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Html } from './html.js';

/** The little of an HTTP server that the stand-ins need: routes, bounded bodies, pages that load nothing from elsewhere. */
export interface Request {
  method: string;
  path: string;
  /** What the route's pattern named. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  answer(request: Request): Answer | Promise<Answer>;
}

export interface HttpServerOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  routes: readonly Route[];
  notFound(request: Request): Answer;
  /** May answer in place of a route, or hold back or break an answer: how a test makes the network bad. */
  around?(request: Request, answer: () => Promise<Answer>, socket: Connection): Promise<Answer | 'unanswered'>;
}

export interface Connection {
  /** Breaks the connection off without an answer. */
  reset(): void;
}

export interface RunningServer {
  port: number;
  close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 256 * 1024;
const BASE = 'http://stand-in';

/** Nothing is loaded from elsewhere, nothing runs but our own file, nobody frames the page. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Nothing to other sites; to itself the origin, by which a form of ours is told from another's.
  'referrer-policy': 'same-origin',
};

export const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

export const page = (status: number, content: Html): Answer => ({
  status,
  headers: PAGE_HEADERS,
  body: `<!doctype html>\n${content.text}`,
});

export const redirect = (location: string): Answer => ({ status: 303, headers: { location }, body: '' });

/** The caller's mistake, in words. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** The body as a JSON object; an empty body is an empty one. */
export function jsonBody(request: Request): Record<string, unknown> {
  if (request.body.length === 0) return {};
  try {
    const body: unknown = JSON.parse(request.body.toString('utf8'));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Refused below, like any other body that is no object.
  }
  throw new BadRequest('The body must be a JSON object');
}

export const formBody = (request: Request): URLSearchParams => new URLSearchParams(request.body.toString('utf8'));

export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const server = createServer((incoming, response) => {
    serve(options, incoming, response).catch((error: unknown) => {
      if (incoming.errored !== null || response.destroyed) return; // The caller hung up.
      console.error(`${incoming.method} ${incoming.url} failed:`, error);
      if (response.headersSent) response.destroy();
      else send(response, json(500, { error: 'It failed; see the log.' }));
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(options: HttpServerOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await boundedBody(incoming);
  if (body === undefined) return send(response, json(413, { error: `more than ${BODY_LIMIT_BYTES} bytes` }));
  const target = incoming.url ?? '/';
  if (!URL.canParse(target, BASE)) return send(response, json(400, { error: 'This is no address.' }));
  const url = new URL(target, BASE);
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET');
  const request: Request = {
    method,
    path: url.pathname,
    parameters: {},
    query: url.searchParams,
    headers: incoming.headers,
    body,
  };
  const answer = () => answerOf(options, request);
  const connection: Connection = { reset: () => incoming.socket.resetAndDestroy() };
  const answered = options.around === undefined ? await answer() : await options.around(request, answer, connection);
  if (answered !== 'unanswered') send(response, answered);
}

async function answerOf({ routes, notFound }: HttpServerOptions, request: Request): Promise<Answer> {
  if (request.method !== 'GET' && isFromElsewhere(request)) {
    return json(403, { error: 'This came from a page of another site.' });
  }
  for (const route of routes) {
    const match = route.method === request.method ? route.path.exec(request.path) : null;
    if (match === null) continue;
    try {
      return await route.answer({ ...request, parameters: { ...match.groups } });
    } catch (error) {
      if (error instanceof BadRequest) return json(400, { error: error.message });
      throw error;
    }
  }
  return notFound(request);
}

/** A page of any site can post to a server on this machine; browsers say from where, and `null` where that is hidden. */
function isFromElsewhere({ headers: { origin, host } }: Request): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

async function boundedBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to its end, or the answer would never arrive, but not kept.
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return size > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    'x-content-type-options': 'nosniff',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
