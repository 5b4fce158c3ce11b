import { portSetting, runStandIn } from '../shared/stand-in-process.js';
import { startEmbeddedMail } from './start-embedded-mail.js';

await runStandIn('mail server', ['url', 'smtpUrl'], async () =>
  startEmbeddedMail({
    smtpPort: portSetting('MAIL_SMTP_PORT', 1025),
    webPort: portSetting('MAIL_WEB_PORT', 8025),
    dataDir: process.env.MAIL_DATA_DIR,
    token: process.env.MAIL_PAGES_TOKEN || undefined,
  }),
);
