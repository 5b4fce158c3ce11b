import type { Mail } from '../mail/mailer.js';
import { becauseRegistered, mailOf } from './letter.js';
import { TOKEN_LIFETIME_TEXT } from './mailed-token.js';

export const resetMail = ({ to, gamerTag, link }: { to: string; gamerTag: string; link: string }): Mail =>
  mailOf({
    to,
    subject: 'Reset your Omni Jackpot password',
    title: 'Choose a new password',
    paragraphs: [
      `Someone requested a new password for ${gamerTag}. If it was you, open this link within ${TOKEN_LIFETIME_TEXT}. It can be used only once.`,
      `Setting a new password logs ${gamerTag} out everywhere.`,
      'If it was not you, you can ignore this email: your password and your balances stay the same.',
    ],
    button: { text: 'Choose a new password', link },
    because: becauseRegistered(gamerTag),
  });
