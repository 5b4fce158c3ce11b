import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { DAY_SECONDS } from '../../../contracts/durations.js';
import { WEB_PATHS } from '../../../contracts/web-paths.js';
import { InvalidSetting } from '../../../event-log/settings.js';

/** Files with hashed names, whose content never changes. */
const HASHED_ASSETS = '/assets/';
const MAIN_PAGE = 'index.html';
const ANY_PAGE = 'page.html';
/** The router ignores case and a slash at the end. */
const WEB_PATH = new RegExp(`^(${WEB_PATHS.map((path) => path.replace(/\$\w+/, '[^/]+')).join('|')})/?$`, 'i');
const SOURCE_MAP = /\.map$/;
export const CACHE_FOR_A_YEAR = `public, max-age=${365 * DAY_SECONDS}, immutable`;
const NO_CACHE = 'no-cache';

/** Serves the built client: its files, the main page, and `page.html` for other paths, with a 404 when no page has the path. */
export function serveWeb(fastify: FastifyInstance, webRoot: string, hasSourceMaps: boolean): void {
  for (const name of [MAIN_PAGE, ANY_PAGE])
    if (!existsSync(join(webRoot, name)))
      throw new InvalidSetting(`WEB_ROOT: ${join(webRoot, name)} does not exist; build the client`);
  const notFound = readFileSync(join(webRoot, ANY_PAGE), 'utf8');
  fastify.register(fastifyStatic, {
    root: webRoot,
    // One route per file, so that any other path is a page.
    wildcard: false,
    preCompressed: true,
    allowedPath: (path) => hasSourceMaps || !SOURCE_MAP.test(path),
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('Cache-Control', path.startsWith(join(webRoot, HASHED_ASSETS)) ? CACHE_FOR_A_YEAR : NO_CACHE);
    },
  });
  fastify.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] as string;
    if (!isPage(path, request.headers.accept)) return reply.callNotFound();
    if (WEB_PATH.test(path)) return reply.sendFile(path === '/' ? MAIN_PAGE : ANY_PAGE);
    // Not sent as a file: the response to a condition (If-None-Match) would have no body, but the status 404.
    return reply.code(404).type('text/html; charset=utf-8').header('Cache-Control', NO_CACHE).send(notFound);
  });
}

/** A path with an extension is a page only where a browser opens it: a missing script must be a 404, not a page. */
function isPage(path: string, accept = ''): boolean {
  if (/^\/(api|log|ws|assets)(\/|$)/.test(path)) return false;
  return accept.includes('text/html') || !/\.[a-z0-9]{1,8}$/i.test(path);
}
