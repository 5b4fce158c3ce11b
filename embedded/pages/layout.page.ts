import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Html, type HtmlValue, html } from './html.js';
import { get, type HttpResponse, page, type Route } from './http-server.js';
import { themeCss } from './theme-css.js';

const FONT_FILE = '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2';
const FONT_PATH = '/_stand-in/archivo.woff2';
const THEME_PATH = '/_stand-in/theme.css';
const SCRIPT_PATH = '/_stand-in/live.js';

/**
 * The pages' script; they also work without it. It fetches the address in `data-refresh` again and again and replaces
 * the elements marked `data-live`, found by their ids. A button with `data-copy` copies its value.
 */
const SCRIPT = `
const REFRESH_MS = 1500;
const address = document.querySelector('[data-refresh]')?.dataset.refresh;

async function refresh() {
  const response = await fetch(address);
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const element of fresh.querySelectorAll('[data-live]')) {
    const current = document.getElementById(element.id);
    if (current === null || current.outerHTML === element.outerHTML) continue;
    const focused = document.activeElement?.id;
    current.replaceWith(document.adoptNode(element));
    if (focused) document.getElementById(focused)?.focus();
  }
}

// While the server does not respond, the page stays as it is and the next refresh tries again.
if (address) setInterval(() => document.hidden || refresh().catch(() => undefined), REFRESH_MS);

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button === null) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Press Ctrl+C';
    getSelection().selectAllChildren(document.getElementById(button.getAttribute('aria-describedby')));
  }
});
`;

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

/** Serves the pages' font, style and script, so that they load nothing from other servers; `pagesCss` styles the site's own pages. */
export function themeRoutes(pagesCss: string): Route[] {
  const font = readFile(createRequire(import.meta.url).resolve(FONT_FILE));
  font.catch(() => undefined); // The font's route reports the failure.
  const file = (path: string, contentType: string, cacheControl: string, body: Promise<Buffer> | string) =>
    get(path, async () => ({
      status: 200,
      headers: { 'content-type': contentType, 'cache-control': cacheControl },
      body: await body,
    }));
  return [
    file(SCRIPT_PATH, 'text/javascript; charset=utf-8', 'no-cache', SCRIPT),
    file(THEME_PATH, 'text/css; charset=utf-8', 'max-age=3600', themeCss(FONT_PATH) + pagesCss),
    file(FONT_PATH, 'font/woff2', 'max-age=3600', font),
  ];
}
