import { html } from '../pages/html.js';
import { json, page, type Request, type Route } from '../pages/http-server.js';
import { layout } from '../pages/layout.page.js';
import { lookRoutes } from '../pages/look.js';
import { type Form, listPage, MAIL_CSS, MAIL_NAME, MAIL_WHERE, mailPage } from './mail.page.js';
import type { MailBox, Message } from './mail-box.js';

/** A mail's own HTML: it may style itself and show what it carries with it, and nothing else. Links open beside it. */
const FRAME_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
};

const ID = '(?<id>\\d{15}-[0-9a-f]{8})';

/** Pages for people, JSON for tests. */
export function mailRoutes(box: MailBox, now: () => number): Route[] {
  const found = (request: Request): Message | undefined => box.find(request.parameters.id!);
  return [
    ...lookRoutes(MAIL_CSS),
    {
      method: 'GET',
      path: /^\/$/,
      answer: ({ query }) => {
        const to = query.get('to')?.trim() ?? '';
        return page(200, listPage({ messages: box.list(to || undefined), to, nowEpochMs: now() }));
      },
    },
    {
      method: 'GET',
      path: new RegExp(`^/mail/${ID}$`),
      answer: (request) => {
        const message = found(request);
        if (message === undefined) return notFoundPage();
        return page(200, mailPage(message, formOf(message, request.query.get('as'))));
      },
    },
    {
      method: 'GET',
      path: new RegExp(`^/mail/${ID}/html$`),
      answer: (request) => {
        const content = found(request)?.html;
        if (content === undefined || content === null) return notFoundPage();
        return { status: 200, headers: FRAME_HEADERS, body: withLinksBeside(content) };
      },
    },
    {
      method: 'GET',
      path: /^\/messages$/,
      answer: ({ query }) => json(200, box.list(query.get('to') ?? undefined)),
    },
    {
      method: 'GET',
      path: new RegExp(`^/messages/${ID}$`),
      answer: (request) => {
        const message = found(request);
        return message === undefined ? json(404, { error: 'There is no such mail.' }) : json(200, message);
      },
    },
    {
      method: 'DELETE',
      path: /^\/messages$/,
      answer: async () => {
        await box.clear();
        return json(200, {});
      },
    },
  ];
}

export const notFoundPage = () =>
  page(
    404,
    layout({
      title: 'Not found',
      name: MAIL_NAME,
      where: MAIL_WHERE,
      content: html`<h1>Not found</h1><p class="quiet">There is no such mail, or not any more.</p>`,
    }),
  );

function formOf({ html: asHtml, text }: Message, asked: string | null): Form {
  if (asHtml === null) return 'text';
  return asked === 'text' && text !== null ? 'text' : 'html';
}

/** The frame may not go elsewhere itself: a link in the mail opens a page of its own. */
const withLinksBeside = (content: string): string => `<!doctype html><base target="_blank">${content}`;
