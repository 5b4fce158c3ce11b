/* Mail goes to the email as it was typed; these forms only compare. */

/** A dot-atom in needless quotes (RFC 5321, section 4.1.2). */
const NEEDLESSLY_QUOTED = /^"([^\s"\\(),.:;<>@[\]]+(?:\.[^\s"\\(),.:;<>@[\]]+)*)"$/;

/** The one spelling that identifies an email: unique among accounts, and the same for any case or spelling of the domain. */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, Math.max(at, 0)).normalize('NFC').toLowerCase().normalize('NFC');
  return `${local.replace(NEEDLESSLY_QUOTED, '$1')}@${asciiDomain(email.slice(at + 1))}`;
}

/** The domain in lower-case A-labels (IDNA); empty when it is not a host name. */
function asciiDomain(domain: string): string {
  const isHost = /^[^\s/?#@:\\%]+$/.test(domain) && URL.canParse(`http://${domain}`);
  return isHost ? new URL(`http://${domain}`).hostname : '';
}

/** The mailbox an email leads to: its canonical form without `+…`, and at Gmail without dots. */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = canonicalEmail(email).split(/@(?=[^@]*$)/);
  const name = local.replace(/(?!^)\+.*$/, '');
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
