import type { NamedGamer, RoundId } from '../ids.js';
import { OTHER_ACCOUNTS } from '../ledger-accounts.js';
import type { NewYorkDay } from '../new-york.js';
import type { PurchaseOutcome } from '../purchase-outcome.js';

export const GAMER_ACCOUNTS = ['winnings', 'purchase'] as const;
export type GamerAccount = (typeof GAMER_ACCOUNTS)[number];

export const STATEMENT_ACCOUNTS = [...GAMER_ACCOUNTS, 'jackpot', ...OTHER_ACCOUNTS] as const;
export type StatementAccount = (typeof STATEMENT_ACCOUNTS)[number];

/** One change of the account, or a day's consecutive purchases summed up. */
export interface StatementLine {
  /** Number of the line's last event. */
  number: number;
  atMs: number;
  eventCount: number;
  /** Description: "Matrix credits, rounds 34 to 37". */
  description: string;
  cents: number;
  balanceCents: number;
}

/** GET /api/audit/statements?account=&gamer=&from=&to= */
export interface StatementResponse {
  account: StatementAccount;
  /** The account's gamer, for `purchase` and `winnings`. */
  gamer: NamedGamer | null;
  /** New York days, both included. */
  from: NewYorkDay;
  to: NewYorkDay;
  openingCents: number;
  lines: StatementLine[];
  closingCents: number;
  /** The balance that is served to gamers, if the statement ends today; else null. */
  servedCents: number | null;
}

/** Sums of a gamer's movements, in cents. Only net and adjusted may be below zero. */
export interface PlayTotals {
  /** Deposits without the fee, and token invoices. */
  paidInCents: number;
  /** Spent on tokens, from the purchase balance and by invoice. */
  spentCents: number;
  wonCents: number;
  /** Won less spent. Matrix winnings are not in it, as in the limit of the net loss. */
  netCents: number;
  matrixCents: number;
  withdrawnCents: number;
  /** Moved from the winnings to the purchase balance. */
  transferredCents: number;
  /** Moved back to the winnings, during an exclusion. */
  releasedCents: number;
  /** Adjustments by the admin, or an operator with the power money. */
  adjustedCents: number;
}

/** A movement of an account of the gamer, or tokens paid for by invoice, which touch neither account. */
export interface Movement extends Omit<StatementLine, 'balanceCents'> {
  account: GamerAccount | 'invoice';
  /** The round, if the movement belongs to one. */
  roundId: RoundId | null;
  /** The account's balance after the movement; null for an invoice. */
  balanceCents: number | null;
  /** A purchase's outcome; null for other movements, and on pages of more than 50. */
  outcome: PurchaseOutcome | null;
}

/** GET /api/gamer/{id}/movements?from=&to=&asOf=&page=&pageSize= */
export interface MovementsResponse {
  /** First and last day, in New York. */
  from: NewYorkDay;
  to: NewYorkDay;
  /** Number of the last event that counts. With the same `asOf`, other pages fit to this one. */
  asOf: number;
  balances: Record<GamerAccount, { openingCents: number; closingCents: number }>;
  /** Cents in withdrawals that were neither paid out nor returned at the end of the last day. */
  reservedCents: number;
  totals: PlayTotals;
  /** A page of the movements, newest first: each purchase by the gamer, and the day's consecutive matrix credits as one. */
  movements: Movement[];
  total: number;
}
