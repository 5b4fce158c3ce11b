import type { AuditEvent, BookAccount, StatementAccount } from '../../../../contracts/http/audit.js';
import { dayText } from '../../shared/format/time-text.js';

const NEW_YORK = { timeZone: 'America/New_York', hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const second = new Intl.DateTimeFormat('en-US', NEW_YORK);
const millisecond = new Intl.DateTimeFormat('en-US', { ...NEW_YORK, fractionalSecondDigits: 3 });
const plain = (text: string): string => text.replace('\u202f', ' ');

/** h:mm:ss PM in New York. */
export const secondText = (epochMs: number): string => plain(second.format(epochMs));
/** h:mm:ss.mmm PM in New York: events may be a few milliseconds apart. */
export const millisecondText = (epochMs: number): string => plain(millisecond.format(epochMs));
/** MMM DD, YYYY, h:mm:ss PM in New York. */
export const fullTimeText = (epochMs: number): string => `${dayText(epochMs)}, ${secondText(epochMs)}`;
/** MMM DD, YYYY, h:mm:ss.mmm PM in New York. */
export const exactTimeText = (epochMs: number): string => `${dayText(epochMs)}, ${millisecondText(epochMs)}`;

/** 184,219 */
export const numberText = (number: number): string => number.toLocaleString('en-US');

const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** 21,406.80; what is below zero with a minus as long as its digits. */
export const amountText = (cents: number): string => `${cents < 0 ? '−' : ''}${dollars.format(Math.abs(cents) / 100)}`;

/** The same with a plus before what comes in. */
export const signedText = (cents: number): string => `${cents > 0 ? '+' : ''}${amountText(cents)}`;

/** As the books call their accounts: by the ledger's names, and the gamers' taken together. */
export const bookAccountName = (account: BookAccount): string =>
  account === 'gamers:purchase'
    ? 'gamers, purchase balances'
    : account === 'gamers:winnings'
      ? 'gamers, winnings'
      : account;

export const isOfGamer = (account: StatementAccount): account is 'purchase' | 'winnings' =>
  account === 'purchase' || account === 'winnings';

/** "ada_west, winnings", "house:profit" */
export const statementName = (account: StatementAccount, gamerTag: string | null): string =>
  isOfGamer(account) ? `${gamerTag ?? 'nobody'}, ${account === 'purchase' ? 'purchase balance' : 'winnings'}` : account;

const ROLES = { gamer: 'as a gamer', admin: 'as the admin', auditor: 'as an auditor', system: 'the system' } as const;

/** Who asked for an event: "nova_kid, as a gamer"; nobody did: "the system". */
export const actorText = ({ gamer, role }: AuditEvent['by']): string =>
  gamer === null
    ? role === 'system'
      ? ROLES.system
      : `somebody, ${ROLES[role]}`
    : `${gamer.gamerTag}, ${ROLES[role]}`;
