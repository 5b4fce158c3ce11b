import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { compressedFiles } from './compressed-files.js';

/** The build puts hashed names, which never change their content, here. */
const HASHED_ASSETS = '/assets/';
const MAIN_PAGE = 'index.html';
const ANY_PAGE = 'page.html';
const FOR_EVER = `public, max-age=${365 * 86_400}, immutable`;
const NO_CACHE = 'no-cache';

/**
 * Serves the built client: the pages that have their first picture in them, and `page.html` for every other path that is
 * no file, which is the client's to show, its 404 page included.
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
  const sendCompressed = compressedFiles(assets, FOR_EVER);
  return (request: Request, response: Response, next: NextFunction) => {
    if (!isRead(request) || !sendCompressed(request.path.slice(1), request, response)) next();
  };
}

/** By path: `index.html` is `/`, `gamers-guide.html` is `/gamers-guide`. */
function pagesIn(webRoot: string): Map<string, string> {
  const names = readdirSync(webRoot).filter((name) => name.endsWith('.html'));
  for (const name of [MAIN_PAGE, ANY_PAGE])
    if (!names.includes(name)) throw new Error(`WEB_ROOT: ${join(webRoot, name)} does not exist`);
  return new Map(names.map((name) => [name === MAIN_PAGE ? '/' : `/${name.slice(0, -'.html'.length)}`, name]));
}

const cachingOf = (path: string): string => (path.startsWith(HASHED_ASSETS) ? FOR_EVER : NO_CACHE);

/** A missing asset must be a 404: a page in place of a script is a worse failure than none. */
function isPage(request: Request): boolean {
  const { path } = request;
  return isRead(request) && !/^\/(api|ws|assets)(\/|$)/.test(path) && !/\.[a-z0-9]{1,8}$/i.test(path);
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
