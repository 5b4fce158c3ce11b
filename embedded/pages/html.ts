/** Markup that is escaped already. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Inserts values into markup and escapes those that are not `Html`. Null, undefined and false insert nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** For markup from a library that escapes by itself. */
export const trusted = (markup: string): Html => new Html(markup);

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The files of every page, which hold no data. The font's path is also in theme.css. */
export const THEME = {
  font: '/_stand-in/archivo.woff2',
  style: '/_stand-in/theme.css',
  script: '/_stand-in/live.js',
};

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
export const layout = ({ name, tagline }: Site, { title, content, isLive }: PageContent): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${THEME.style}">
${isLive === true && html`<script src="${THEME.script}" defer></script>`}
</head>
<body>
<div class="wrap">
<header class="top"><a href="/"><span class="lamps" aria-hidden="true"><i></i><i></i><i></i></span>${name}</a><span class="where">${tagline}</span></header>
<main>${content}</main>
</div>
</body>
</html>`;

export function notFoundPage(site: Site, explanation: string): Html {
  const content = html`<h1>Not found</h1><p class="quiet">${explanation}</p>`;
  return layout(site, { title: 'Not found', content });
}
