import { BigintColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('balances')
export class BalanceRow {
  /** A ledger account's name. An account without postings has no row. */
  @TextColumn('account', { primary: true }) account!: string;
  @BigintColumn('cents') cents!: number;
}

@ReadTable('gamer_totals')
export class GamerTotalsRow {
  @TextColumn('gamer_id', { primary: true }) gamerId!: string;
  @BigintColumn('total_winnings_cents') totalWinningsCents!: number;
  @BigintColumn('withdrawals_paid_cents') withdrawalsPaidCents!: number;
}
