import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

/** Files with hashed names, whose content never changes. */
const HASHED_ASSETS = '/assets/';
const MAIN_PAGE = 'index.html';
const ANY_PAGE = 'page.html';
const CACHE_FOR_A_YEAR = `public, max-age=${365 * 86_400}, immutable`;
const NO_CACHE = 'no-cache';

/**
 * Serves the built client: the prerendered pages, and `page.html` for every other path that is not a file. The client
 * renders those itself, its 404 page included.
 */
export function serveWeb(app: NestExpressApplication, webRoot: string): void {
  const pages = pagesIn(webRoot);
  const assets = join(webRoot, HASHED_ASSETS);
  if (existsSync(assets)) app.use(HASHED_ASSETS, serveCompressed(assets));
  app.useStaticAssets(webRoot, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => response.setHeader('Cache-Control', cachingOf(path.slice(webRoot.length))),
  });
  const sendCompressed = compressedFiles(webRoot, NO_CACHE);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isPage(request)) return next();
    const page = pages.get(request.path) ?? ANY_PAGE;
    if (sendCompressed(page, request, response)) return;
    response.setHeader('Cache-Control', NO_CACHE);
    response.sendFile(join(webRoot, page), { cacheControl: false });
  });
}

function serveCompressed(assets: string) {
  const sendCompressed = compressedFiles(assets, CACHE_FOR_A_YEAR);
  return (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request) || !sendCompressed(request.path.slice(1), request, response)) next();
  };
}

/** File names by path: `index.html` is `/`, `gamers-guide.html` is `/gamers-guide`. */
function pagesIn(webRoot: string): Map<string, string> {
  const names = readdirSync(webRoot).filter((name) => name.endsWith('.html'));
  for (const name of [MAIN_PAGE, ANY_PAGE])
    if (!names.includes(name)) throw new Error(`WEB_ROOT: ${join(webRoot, name)} does not exist`);
  return new Map(names.map((name) => [name === MAIN_PAGE ? '/' : `/${name.slice(0, -'.html'.length)}`, name]));
}

const cachingOf = (path: string): string => (path.startsWith(HASHED_ASSETS) ? CACHE_FOR_A_YEAR : NO_CACHE);

/** A path with an extension is a page only where a browser opens it: a missing script must be a 404, not a page. */
function isPage(request: Request): boolean {
  const { path, headers } = request;
  if (!isRead(request) || /^\/(api|ws|assets)(\/|$)/.test(path)) return false;
  return headers.accept?.includes('text/html') || !/\.[a-z0-9]{1,8}$/i.test(path);
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Encodings of the files that the build adds (scripts/compress.mjs), the smaller first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof ENCODINGS;

/** Returns a function that sends a file of the folder in a compressed encoding; it returns false when it sent nothing. */
function compressedFiles(folder: string, cacheControl: string) {
  const present = new Set(readdirSync(folder));
  return (name: string, request: Request, response: Response): boolean => {
    const encoded = (Object.keys(ENCODINGS) as Encoding[]).filter((one) => present.has(name + ENCODINGS[one]));
    if (encoded.length === 0) return false;
    response.vary('Accept-Encoding');
    const encoding = request.acceptsEncodings(encoded) as Encoding | false;
    if (encoding === false) return false;
    response.setHeader('Content-Encoding', encoding);
    response.setHeader('Cache-Control', cacheControl);
    response.type(extname(name));
    response.sendFile(join(folder, name + ENCODINGS[encoding]), { cacheControl: false });
    return true;
  };
}
