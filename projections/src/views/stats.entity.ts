import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'stats', synchronize: false })
export class StatsRow {
  @PrimaryColumn({ type: 'smallint' })
  id!: number;

  @Column({ name: 'total_gamers', type: 'bigint', transformer: safeInteger })
  totalGamers!: number;

  @Column({ name: 'total_winnings_cents', type: 'bigint', transformer: safeInteger })
  totalWinningsCents!: number;

  /** Bought ever, by balance or invoice. */
  @Column({ name: 'total_tokens', type: 'bigint', transformer: safeInteger })
  totalTokens!: number;
}
