import { type Html, type HtmlValue, html } from '../pages/html.js';
import { layout, notFoundPage, type Site } from '../pages/layout.page.js';
import type { Message } from './mail-box.js';

const SITE: Site = { name: 'Practice mail', tagline: 'nothing leaves this machine' };

export const mailNotFound = () => notFoundPage(SITE, 'There is no such mail, or not any more.');

/** The mails, newest first: all of them, or those for the address `to`. */
export function listPage(messages: readonly Message[], to: string, nowMs: number): Html {
  return layout(SITE, {
    title: 'Mails',
    isLive: true,
    content: html`<div class="box" data-refresh="/?to=${encodeURIComponent(to)}">
<div class="intro"><h1>Mails</h1>
<p class="quiet">This stands in for the mail server. Every mail that was to leave is here, and only here.</p>
<form class="filter" method="get" action="/"><label class="quiet" for="to">Sent to</label><div><input id="to" name="to" type="email" value="${to}" placeholder="anybody" autocomplete="off"><button class="button">Show</button></div></form>
</div>
<section id="mails" data-live aria-label="Mails">
${messages.length === 0 ? html`<p class="empty">${to === '' ? 'No mail yet. Ask for a password reset, and its mail comes here.' : `No mail for ${to}.`}</p>` : html`<ul class="rows">${messages.map((message) => row(message, nowMs))}</ul>`}
</section>
</div>`,
  });
}

const row = ({ id, to, subject, receivedAtEpochMs, text }: Message, nowMs: number): Html =>
  html`<li><a href="/mail/${id}"><span class="to truncate">${to.join(', ')}</span><time class="when caption" datetime="${iso(receivedAtEpochMs)}">${ago(receivedAtEpochMs, nowMs)}</time><b class="subject">${subject || 'Without a subject'}</b><span class="start quiet truncate">${(text ?? '').slice(0, 160)}</span></a></li>`;

type Format = 'html' | 'text';

/** One mail. A sandboxed frame shows its HTML: no scripts, no requests, no access to this page. */
export function mailPage(message: Message, format: Format): Html {
  const { id, subject, from, to, receivedAtEpochMs, attachments } = message;
  return layout(SITE, {
    title: subject || 'Without a subject',
    content: html`<article class="mail">
<a class="button link back" href="/">All mails</a>
<h1>${subject || 'Without a subject'}</h1>
<dl class="facts">
<div><dt class="caption">From</dt><dd>${message.sender}${message.sender !== from && html` <span class="quiet">${from}</span>`}</dd></div>
<div><dt class="caption">To</dt><dd>${to.join(', ')}</dd></div>
<div><dt class="caption">Received</dt><dd><time datetime="${iso(receivedAtEpochMs)}">${iso(receivedAtEpochMs).replace('T', ' ').slice(0, 19)} UTC</time></dd></div>
${attachments.length > 0 && html`<div><dt class="caption">Attached</dt><dd>${attachments.map(({ name, sizeBytes }) => html`${name} <span class="quiet">${sizeBytes} bytes</span> `)}</dd></div>`}
</dl>
${formatLinks(message, format)}
${
  format === 'html'
    ? html`<iframe title="The mail" src="/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    : html`<pre>${withLinks(message.text ?? '')}</pre>`
}
</article>`,
  });
}

function formatLinks({ id, html: htmlBody, text }: Message, current: Format): HtmlValue {
  if (htmlBody === null || text === null) return null;
  const link = (format: Format, name: string) =>
    html`<a href="/mail/${id}?as=${format}"${format === current && html` aria-current="page"`}>${name}</a>`;
  return html`<nav class="forms" aria-label="Form of the mail">${link('html', 'As shown')}${link('text', 'As text')}</nav>`;
}

/** Turns web addresses into links, without the punctuation that follows them. */
function withLinks(text: string): HtmlValue[] {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/).map((part, index) => {
    return index % 2 === 0 ? part : html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`;
  });
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

function ago(epochMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - epochMs) / 60_000);
  if (minutes < 1) return 'Just now';
  if (minutes < 60) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  return iso(epochMs).slice(0, 10);
}

export const MAIL_CSS = `
.box { display: grid; gap: 2rem; }
.box > * { min-width: 0; }
.intro { display: grid; gap: 1rem; align-content: start; }
.filter div { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem; margin-top: .25rem; }
.filter input { min-height: 3rem; padding: .5rem .75rem; background: var(--stage-2); color: var(--text); border: 1px solid var(--line-strong); border-radius: 3px; font: inherit; min-width: 0; }
.filter input::placeholder { color: var(--text-3); opacity: 1; }
.box .rows { border-bottom: 1px solid var(--line); }
.box .rows a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem 1rem; padding: .875rem .25rem; text-decoration: none; }
.box .rows a:hover { background: var(--stage-1); }
.box .to { color: var(--text-2); font-size: .875rem; }
.box .subject, .box .start { grid-column: 1 / -1; overflow-wrap: anywhere; min-width: 0; }
.mail { display: grid; gap: 1.25rem; max-width: 50rem; margin: 0 auto; }
.mail > * { min-width: 0; }
.mail h1 { overflow-wrap: anywhere; }
.mail .back { justify-self: start; padding: 0; }
.facts { display: grid; gap: .75rem; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; }
.facts div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: .5rem; align-items: baseline; }
.facts dd { overflow-wrap: anywhere; }
.forms { display: flex; gap: 1.5rem; }
.forms a { display: inline-flex; align-items: center; min-height: 2.75rem; text-decoration: none; color: var(--text-2); border-bottom: 2px solid transparent; }
.forms [aria-current] { color: var(--text); border-color: var(--text); }
.mail iframe { width: 100%; height: 70vh; min-height: 24rem; border: 0; border-radius: 6px; background: #fff; color-scheme: light; }
.mail pre { margin: 0; padding: 1.5rem; background: var(--stage-1); border-radius: 14px; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (min-width: 1024px) { .box { grid-template-columns: 17rem minmax(0, 1fr); gap: 3rem; } }
`;
