import { BigintColumn, DateColumn, ReadTable } from '../columns.js';

/** A day's totals. Days without purchases and credited deposits have no row. */
@ReadTable('daily_totals')
export class DailyTotalsRow {
  /** Day in New York, as 2025-10-14. */
  @DateColumn('day', { primary: true }) day!: string;
  @BigintColumn('profit_cents') profitCents!: number;
  @BigintColumn('purchases') purchases!: number;
  @BigintColumn('deposits_cents') depositsCents!: number;
  @BigintColumn('deposits') deposits!: number;
}
