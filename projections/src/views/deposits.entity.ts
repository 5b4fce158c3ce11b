import type { CryptoType } from '../../../contracts/crypto.js';
import type { ReviewReason } from '../../../contracts/events/ledger-events.js';
import { BigintColumn, ReadTable, TextColumn } from '../columns.js';

/** A deposit is pending, approved or rejected; a token invoice's payment bought tokens or was credited to the balance. */
export type DepositOutcome = 'pending' | 'approved' | 'rejected' | 'tokens' | 'balance';

/** A gateway payment that the ledger recorded. */
@ReadTable('deposits')
export class DepositRow {
  @TextColumn('payment_id', { primary: true }) paymentId!: string;
  /** Null for an invoice's payment that needed no review. */
  @TextColumn('deposit_id', { nullable: true, unique: true }) depositId!: string | null;
  @TextColumn('purchase_id', { nullable: true }) purchaseId!: string | null;
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @TextColumn('purpose') purpose!: 'deposit' | 'tokens';
  @TextColumn('outcome') outcome!: DepositOutcome;
  /** The reason for the review; null without one. */
  @TextColumn('reason', { nullable: true }) reason!: ReviewReason | null;
  @BigintColumn('amount_cents') amountCents!: number;
  /** Null for bought tokens: TokenPurchased does not have it. */
  @TextColumn('crypto_type', { nullable: true }) cryptoType!: CryptoType | null;
  @BigintColumn('created_at_ms') createdAtMs!: number;
  @BigintColumn('settled_at_ms', { nullable: true }) settledAtMs!: number | null;
}
