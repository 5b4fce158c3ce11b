import type { GamerId } from './ids.js';

/**
 * The ledger's accounts (integer cents). Only `world:crypto` and `house:adjustments` may be below zero: the first is the
 * outside world, the second the counterpart of what an admin granted by hand.
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

/** One line of a double entry. The postings of one event sum to zero. */
export interface Posting {
  account: LedgerAccount;
  /** Signed: positive is into the account. */
  cents: number;
}
