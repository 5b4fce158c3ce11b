import { startEmbeddedMail } from './start-embedded-mail.js';

/**
 * The mail server as a process. Environment: MAIL_SMTP_PORT (1025), MAIL_WEB_PORT (8025), MAIL_HOST (127.0.0.1), and
 * MAIL_DATA_DIR, without which no mail outlives the process.
 */
const { env } = process;
const mail = await startEmbeddedMail({
  host: env.MAIL_HOST || '127.0.0.1',
  smtpPort: portNumber('MAIL_SMTP_PORT', '1025'),
  webPort: portNumber('MAIL_WEB_PORT', '8025'),
  ...(env.MAIL_DATA_DIR && { dataDir: env.MAIL_DATA_DIR }),
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    mail.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('The mail server could not close:', error);
        process.exit(1);
      },
    );
  });
}

console.log(JSON.stringify({ ready: true, url: mail.url, smtpUrl: mail.smtpUrl }));

function portNumber(name: string, byDefault: string): number {
  const text = env[name] || byDefault;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name} is ${text}, no port.`);
  return port;
}
