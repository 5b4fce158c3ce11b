import { startHttpServer } from '../pages/http-server.js';
import { MailBox } from './mail-box.js';
import { mailRoutes, notFoundPage } from './mail-routes.js';
import { openSmtpDoor } from './smtp-door.js';

export interface EmbeddedMailOptions {
  /** 127.0.0.1 when absent. */
  host?: string;
  /** 0, the default, takes a free port; so for `webPort`. */
  smtpPort?: number;
  webPort?: number;
  /** Where mails are kept over restarts; without it they are forgotten. */
  dataDir?: string;
  now?: () => number;
}

export interface EmbeddedMail {
  /** What a sender is given: `smtp://127.0.0.1:1025`. */
  smtpUrl: string;
  smtpPort: number;
  /** The page with the mails. */
  url: string;
  close(): Promise<void>;
}

/** Starts a mail server that keeps what it is given, and a page that shows it. */
export async function startEmbeddedMail(options: EmbeddedMailOptions = {}): Promise<EmbeddedMail> {
  const { host = '127.0.0.1', smtpPort = 0, webPort = 0, dataDir, now = Date.now } = options;
  const box = await MailBox.open(dataDir ?? null, now);
  const smtp = await openSmtpDoor(box, host, smtpPort);
  try {
    const web = await startHttpServer({ host, port: webPort, routes: mailRoutes(box, now), notFound: notFoundPage });
    const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    return {
      smtpUrl: `smtp://${reachable}:${smtp.port}`,
      smtpPort: smtp.port,
      url: `http://${reachable}:${web.port}`,
      async close() {
        await smtp.close();
        await web.close();
      },
    };
  } catch (error) {
    await smtp.close();
    throw error;
  }
}
