/** HTML that is safe to send as it is. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Puts values into markup, escaped unless they are markup already. Null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.reduce((text, part, at) => text + rendered(values[at - 1]) + part));
}

/** Markup from a library that escapes by itself. */
export const trusted = (markup: string): Html => new Html(markup);

function rendered(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(rendered).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
