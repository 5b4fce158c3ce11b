import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'winners', synchronize: false })
export class WinnerRow {
  @PrimaryColumn({ name: 'round_id', type: 'integer' })
  roundId!: number;

  @Column({ name: 'winner_id', type: 'text' })
  winnerId!: string;

  @Column({ name: 'jackpot_cents', type: 'bigint', transformer: safeInteger })
  jackpotCents!: number;

  @Column({ name: 'ended_at_ms', type: 'bigint', transformer: safeInteger })
  endedAtMs!: number;
}
