import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CryptoType } from '../../../contracts/crypto.js';
import { safeInteger } from '../columns.js';

/** An invoice at the gateway; or, with an id `unknown-…` and nothing known, a payment that belongs to none. */
@Entity({ schema: 'read', name: 'payments', synchronize: false })
export class PaymentRow {
  @PrimaryColumn({ name: 'order_id', type: 'text' })
  orderId!: string;

  @Column({ type: 'text', nullable: true })
  purpose!: 'deposit' | 'tokens' | null;

  @Column({ name: 'gamer_id', type: 'text', nullable: true })
  gamerId!: string | null;

  @Column({ name: 'amount_cents', type: 'bigint', nullable: true, transformer: safeInteger })
  amountCents!: number | null;

  @Column({ name: 'crypto_type', type: 'text', nullable: true })
  cryptoType!: CryptoType | null;

  @Column({ type: 'integer', nullable: true })
  quantity!: number | null;

  @Column({ name: 'invoice_id', type: 'text', nullable: true })
  invoiceId!: string | null;

  /** The one that was opened with the invoice. */
  @Column({ name: 'payment_id', type: 'text', nullable: true })
  paymentId!: string | null;

  @Column({ name: 'is_expired', type: 'boolean' })
  isExpired!: boolean;

  @Column({ name: 'opened_at_ms', type: 'bigint', transformer: safeInteger })
  openedAtMs!: number;

  /** When its stream last grew. */
  @Column({ name: 'changed_at_ms', type: 'bigint', transformer: safeInteger })
  changedAtMs!: number;
}

/** A payment at the gateway, for one of the invoices or for none. */
@Entity({ schema: 'read', name: 'gateway_payments', synchronize: false })
export class GatewayPaymentRow {
  @PrimaryColumn({ name: 'payment_id', type: 'text' })
  paymentId!: string;

  @Column({ name: 'order_id', type: 'text' })
  orderId!: string;

  /** The gateway's word when it was last seen. */
  @Column({ type: 'text' })
  status!: string;

  /** The gateway's code of the coin, lower case. */
  @Column({ name: 'pay_currency', type: 'text' })
  payCurrency!: string;

  /** Decimal text in coins, when it was last seen. */
  @Column({ name: 'actually_paid', type: 'text' })
  actuallyPaid!: string;

  /** Word and amount on which it was decided what becomes of it; null before. */
  @Column({ name: 'judged_status', type: 'text', nullable: true })
  judgedStatus!: string | null;

  @Column({ name: 'judged_paid', type: 'text', nullable: true })
  judgedPaid!: string | null;

  /** Since when word or amount are others than those; null while they are not. */
  @Column({ name: 'changed_at_ms', type: 'bigint', nullable: true, transformer: safeInteger })
  changedAtMs!: number | null;

  /** Ours: what the ledger made of it. */
  @Column({ type: 'text' })
  outcome!: 'seen' | 'review' | 'rejected' | 'deposit' | 'tokens' | 'balance';

  /** Why it waits. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** What was credited; null before. */
  @Column({ name: 'credited_cents', type: 'bigint', nullable: true, transformer: safeInteger })
  creditedCents!: number | null;
}
