import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { parse } from 'cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LOOPBACK } from '../shared/stand-in-process.js';
import { type Html, THEME } from './html.js';

interface HttpServerOptions {
  port: number;
  /** Limits the pages to requests with the token. Absent: everybody who reaches the server may use it. */
  token?: string | undefined;
  /** Whether a path needs no token; the theme's files never need it. */
  isOpen?(path: string): boolean;
  pagesCss: URL;
  routes(app: FastifyInstance): void;
}

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>;

const FONT_FILE = createRequire(import.meta.url).resolve(
  '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2',
);

/** Pages load nothing from other sites, run only our own script file, and cannot be framed. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
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

export const sendPage = (reply: FastifyReply, content: Html): FastifyReply =>
  reply.headers(PAGE_HEADERS).send(content.text);

export const pathOf = ({ url }: FastifyRequest): string => url.replace(/\?.*/, '');

export type Query = Partial<Record<string, string>>;
export const queryOf = ({ query }: FastifyRequest): Query => query as Query;

export const idOf = ({ params }: FastifyRequest): string => (params as { id: string }).id;

/** The fields of JSON or of a form; none without a body. */
export type Body = Record<string, unknown>;
export const bodyOf = ({ body }: FastifyRequest): Body => (body ?? {}) as Body;

export async function startHttpServer(options: HttpServerOptions) {
  const { port, token, isOpen = () => false, pagesCss, routes } = options;
  const app = fastify({ forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, app.getDefaultJsonParser('error', 'error'));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    if (error instanceof HttpError) return reply.code(error.status).send(error.body);
    const { statusCode = 500 } = error;
    if (statusCode >= 500) console.error(`${request.method} ${request.url} failed:`, error);
    return reply.code(statusCode).send({ error: statusCode >= 500 ? 'It failed; see the log.' : error.message });
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    if (request.method !== 'GET' && isCrossSite(request))
      throw new HttpError(403, 'This request came from a page of another site.');
    const path = pathOf(request);
    if (token === undefined || isOpen(path) || Object.values(THEME).includes(path)) return undefined;
    return authenticate(token, request, reply);
  });
  serveTheme(app, pagesCss);
  routes(app);
  await app.listen({ host: LOOPBACK, port });
  const { port: listening } = app.server.address() as AddressInfo;
  return { url: `http://${LOOPBACK}:${listening}`, close: async () => app.close() };
}

/** Serves the pages' font, style and script, so that they load nothing from other servers. */
function serveTheme(app: FastifyInstance, pagesCss: URL): void {
  const serve = (path: string, contentType: string, ...files: (string | URL)[]) =>
    app.get(path, async (_request, reply) => {
      const contents = await Promise.all(files.map((file) => readFile(file)));
      return reply.headers({ 'content-type': contentType, 'cache-control': 'no-cache' }).send(Buffer.concat(contents));
    });
  serve(THEME.script, 'text/javascript; charset=utf-8', new URL('./live.js', import.meta.url));
  serve(THEME.style, 'text/css; charset=utf-8', new URL('./theme.css', import.meta.url), pagesCss);
  serve(THEME.font, 'font/woff2', FONT_FILE);
}

/** Lets the token pass as bearer or cookie, and moves it from `?token=` into a cookie. Else throws HttpError. */
function authenticate(token: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { authorization, cookie, host = '' } = request.headers;
  // Browsers send a cookie to all ports of its host, so the port is in the name.
  const cookieName = `practice-token-${/:(\d+)$/.exec(host)?.[1] ?? 80}`;
  const query = new URLSearchParams(queryOf(request) as Record<string, string>);
  if (request.method === 'GET' && query.get('token') === token) {
    query.delete('token');
    // One slash only: two would lead to another host.
    const path = pathOf(request).replace(/^\/+/, '/');
    return reply
      .header('set-cookie', `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Lax`)
      .redirect(query.size > 0 ? `${path}?${query}` : path, 303);
  }
  if (authorization === `Bearer ${token}` || parse(cookie ?? '')[cookieName] === token) return undefined;
  throw new HttpError(403, 'Add ?token=… to the address. `npm start` prints the token.');
}

/** A page of any site can post to a server on this machine. Browsers send its origin, or `null` when they hide it. */
function isCrossSite({ headers: { origin, host } }: FastifyRequest): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
