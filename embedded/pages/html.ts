import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../contracts/html.js';

/** Markup that is escaped already. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Inserts values into markup and escapes those that are not `Html`. Null, undefined and false insert nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

function render(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  if (value === null || value === undefined || value === false) return '';
  return escapeHtml(String(value));
}

/** The files of every page, which hold no data. The font's path is also in theme.css. */
export const THEME = {
  font: '/_stand-in/archivo.woff2',
  style: '/_stand-in/theme.css',
  script: '/_stand-in/live.js',
};

export interface Site {
  name: string;
  tagline: string;
}

const PAGE = readFileSync(new URL('./page.html', import.meta.url), 'utf8');

/** A whole page, as in page.html: a header and the content. */
export function layout({ name, tagline }: Site, title: string, content: Html): Html {
  const values: Record<string, HtmlValue> = { ...THEME, name, tagline, title, content };
  return new Html(PAGE.replace(/\{\{(\w+)\}\}/g, (_placeholder, field: string) => render(values[field])));
}
