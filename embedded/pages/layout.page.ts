import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Html, type HtmlValue, html } from './html.js';
import { get, type HttpResponse, page, type Route } from './http-server.js';

const FONT_FILE = '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2';
/** Also in theme.css. */
const FONT_PATH = '/_stand-in/archivo.woff2';
const THEME_PATH = '/_stand-in/theme.css';
const SCRIPT_PATH = '/_stand-in/live.js';

/** Whether a path is one of the files of `themeRoutes`, which hold no data. */
export const isThemeFile = (path: string): boolean => [FONT_PATH, THEME_PATH, SCRIPT_PATH].includes(path);

/** One stand-in's pages. */
export interface Site {
  /** Shown next to the logo. */
  name: string;
  /** Shown at the right of the header. */
  tagline: string;
}

interface PageContent {
  title: string;
  content: HtmlValue;
  /** Loads the script that refreshes elements marked `data-live`. */
  isLive?: boolean;
}

/** A whole page with the header, whose logo links to the stand-in's first page. */
export const layout = ({ name, tagline }: Site, { title, content, isLive }: PageContent): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${THEME_PATH}">
${isLive === true && html`<script src="${SCRIPT_PATH}" defer></script>`}
</head>
<body>
<div class="wrap">
<header class="top"><a href="/"><span class="lamps" aria-hidden="true"><i></i><i></i><i></i></span>${name}</a><span class="where">${tagline}</span></header>
<main>${content}</main>
</div>
</body>
</html>`;

export function notFoundPage(site: Site, explanation: string): HttpResponse {
  const content = html`<h1>Not found</h1><p class="quiet">${explanation}</p>`;
  return page(404, layout(site, { title: 'Not found', content }));
}

/**
 * Serves the pages' font, style and script, so that they load nothing from other servers.
 *
 * @param pagesCss the style sheet of the site's own pages
 */
export function themeRoutes(pagesCss: URL): Route[] {
  const file = (path: string, contentType: string, cacheControl: string, ...sources: (string | URL)[]) => {
    const contents = Promise.all(sources.map((source) => readFile(source)));
    contents.catch(() => undefined); // The file's route reports the failure.
    return get(path, async () => ({
      status: 200,
      headers: { 'content-type': contentType, 'cache-control': cacheControl },
      body: Buffer.concat(await contents),
    }));
  };
  const [script, theme] = [new URL('./live.js', import.meta.url), new URL('./theme.css', import.meta.url)];
  return [
    file(SCRIPT_PATH, 'text/javascript; charset=utf-8', 'no-cache', script),
    file(THEME_PATH, 'text/css; charset=utf-8', 'max-age=3600', theme, pagesCss),
    file(FONT_PATH, 'font/woff2', 'max-age=3600', createRequire(import.meta.url).resolve(FONT_FILE)),
  ];
}
