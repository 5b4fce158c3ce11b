import { readFileSync } from 'node:fs';
import type { Mail } from '../../platform/mail/mailer.js';

/** A mail to a gamer, in the site's colours. */
interface Letter {
  to: string;
  subject: string;
  title: string;
  /** Plain texts. The button stands below the first one. */
  paragraphs: readonly [string, ...string[]];
  button?: { text: string; link: string };
  /** The last line: the reason for which this address is a recipient. */
  because: string;
}

/** Tables and inline styles, which all mail clients render. */
const PAGE = readFileSync(new URL('./letter.html', import.meta.url), 'utf8');
const NEVER = 'Omni Jackpot never asks for your password by email.';

export function mailOf({ to, subject, title, paragraphs, button, because }: Letter): Mail {
  const [first, ...others] = paragraphs;
  const ending = `${because} ${NEVER}`;
  const texts = ['OMNI JACKPOT', title, first, ...(button ? [button.link] : []), ...others, ending];
  const rows = [
    row('padding:32px 0 16px;color:#f8f1e7;font-size:28px;line-height:32px;font-weight:600', escaped(title)),
    paragraph(first),
    ...(button ? [buttonRow(button)] : []),
    ...others.map(paragraph),
    ...(button ? [row(`padding:16px 0;border-top:1px solid #3c2e41;${SMALL}`, linkAsText(button))] : []),
    row(SMALL, escaped(ending)),
  ];
  const values: Record<string, string> = { title: escaped(title), rows: rows.join('\n') };
  return {
    to,
    subject,
    text: `${texts.join('\n\n')}\n`,
    html: PAGE.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
  };
}

/** "You are receiving this email because …" */
export const becauseRegistered = (gamerTag: string): string =>
  `You are receiving this email because ${gamerTag} is registered with this address.`;

const SMALL = 'color:#a898ab;font-size:12px;line-height:18px';
const row = (style: string, html: string): string => `<tr><td style="${style}">${html}</td></tr>`;
const paragraph = (text: string): string =>
  row('color:#cabdca;font-size:16px;line-height:24px;padding-bottom:16px', escaped(text));

function buttonRow({ text, link }: NonNullable<Letter['button']>): string {
  const style =
    'display:inline-block;padding:14px 24px;background:#f8f1e7;color:#1b131e;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;border-radius:6px';
  return row('padding:8px 0 28px', `<a href="${escaped(link)}" style="${style}">${escaped(text)}</a>`);
}

const linkAsText = ({ link }: NonNullable<Letter['button']>): string =>
  `The button does not work? Open this address:<br><a href="${escaped(link)}" style="color:#cabdca;word-break:break-all">${escaped(link)}</a>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
