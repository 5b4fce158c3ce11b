import type { Withdrawal } from './withdrawals.js';

/** GET /api/admin/profits */
export interface AdminProfits {
  totalProfitCents: number;
  currentProfitCents: number;
  totalTokensPurchased: number;
  /** This and the next two are not part of the profit (decisions 3, 11, 14). */
  unclaimedCents: number;
  depositFeesCents: number;
  forfeitedCents: number;
}

/** GET /api/admin/profits/withdrawals */
export type ProfitWithdrawal = Omit<Withdrawal, 'gamerId' | 'gamerTag' | 'isNewAddress' | 'isBeforeLoss' | 'settledBy'>;
