import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { type Html, html, layout, type Site } from '../pages/html.js';
import { HttpError, idOf, sendPage, startHttpServer } from '../pages/http-server.js';
import { JsonFile } from '../shared/json-file.js';
import { LOOPBACK } from '../shared/stand-in-process.js';

export interface EmbeddedMailOptions {
  /** 0, the default of both ports, takes a free port. */
  smtpPort?: number;
  webPort?: number;
  /** Folder that keeps the mails across restarts; without it they stay in memory. */
  dataDir?: string | undefined;
  /** The pages' token; without it they are open. */
  token?: string | undefined;
}

/** Starts an SMTP server that keeps every mail, and a web page that shows them. */
export async function startEmbeddedMail(options: EmbeddedMailOptions = {}) {
  const { smtpPort = 0, webPort = 0, dataDir, token } = options;
  const box = await MailBox.open(dataDir);
  const smtp = smtpServer(box);
  const listening = smtp.listen(smtpPort, LOOPBACK);
  await once(listening, 'listening');
  const web = await startHttpServer({
    port: webPort,
    token,
    pagesCss: new URL('./mail.css', import.meta.url),
    routes: (app) => serveMails(app, box),
  });
  return {
    smtpUrl: `smtp://${LOOPBACK}:${(listening.address() as AddressInfo).port}`,
    url: web.url,
    async close() {
      await new Promise<void>((resolve) => smtp.close(resolve));
      await web.close();
    },
  };
}

/** Accepts every recipient and login; no TLS. Confirms a mail once it is stored. */
function smtpServer(box: MailBox): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1_000,
    onAuth: (credentials, _session, done) => done(null, { user: credentials.username ?? 'anybody' }),
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const from = mailFrom === false ? '' : mailFrom.address;
      buffer(stream)
        .then((raw) => box.receive({ from, to: rcptTo.map(({ address }) => address), raw }))
        .then(({ id }) => done(null, `kept as ${id}`), done);
    },
  });
  // A sender that disconnects got no confirmation and will send its mail again.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error('SMTP:', error);
  });
  return server;
}

/** The box drops its oldest mails beyond this count. */
export const MESSAGES_KEPT = 500;

export interface Message {
  id: string;
  receivedAtMs: number;
  /** The envelope's addresses; the message's header may name others. */
  from: string;
  to: string[];
  subject: string;
  sender: string;
  /** The game's mails have both; empty in a mail without it. */
  text: string;
  html: string;
}

export class MailBox {
  private constructor(private readonly file: JsonFile<{ messages: Message[] }>) {}

  /** @param folder keeps the mails across restarts */
  static async open(folder: string | undefined): Promise<MailBox> {
    return new MailBox(await JsonFile.open(folder && join(folder, 'mails.json'), { messages: [] as Message[] }));
  }

  async receive({ from, to, raw }: Pick<Message, 'from' | 'to'> & { raw: Buffer }): Promise<Message> {
    const email = await PostalMime.parse(raw);
    const message: Message = {
      id: randomUUID(),
      receivedAtMs: Date.now(),
      from,
      to,
      subject: email.subject ?? '',
      sender: email.from?.name || email.from?.address || from,
      text: email.text ?? '',
      html: email.html ?? '',
    };
    await this.replace([...this.list(), message].slice(-MESSAGES_KEPT));
    return message;
  }

  list(): readonly Message[] {
    return this.file.records.messages;
  }

  find(id: string): Message | undefined {
    return this.list().find((message) => message.id === id);
  }

  delete(id: string): Promise<void> {
    return this.replace(this.list().filter((message) => message.id !== id));
  }

  private replace(messages: Message[]): Promise<void> {
    this.file.records.messages = messages;
    this.file.isChanged = true;
    return this.file.flush();
  }
}

const SITE: Site = { name: 'Practice mail', tagline: 'nothing leaves this machine' };

/** A mail's own HTML may use inline styles and images it carries, and nothing else. Its links open a new page. */
const FRAME_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
};

function serveMails(app: FastifyInstance, box: MailBox): void {
  const find = (request: FastifyRequest): Message => {
    const message = box.find(idOf(request));
    if (message === undefined) throw new HttpError(404, 'There is no such mail, or not any more.');
    return message;
  };
  app.get('/', (_request, reply) => sendPage(reply, listPage(box.list().toReversed())));
  app.get('/mail/:id', (request, reply) => sendPage(reply, mailPage(find(request))));
  // The sandboxed frame cannot navigate itself, so links need a new page.
  app.get('/mail/:id/html', (request, reply) =>
    reply.headers(FRAME_HEADERS).send(`<!doctype html><base target="_blank">${find(request).html}`),
  );
  // Newest first.
  app.get('/messages', () => box.list().toReversed());
  app.delete('/messages/:id', async (request) => {
    await box.delete(idOf(request));
    return {};
  });
}

const listPage = (messages: readonly Message[]): Html =>
  layout(
    SITE,
    'Mails',
    html`<div class="box" data-refresh="/">
<div class="intro"><h1>Mails</h1>
<p class="quiet">This stands in for the mail server. Mails never leave this machine: they are listed here instead.</p>
</div>
<section id="mails" data-live aria-label="Mails">
${messages.length === 0 ? html`<p class="empty">No mail yet. Request a password reset, and its mail appears here.</p>` : html`<ul class="rows">${messages.map(row)}</ul>`}
</section>
</div>`,
  );

const row = ({ id, to, subject, receivedAtMs, text }: Message): Html =>
  html`<li><a href="/mail/${id}"><span class="to truncate">${to.join(', ')}</span><span class="when caption">${timeText(receivedAtMs)}</span><b class="subject">${subject || 'Without a subject'}</b><span class="start quiet truncate">${text.slice(0, 160)}</span></a></li>`;

/** One mail. A sandboxed frame shows its HTML: no scripts, no requests, no access to this page. */
function mailPage(message: Message): Html {
  const { id, subject, from, to, receivedAtMs } = message;
  return layout(
    SITE,
    subject || 'Without a subject',
    html`<article class="mail">
<a class="button link back" href="/">All mails</a>
<h1>${subject || 'Without a subject'}</h1>
<dl class="facts">
<div><dt class="caption">From</dt><dd>${message.sender}${message.sender !== from && html` <span class="quiet">${from}</span>`}</dd></div>
<div><dt class="caption">To</dt><dd>${to.join(', ')}</dd></div>
<div><dt class="caption">Received</dt><dd>${timeText(receivedAtMs)}</dd></div>
</dl>
<iframe title="The mail" src="/mail/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
</article>`,
  );
}

const timeText = (epochMs: number): string => `${new Date(epochMs).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
