import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { compressedAssets } from './compressed-assets.js';

/** The build puts hashed names, which never change their content, here. */
const HASHED_ASSETS = '/assets/';
const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Serves the built client: the pages that have their first picture in them, and `page.html` for every other path that is
 * no file, which is the client's to show, its 404 page included.
 */
export function serveWeb(app: NestExpressApplication, webRoot: string): void {
  const pages = pagesIn(webRoot);
  const anyPage = join(webRoot, 'page.html');
  const assets = join(webRoot, HASHED_ASSETS);
  if (existsSync(assets)) app.use(HASHED_ASSETS, compressedAssets(assets, cachingOf(HASHED_ASSETS)));
  app.useStaticAssets(webRoot, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => response.setHeader('Cache-Control', cachingOf(path.slice(webRoot.length))),
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isPage(request)) return next();
    response.setHeader('Cache-Control', 'no-cache');
    response.sendFile(pages.get(request.path) ?? anyPage);
  });
}

/** By path: `index.html` is `/`, `gamers-guide.html` is `/gamers-guide`. */
function pagesIn(webRoot: string): Map<string, string> {
  for (const name of ['index.html', 'page.html'])
    if (!existsSync(join(webRoot, name))) throw new Error(`WEB_ROOT: ${join(webRoot, name)} does not exist`);
  const names = readdirSync(webRoot).filter((name) => name.endsWith('.html'));
  return new Map(names.map((name) => [name === 'index.html' ? '/' : `/${name.slice(0, -5)}`, join(webRoot, name)]));
}

const cachingOf = (path: string): string =>
  path.startsWith(HASHED_ASSETS) ? `public, max-age=${ONE_YEAR_SECONDS}, immutable` : 'no-cache';

/** A missing asset must be a 404: a page in place of a script is a worse failure than none. */
function isPage({ method, path }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return !/^\/(api|ws|assets)(\/|$)/.test(path) && !/\.[a-z0-9]{1,8}$/i.test(path);
}
