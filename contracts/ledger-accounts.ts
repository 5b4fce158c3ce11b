import type { GamerId } from './ids.js';

/**
 * The ledger's accounts (integer cents). Only two may be below zero: `world:crypto`, the outside world, and
 * `house:adjustments`, the counterpart of the admin's adjustments.
 */
export type LedgerAccount =
  | `gamer:${GamerId}:purchase`
  | `gamer:${GamerId}:winnings`
  | 'jackpot'
  | 'house:profit'
  | 'house:unclaimed'
  | 'house:deposit-fees'
  | 'house:adjustments'
  | 'house:forfeited'
  | 'payouts:pending'
  | 'world:crypto';

export const purchaseAccount = (gamerId: GamerId): LedgerAccount => `gamer:${gamerId}:purchase`;
export const winningsAccount = (gamerId: GamerId): LedgerAccount => `gamer:${gamerId}:winnings`;

/** One line of an event's double entry. The postings of an event sum to zero. */
export interface Posting {
  account: LedgerAccount;
  /** Signed: positive is into the account. */
  cents: number;
}
