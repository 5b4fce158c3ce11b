import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'balances', synchronize: false })
export class BalanceRow {
  /** A ledger account's name. An account never posted to has no row. */
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @Column({ type: 'bigint', transformer: safeInteger })
  cents!: number;
}

@Entity({ schema: 'read', name: 'gamer_totals', synchronize: false })
export class GamerTotalsRow {
  @PrimaryColumn({ name: 'gamer_id', type: 'text' })
  gamerId!: string;

  @Column({ name: 'total_winnings_cents', type: 'bigint', transformer: safeInteger })
  totalWinningsCents!: number;

  @Column({ name: 'withdrawals_paid_cents', type: 'bigint', transformer: safeInteger })
  withdrawalsPaidCents!: number;
}
