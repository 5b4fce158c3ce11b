import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { MailBox } from './mail-box.js';

/** Our mails have a few kilobytes; more is told to be too much, as real servers do. */
export const MAIL_LIMIT_BYTES = 5 * 1024 * 1024;

export interface SmtpDoor {
  port: number;
  close(): Promise<void>;
}

/**
 * Takes any mail for anybody, and any login, because the sender is configured as for a real server. Without TLS: it is
 * meant for one machine. A mail is confirmed when it is kept.
 */
export async function openSmtpDoor(box: MailBox, host: string, port: number): Promise<SmtpDoor> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_LIMIT_BYTES,
    logger: false,
    closeTimeout: 1_000,
    onAuth: (credentials, _session, done) => done(null, { user: credentials.username ?? 'anybody' }),
    onData(stream, session, done) {
      receive(stream)
        .then((raw) => {
          if (stream.sizeExceeded) throw tooLarge();
          const { mailFrom, rcptTo } = session.envelope;
          const from = mailFrom === false ? '' : mailFrom.address;
          return box.receive({ from, to: rcptTo.map(({ address }) => address), raw });
        })
        .then(
          (message) => done(null, `kept as ${message.id}`),
          (error: Error) => done(error),
        );
    },
  });
  // A sender that breaks off is its own loss: it was told nothing and will send again.
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') console.error('SMTP:', error);
  });
  const listening = server.listen(port, host);
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    // Read to its end, as the protocol wants, but not kept.
    if (size <= MAIL_LIMIT_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (): Error =>
  Object.assign(new Error(`A mail may have ${MAIL_LIMIT_BYTES} bytes`), { responseCode: 552 });
