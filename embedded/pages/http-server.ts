import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { parse } from 'cookie';
import type { Html } from './html.js';

export interface HttpRequest {
  method: string;
  path: string;
  /** Values of the route path's `:name` segments. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

export interface Route {
  method: string;
  path: RegExp;
  handle: Handler;
}

/** Limits a stand-in's pages to the requests that know the token. */
export interface Access {
  token: string;
  /** Whether a path needs no token. */
  isOpen(path: string): boolean;
}

interface HttpServerOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  routes: readonly Route[];
  notFound: Handler;
  /** Absent: everybody who reaches the server may use it. */
  access?: Access | undefined;
  /** Runs around every handler. It may replace the response, or return undefined to send none. */
  middleware?(
    request: HttpRequest,
    next: () => Promise<HttpResponse>,
    resetConnection: () => void,
  ): Promise<HttpResponse | undefined>;
}

export interface HttpServer {
  port: number;
  /** The server's address as this machine reaches it. */
  url: string;
  close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 256 * 1024;
const BASE_URL = 'http://stand-in';

/** Pages load nothing from other sites, run only our own script file, and cannot be framed. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // Our own forms keep their Origin header, which the cross-site check needs; other sites see no referrer.
  'referrer-policy': 'same-origin',
};

/** A handler throws it to send an error response; the body is `{ error: message }` unless given. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly body: object = { error: message },
  ) {
    super(message);
  }
}

/** In a route's path each `:name` segment becomes a parameter; a slash at the end is optional. */
const routeFor =
  (method: string) =>
  (path: string, handle: Handler): Route => {
    return { method, path: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`), handle };
  };

export const get = routeFor('GET');
export const post = routeFor('POST');
export const del = routeFor('DELETE');

export const json = (status: number, value: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

export const page = (status: number, content: Html): HttpResponse => ({
  status,
  headers: PAGE_HEADERS,
  body: `<!doctype html>\n${content.text}`,
});

export const redirect = (location: string): HttpResponse => ({ status: 303, headers: { location }, body: '' });

/** The body as a JSON object; an absent body is an empty object. */
export function jsonBody(request: HttpRequest): Record<string, unknown> {
  if (request.body.length === 0) return {};
  try {
    const body: unknown = JSON.parse(request.body.toString('utf8'));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw new HttpError(400, 'The body must be a JSON object');
}

export const formBody = (request: HttpRequest): URLSearchParams => new URLSearchParams(request.body.toString('utf8'));

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host } = options;
  const server = createServer((incoming, response) => {
    serve(options, incoming, response).catch((error: unknown) => {
      if (incoming.errored !== null || response.destroyed) return; // The client disconnected.
      console.error(`${incoming.method} ${incoming.url} failed:`, error);
      if (response.headersSent) response.destroy();
      else send(response, json(500, { error: 'It failed; see the log.' }));
    });
  });
  await once(server.listen(options.port, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${reachableHost(host)}:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The address by which this machine reaches a server that listens on `host`. */
export const reachableHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);

async function serve(options: HttpServerOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(incoming);
  if (body === undefined) return send(response, json(413, { error: `more than ${BODY_LIMIT_BYTES} bytes` }));
  const { headers, url: target = '/', socket } = incoming;
  if (!URL.canParse(target, BASE_URL)) return send(response, json(400, { error: 'The address is not valid.' }));
  const { pathname: path, searchParams: query } = new URL(target, BASE_URL);
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET');
  const request: HttpRequest = { method, path, parameters: {}, query, headers, body };
  const next = () => handle(options, request);
  const { middleware = next } = options;
  const handled = await middleware(request, next, () => socket.resetAndDestroy());
  if (handled !== undefined) send(response, handled);
}

async function handle({ routes, notFound, access }: HttpServerOptions, request: HttpRequest): Promise<HttpResponse> {
  try {
    if (!isLocalHost(request.headers.host)) throw new HttpError(421, 'This server does not have that name.');
    if (request.method !== 'GET' && isCrossSite(request)) {
      throw new HttpError(403, 'This request came from a page of another site.');
    }
    if (access !== undefined && !access.isOpen(request.path)) {
      const entrance = authenticate(access.token, request);
      if (entrance !== undefined) return entrance;
    }
    for (const { method, path, handle } of routes) {
      const match = method === request.method ? path.exec(request.path) : null;
      if (match !== null) return await handle({ ...request, parameters: { ...match.groups } });
    }
    return await notFound(request);
  } catch (error) {
    if (error instanceof HttpError) return json(error.status, error.body);
    throw error;
  }
}

/**
 * Returns undefined for a request with the token, as bearer or cookie, or a redirect that moves the token from `?token=` into a cookie.
 * Throws HttpError for all others.
 */
export function authenticate(token: string, request: HttpRequest): HttpResponse | undefined {
  const { headers, method, path, query } = request;
  const sent = query.get('token');
  if (method === 'GET' && sent !== null && isEqual(sent, token)) {
    const rest = new URLSearchParams(query);
    rest.delete('token');
    // One slash only: two would lead to another host.
    const answer = redirect(`${path.replace(/^\/+/, '/')}${rest.size > 0 ? `?${rest}` : ''}`);
    return {
      ...answer,
      headers: {
        ...answer.headers,
        'set-cookie': `${cookieOf(headers.host)}=${token}; Path=/; HttpOnly; SameSite=Lax`,
      },
    };
  }
  const known = [headers.authorization?.replace(/^Bearer /, ''), parse(headers.cookie ?? '')[cookieOf(headers.host)]];
  if (known.some((value) => value !== undefined && isEqual(value, token))) return undefined;
  throw new HttpError(403, 'Add ?token=… to the address. `npm start` prints the token.');
}

const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

/** Hashed, because the comparison needs equal lengths. */
const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Browsers send a cookie to all ports of its host, so the port is in the name. */
const cookieOf = (host = ''): string => `practice-token-${/:(\d+)$/.exec(host)?.[1] ?? 80}`;

/**
 * A page of any site can read a server of this machine once its own name leads here (DNS rebinding). Such a name has a dot;
 * addresses, `localhost` and names of containers do not lead astray.
 */
function isLocalHost(host = ''): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.') || hostname.endsWith('.localhost');
}

/** A page of any site can post to a server on this machine. Browsers send its origin, or `null` when they hide it. */
function isCrossSite({ headers: { origin, host } }: HttpRequest): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** Undefined when the body exceeds the limit. It is still read to its end, because the response would not arrive otherwise. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  return size > BODY_LIMIT_BYTES ? undefined : Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'x-content-type-options': 'nosniff', ...headers, 'content-length': length });
  response.end(body);
}
