import type { NewYorkDay } from '../new-york.js';
import type { Withdrawal } from './withdrawals.js';

/** A day's totals. */
export interface DayTotals {
  day: NewYorkDay;
  /** The profit share of the tokens bought on that day. */
  profitCents: number;
  purchases: number;
  /** Credited deposits, without the fee. */
  depositsCents: number;
  deposits: number;
}

/** GET /api/admin/daily-totals?days= */
export interface DailyTotalsResponse {
  /** Consecutive days, also those without any event; today is the last and not over. */
  days: DayTotals[];
}

/** GET /api/admin/profits */
export interface AdminProfits {
  totalProfitCents: number;
  currentProfitCents: number;
  totalTokensPurchased: number;
  /** Not part of the profit (decisions 3, 11, 14). */
  unclaimedCents: number;
  depositFeesCents: number;
  forfeitedCents: number;
}

/** GET /api/admin/profits/withdrawals */
export type ProfitWithdrawal = Omit<Withdrawal, 'gamerTag' | 'isNewAddress'>;
