import { RESET_TOKEN_LIFETIME_MS } from '../../../contracts/limits.js';
import type { Mail } from '../mail/mailer.js';

const HOURS = RESET_TOKEN_LIFETIME_MS / 3_600_000;
const LIFETIME = HOURS === 1 ? 'one hour' : `${HOURS} hours`;

const FONT = "font-family:Archivo,'Helvetica Neue',Arial,sans-serif";
const BODY = 'color:#cabdca;font-size:16px;line-height:24px;';

export function resetMail({ to, gamerTag, link }: { to: string; gamerTag: string; link: string }): Mail {
  return {
    to,
    subject: 'Your new Omni Jackpot password',
    text: textOf(gamerTag, link),
    html: htmlOf(escaped(gamerTag), escaped(link)),
  };
}

const textOf = (gamerTag: string, link: string): string => `OMNI JACKPOT

Choose a new password

Someone asked for a new password for ${gamerTag}. If it was you, open this link within ${LIFETIME}. It works once.

${link}

When the new password is set, everyone who is logged in as ${gamerTag} is logged out.

If it was not you, do nothing: your password and your balances stay as they are.

You get this mail because ${gamerTag} is registered with this address. Omni Jackpot never asks for your password by mail.
`;

/** The site's colours, in tables and inline styles, which all mail clients render. */
const htmlOf = (gamerTag: string, link: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark">
<title>Choose a new password</title>
</head>
<body style="margin:0;padding:0;background:#120c14">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="#120c14" style="background:#120c14">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;${FONT}">
<tr><td style="padding-bottom:24px;border-bottom:1px solid #3c2e41;color:#f8f1e7;font-size:18px;font-weight:600">Omni Jackpot</td></tr>
<tr><td style="padding:32px 0 16px;color:#f8f1e7;font-size:28px;line-height:32px;font-weight:600">Choose a new password</td></tr>
<tr><td style="${BODY}">Someone asked for a new password for <strong style="color:#f8f1e7">${gamerTag}</strong>. If it was you, open this link within <span style="color:#ffb65c">${LIFETIME}</span>. It works once.</td></tr>
<tr><td style="padding:24px 0 28px">
<a href="${link}" style="display:inline-block;padding:14px 24px;background:#f8f1e7;color:#1b131e;font-size:16px;line-height:20px;font-weight:600;text-decoration:none;border-radius:6px">Choose a new password</a>
</td></tr>
<tr><td style="${BODY}padding-bottom:16px">When the new password is set, everyone who is logged in as ${gamerTag} is logged out.</td></tr>
<tr><td style="${BODY}padding-bottom:24px">If it was not you, do nothing: your password and your balances stay as they are.</td></tr>
<tr><td style="padding:16px 0;border-top:1px solid #3c2e41;color:#a898ab;font-size:12px;line-height:18px">The button does not work? Open this address:<br><a href="${link}" style="color:#cabdca;word-break:break-all">${link}</a></td></tr>
<tr><td style="color:#a898ab;font-size:12px;line-height:18px">You get this mail because ${gamerTag} is registered with this address. Omni Jackpot never asks for your password by mail.</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
