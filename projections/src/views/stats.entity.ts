import { BigintColumn, ReadTable, SmallintColumn } from '../columns.js';

@ReadTable('stats')
export class StatsRow {
  @SmallintColumn('id', { primary: true }) id!: number;
  @BigintColumn('total_gamers') totalGamers!: number;
  @BigintColumn('total_winnings_cents') totalWinningsCents!: number;
  /** All tokens bought so far, by balance or invoice. */
  @BigintColumn('total_tokens') totalTokens!: number;
  /** The profit share of all tokens bought so far, by the terms of their rounds. */
  @BigintColumn('total_profit_cents') totalProfitCents!: number;
}
