import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { Background } from '../background.js';
import { Config } from '../config.js';
import { Refused } from '../failures.js';

export type Mail = { to: string; subject: string; text: string; html: string };

/** Wait before each retry, long enough for a mail server to restart. */
const RETRY_AFTER_MS = [1_000, 5_000, 30_000];
/** Back-pressure limit: more unsent mails than this would fill the memory, so further mails are dropped. */
const MAX_UNSENT = 1_000;
const CONNECTION_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 2;

/** Sends mail in the background: no response waits for a mail or reveals one. A mail that is lost with its process is not repeated. */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly logger = new Logger('mail');
  private readonly transport: Transporter | null;
  private readonly writing = new Set<Promise<void>>();
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly background: Background,
  ) {
    const { smtpUrl, publicOrigins, linkOrigin } = config;
    this.transport = smtpUrl === null ? null : openTransport(smtpUrl);
    if (this.transport === null)
      this.logger.warn('SMTP_URL is not set: no mail will be sent, and no password reset by mail');
    else if (publicOrigins.length === 0) {
      this.logger.warn(`PUBLIC_ORIGIN is not set: links in mails lead to ${linkOrigin}`);
    }
    background.onStop(() => Promise.all(this.writing));
  }

  /** Queues a mail, or none, in the background; a refusal means none. Never throws. `what` is for the log. */
  write(what: string, make: () => Promise<Mail | null>): void {
    if (!this.transport) return;
    const written = make()
      .then((mail) => {
        if (mail) this.post(mail);
      })
      .catch((error: Error) => {
        if (!(error instanceof Refused)) this.logger.error(`${what} was not written: ${error.message}`);
      })
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }

  /** Queues a mail. Never throws and never waits. */
  post(mail: Mail): void {
    // Mail to .invalid must reach nobody (RFC 2606): the first admin has such an address until one is set.
    if (!this.transport || mail.to.toLowerCase().endsWith('.invalid')) return;
    if (this.sending.size >= MAX_UNSENT) {
      this.logger.error('a mail was dropped: too many mails are unsent');
      return;
    }
    const sent = this.send(this.transport, mail).finally(() => this.sending.delete(sent));
    this.sending.add(sent);
  }

  /** Mails that are being sent may finish. A mail that waits for a retry gets one last try now. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.sending);
    this.transport?.close();
  }

  private async send(transport: Transporter, mail: Mail): Promise<void> {
    for (const retryAfterMs of [...RETRY_AFTER_MS, null]) {
      try {
        await transport.sendMail({ ...mail, from: this.config.mailFrom });
        return;
      } catch (error) {
        // Logs neither recipient nor text: a mail may hold a link that opens an account.
        const reason = (error as Error).message.replaceAll(mail.to, '<recipient>');
        if (retryAfterMs === null || this.background.signal.aborted || isRefusal(error)) {
          this.logger.error(`"${mail.subject}" could not be sent: ${reason}`);
          return;
        }
        this.logger.warn(`"${mail.subject}" could not be sent, trying again: ${reason}`);
        await sleep(retryAfterMs, undefined, { signal: this.background.signal }).catch(() => {});
      }
    }
  }
}

function openTransport(url: string): Transporter {
  const timeouts = { connectionTimeout: CONNECTION_TIMEOUT_MS, greetingTimeout: CONNECTION_TIMEOUT_MS };
  return createTransport({ url, pool: true, maxConnections: MAX_CONNECTIONS, ...timeouts });
}

/** True when the server refused the mail for good (5xx): a retry will not help. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
