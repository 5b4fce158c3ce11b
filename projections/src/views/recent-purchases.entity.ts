import { Column, Entity, PrimaryColumn } from 'typeorm';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'recent_purchases', synchronize: false })
export class RecentPurchaseRow {
  @PrimaryColumn({ type: 'bigint', transformer: safeInteger })
  revision!: number;

  @Column({ name: 'purchase_id', type: 'text' })
  purchaseId!: string;

  @Column({ name: 'round_id', type: 'integer' })
  roundId!: number;

  @Column({ name: 'buyer_id', type: 'text' })
  buyerId!: string;

  @Column({ name: 'at_ms', type: 'bigint', transformer: safeInteger })
  atMs!: number;

  @Column({ type: 'integer' })
  quantity!: number;

  @Column({ name: 'jackpot_cents', type: 'bigint', transformer: safeInteger })
  jackpotCents!: number;

  @Column({ name: 'added_seconds', type: 'integer', nullable: true })
  addedSeconds!: number | null;

  @Column({ name: 'ends_at_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  endsAtMs!: number | null;
}
