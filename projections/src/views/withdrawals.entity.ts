import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CryptoType } from '../../../contracts/crypto.js';
import type { WithdrawalStatus } from '../../../contracts/http/withdrawals.js';
import { safeInteger } from '../columns.js';

@Entity({ schema: 'read', name: 'withdrawals', synchronize: false })
export class WithdrawalRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** Null: the admin's own profit. */
  @Column({ name: 'gamer_id', type: 'text', nullable: true })
  gamerId!: string | null;

  @Column({ name: 'amount_cents', type: 'bigint', transformer: safeInteger })
  amountCents!: number;

  @Column({ name: 'crypto_type', type: 'text' })
  cryptoType!: CryptoType;

  @Column({ name: 'wallet_address', type: 'text' })
  walletAddress!: string;

  @Column({ type: 'text' })
  status!: WithdrawalStatus;

  @Column({ name: 'admin_notes', type: 'text', nullable: true })
  adminNotes!: string | null;

  @Column({ type: 'text', nullable: true })
  txid!: string | null;

  @Column({ name: 'created_at_ms', type: 'bigint', transformer: safeInteger })
  createdAtMs!: number;

  @Column({ name: 'processed_at_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  processedAtMs!: number | null;
}
