import type { GamerId } from './ids.js';

/** The accounts besides the gamers' and the jackpot. */
export const OTHER_ACCOUNTS = [
  'house:profit',
  'house:unclaimed',
  'house:deposit-fees',
  'house:adjustments',
  'house:forfeited',
  'payouts:pending',
  'world:crypto',
] as const;

/** The ledger's accounts. Only two may be below zero: `world:crypto`, the outside world, and `house:adjustments`. */
export type LedgerAccount =
  | `gamer:${GamerId}:purchase`
  | `gamer:${GamerId}:winnings`
  | 'jackpot'
  | (typeof OTHER_ACCOUNTS)[number];

export const purchaseAccount = (gamerId: GamerId): LedgerAccount => `gamer:${gamerId}:purchase`;
export const winningsAccount = (gamerId: GamerId): LedgerAccount => `gamer:${gamerId}:winnings`;

/** One line of an event's double entry. The postings of an event sum to zero. */
export interface Posting {
  account: LedgerAccount;
  /** Signed: positive is into the account. */
  cents: number;
}
