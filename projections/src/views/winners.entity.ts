import { BigintColumn, IntegerColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('winners')
export class WinnerRow {
  @IntegerColumn('round_id', { primary: true }) roundId!: number;
  @TextColumn('winner_id') winnerId!: string;
  @BigintColumn('jackpot_cents') jackpotCents!: number;
  @BigintColumn('ended_at_ms') endedAtMs!: number;
}
