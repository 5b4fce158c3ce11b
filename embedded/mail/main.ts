import { portSetting, runStandIn } from '../shared/stand-in-process.js';
import { startEmbeddedMail } from './start-embedded-mail.js';

/** The mail server as a process. Its settings: see the README. */
const { MAIL_DATA_DIR, MAIL_PAGES_TOKEN } = process.env;
await runStandIn('mail server', ['url', 'smtpUrl'], async () =>
  startEmbeddedMail({
    smtpPort: portSetting('MAIL_SMTP_PORT', 1025),
    webPort: portSetting('MAIL_WEB_PORT', 8025),
    ...(MAIL_DATA_DIR && { dataDir: MAIL_DATA_DIR }),
    ...(MAIL_PAGES_TOKEN && { token: MAIL_PAGES_TOKEN }),
  }),
);
