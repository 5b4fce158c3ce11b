import { readFileSync } from 'node:fs';
import { RESET_TOKEN_LIFETIME_MS } from '../../../contracts/limits.js';
import type { Mail } from '../mail/mailer.js';

const HOURS = RESET_TOKEN_LIFETIME_MS / 3_600_000;
const LIFETIME = HOURS === 1 ? 'one hour' : `${HOURS} hours`;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const TEXT = read('./reset-mail.txt');
/** The site's colours, in tables and inline styles, which all mail clients render. */
const HTML = read('./reset-mail.html');

type Values = Record<'gamerTag' | 'link' | 'lifetime', string>;

export function resetMail({ to, gamerTag, link }: { to: string; gamerTag: string; link: string }): Mail {
  const html = { gamerTag: escaped(gamerTag), link: escaped(link), lifetime: LIFETIME };
  return {
    to,
    subject: 'Reset your Omni Jackpot password',
    text: filled(TEXT, { gamerTag, link, lifetime: LIFETIME }),
    html: filled(HTML, html),
  };
}

const filled = (template: string, values: Values): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: keyof Values) => values[name]);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
