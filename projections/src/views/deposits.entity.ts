import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CryptoType } from '../../../contracts/crypto.js';
import type { ReviewReason } from '../../../contracts/events/ledger-events.js';
import { safeInteger } from '../columns.js';

/** Deposits wait, were approved or rejected; a token invoice's payment bought its tokens or went to the balance. */
export type DepositOutcome = 'pending' | 'approved' | 'rejected' | 'tokens' | 'balance';

/** One gateway payment as the ledger has it. */
@Entity({ schema: 'read', name: 'deposits', synchronize: false })
export class DepositRow {
  @PrimaryColumn({ name: 'payment_id', type: 'text' })
  paymentId!: string;

  /** Null for an invoice's payment that needed no review. */
  @Column({ name: 'deposit_id', type: 'text', nullable: true })
  depositId!: string | null;

  @Column({ name: 'purchase_id', type: 'text', nullable: true })
  purchaseId!: string | null;

  @Column({ name: 'gamer_id', type: 'text', nullable: true })
  gamerId!: string | null;

  @Column({ type: 'text' })
  purpose!: 'deposit' | 'tokens';

  @Column({ type: 'text' })
  outcome!: DepositOutcome;

  /** Why it had to wait; null when it did not. */
  @Column({ type: 'text', nullable: true })
  reason!: ReviewReason | null;

  @Column({ name: 'amount_cents', type: 'bigint', transformer: safeInteger })
  amountCents!: number;

  /** Null where the ledger does not say: of tokens that were bought. */
  @Column({ name: 'crypto_type', type: 'text', nullable: true })
  cryptoType!: CryptoType | null;

  @Column({ name: 'created_at_ms', type: 'bigint', transformer: safeInteger })
  createdAtMs!: number;

  @Column({ name: 'settled_at_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  settledAtMs!: number | null;
}
