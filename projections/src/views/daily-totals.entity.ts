import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

/** What one day brought. Days on which nothing was sold and nothing credited have no row. */
@Entity({ schema: 'read', name: 'daily_totals', synchronize: false })
export class DailyTotalsRow {
  /** In New York, as 2025-10-14. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @Column({ name: 'profit_cents', type: 'bigint', transformer: safeInteger })
  profitCents!: number;

  @Column({ type: 'bigint', transformer: safeInteger })
  purchases!: number;

  @Column({ name: 'deposits_cents', type: 'bigint', transformer: safeInteger })
  depositsCents!: number;

  @Column({ type: 'bigint', transformer: safeInteger })
  deposits!: number;
}
