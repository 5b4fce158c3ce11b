import type { AdminGamerRow } from '../../../../contracts/http/gamers.js';
import type { Power } from '../../../../contracts/ids.js';
import { EMAIL_MAX_LENGTH, MAX_ADJUSTMENT_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { type PlainRefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { gamerTagRefusal, passwordRefusal } from '../../../../contracts/validation.js';
import { centsFromInput, counted } from '../../shared/format.js';

interface Delta {
  /** Signed; null when the text is not an amount. */
  cents: number | null;
  problem: string | null;
}

/** Reads a signed change of a balance, typed in dollars. An empty text is no change. */
export function deltaOf(text: string, balanceCents: number): Delta {
  if (text.trim() === '') return { cents: 0, problem: null };
  const cents = centsFromInput(text);
  if (cents === null) return { cents, problem: 'Dollars and cents, such as -3.00' };
  if (Math.abs(cents) > MAX_ADJUSTMENT_CENTS)
    return { cents: null, problem: `At most ${formatCents(MAX_ADJUSTMENT_CENTS)} at once` };
  if (balanceCents + cents < 0) return { cents, problem: refusalText({ code: 'adjustment-below-zero' }) };
  return { cents, problem: null };
}

/** "$24.60 to $21.60", or "$24.60 stays" */
export function describeChange(balanceCents: number, { cents }: Delta): string {
  return cents === null || cents === 0
    ? `${formatCents(balanceCents)} stays`
    : `${formatCents(balanceCents)} to ${formatCents(balanceCents + cents)}`;
}

const textOf = (code: PlainRefusalCode | null): string | null => code && refusalText({ code });

/** The server also refuses taken and reserved tags. */
export const gamerTagProblem = (gamerTag: string) => textOf(gamerTagRefusal(gamerTag));
export const passwordProblem = (password: string) => textOf(passwordRefusal(password));

/** Requires one @ and a domain with a dot. The server checks more. */
export const emailProblem = (email: string): string | null =>
  email.length <= EMAIL_MAX_LENGTH && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
    ? null
    : refusalText({ code: 'invalid-email' });

export const roleName = (role: AdminGamerRow['role']): string => `${role[0]?.toUpperCase()}${role.slice(1)}`;

/** The names of an operator's powers, and what they allow. */
export const POWER_NAMES: Record<Power, { title: string; text: string }> = {
  money: { title: 'Money', text: 'deposits, payouts, adjustments, depositor status' },
  game: { title: 'Game', text: 'start, force live, reset, timers' },
  support: { title: 'Support', text: 'tickets, exclusions' },
  community: { title: 'Community', text: 'hide posts' },
};

/** Describes the effect of a new role (decisions 35, 50). */
export function describeRoleChange(role: AdminGamerRow['role'], gamerTag: string): string {
  switch (role) {
    case 'auditor':
      return `${gamerTag} becomes an auditor, who reads the audit screens: every event, account and statement. They cannot change anything, have no admin rights, and neither buy, earn nor withdraw while they are one.`;
    case 'operator':
      return `${gamerTag} may do in your place what the powers allow. The ledger names them in each act. An operator neither buys, deposits, earns nor withdraws while they are one.`;
    case 'gamer':
      return `${gamerTag} is no longer staff: the audit screens and the admin panel close for them. Their account, money and place in the matrix do not change.`;
  }
}

/** Describes the effect of deleting a gamer (decisions 14, 38) on the account, the money, the matrix and the ledger. */
export function describeDeletion({ gamerTag, purchaseBalance, currentWinnings }: AdminGamerRow): string[] {
  const money =
    purchaseBalance === 0 && currentWinnings === 0
      ? 'They have no balance.'
      : `Their ${formatCents(purchaseBalance)} purchase balance and ${formatCents(currentWinnings)} winnings are forfeited to the operator.`;
  return [
    `${gamerTag}’s account, email, saved wallets, support tickets and posts are deleted. They cannot log in again.`,
    money,
    'Their first child in the matrix takes their place with its team; the others move to free places under the grandparent, teams intact.',
    'The ledger keeps what they bought and won, without a name. This cannot be undone.',
  ];
}

export const describeDeleted = (gamerTag: string, reassignedChildren: number): string =>
  reassignedChildren === 0
    ? `${gamerTag} was deleted. Nobody moved in the matrix.`
    : `${gamerTag} was deleted. ${counted(reassignedChildren, 'gamer')} moved in the matrix.`;

/** Whether the typed text is the tag; upper and lower case differ. */
export const isConfirmed = (typed: string, gamerTag: string): boolean => typed.trim() === gamerTag;
