import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { startHttpServer } from '../pages/http-server.js';
import { LOOPBACK } from '../shared/stand-in-process.js';
import { serveMails } from './mail.page.js';
import { MailBox } from './mail-box.js';

export interface EmbeddedMailOptions {
  /** 0, the default of both ports, takes a free port. */
  smtpPort?: number;
  webPort?: number;
  /** Folder that keeps the mails across restarts; without it they stay in memory. */
  dataDir?: string;
  /** The pages' token; without it they are open. */
  token?: string;
}

export type EmbeddedMail = Awaited<ReturnType<typeof startEmbeddedMail>>;

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
    /** The sender's setting. */
    smtpUrl: `smtp://${LOOPBACK}:${(listening.address() as AddressInfo).port}`,
    url: web.url,
    async close() {
      await new Promise<void>((resolve) => smtp.close(resolve));
      await web.close();
    },
  };
}

/** Accepts every recipient and login; no TLS. Confirms what is stored. */
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
