/** Markup that needs no more escaping. */
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
