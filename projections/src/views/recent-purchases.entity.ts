import { BigintColumn, IntegerColumn, ReadTable, TextColumn } from '../columns.js';

@ReadTable('recent_purchases')
export class RecentPurchaseRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @TextColumn('purchase_id', { unique: true }) purchaseId!: string;
  @IntegerColumn('round_id') roundId!: number;
  @TextColumn('buyer_id') buyerId!: string;
  @BigintColumn('at_ms') atMs!: number;
  @IntegerColumn('quantity') quantity!: number;
  @BigintColumn('jackpot_cents') jackpotCents!: number;
  @IntegerColumn('added_seconds', { nullable: true }) addedSeconds!: number | null;
  @BigintColumn('ends_at_ms', { nullable: true }) endsAtMs!: number | null;
}
