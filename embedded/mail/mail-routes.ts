import { del, get, HttpError, type HttpRequest, json, page, type Route } from '../pages/http-server.js';
import { themeRoutes } from '../pages/layout.page.js';
import { listPage, mailNotFound, mailPage } from './mail.page.js';
import type { MailBox, Message } from './mail-box.js';

/** A mail's own HTML may use inline styles and images it carries, and nothing else. Its links open a new page. */
const FRAME_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
};

/** Pages for a browser, JSON for tests. */
export function mailRoutes(box: MailBox, now: () => number): Route[] {
  const find = ({ parameters }: HttpRequest): Message | undefined => box.find(parameters.id!);
  return [
    ...themeRoutes(new URL('./mail.css', import.meta.url)),
    get('/', ({ query }) => {
      const to = query.get('to')?.trim() ?? '';
      return page(200, listPage(box.list(to || undefined), to, now()));
    }),
    get('/mail/:id', (request) => {
      const message = find(request);
      if (message === undefined) return mailNotFound();
      const hasBoth = message.html !== null && message.text !== null;
      const asText = hasBoth ? request.query.get('as') === 'text' : message.html === null;
      return page(200, mailPage(message, asText ? 'text' : 'html'));
    }),
    get('/mail/:id/html', (request) => {
      const content = find(request)?.html;
      if (content === undefined || content === null) return mailNotFound();
      // The sandboxed frame cannot navigate itself, so links need a new page.
      return { status: 200, headers: FRAME_HEADERS, body: `<!doctype html><base target="_blank">${content}` };
    }),
    get('/messages', ({ query }) => json(200, box.list(query.get('to') ?? undefined))),
    get('/messages/:id', (request) => {
      const message = find(request);
      if (message === undefined) throw new HttpError(404, 'There is no such mail.');
      return json(200, message);
    }),
    del('/messages/:id', async ({ parameters }) => {
      await box.delete(parameters.id!);
      return json(200, {});
    }),
    del('/messages', async () => {
      await box.clear();
      return json(200, {});
    }),
  ];
}
