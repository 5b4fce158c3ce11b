import type { CryptoType } from '../../../contracts/crypto.js';
import type { PaymentStatus } from '../../../contracts/events/payment-events.js';
import { BigintColumn, BooleanColumn, IntegerColumn, ReadTable, TextColumn } from '../columns.js';

/** An invoice at the gateway. A payment for an unknown invoice has a row with the id `unknown-…` and null columns. */
@ReadTable('payments')
export class PaymentRow {
  @TextColumn('order_id', { primary: true }) orderId!: string;
  @TextColumn('purpose', { nullable: true }) purpose!: 'deposit' | 'tokens' | null;
  @TextColumn('gamer_id', { nullable: true }) gamerId!: string | null;
  @BigintColumn('amount_cents', { nullable: true }) amountCents!: number | null;
  @TextColumn('crypto_type', { nullable: true }) cryptoType!: CryptoType | null;
  @IntegerColumn('quantity', { nullable: true }) quantity!: number | null;
  @TextColumn('invoice_id', { nullable: true }) invoiceId!: string | null;
  /** The payment that was created with the invoice. */
  @TextColumn('payment_id', { nullable: true }) paymentId!: string | null;
  @BooleanColumn('is_expired', { default: false }) isExpired!: boolean;
  @BigintColumn('opened_at_ms') openedAtMs!: number;
  /** Time of the last event of the stream. */
  @BigintColumn('changed_at_ms') changedAtMs!: number;
}

/** A payment at the gateway. */
@ReadTable('gateway_payments')
export class GatewayPaymentRow {
  @TextColumn('payment_id', { primary: true }) paymentId!: string;
  @TextColumn('order_id') orderId!: string;
  /** The gateway port's status in the gateway's last report. */
  @TextColumn('status') status!: PaymentStatus;
  /** The gateway's own name of that status. */
  @TextColumn('gateway_status') gatewayStatus!: string;
  /** The gateway's code of the coin, lower case. */
  @TextColumn('pay_currency') payCurrency!: string;
  /** Decimal text in coins, in the gateway's last report. */
  @TextColumn('actually_paid') actuallyPaid!: string;
  /** The gateway's status and amount that the verdict was decided on; null before the verdict. */
  @TextColumn('verdict_status', { nullable: true }) verdictStatus!: string | null;
  @TextColumn('verdict_paid', { nullable: true }) verdictPaid!: string | null;
  /** Time when status or amount began to differ from those of the verdict; null while they are equal. */
  @BigintColumn('changed_at_ms', { nullable: true }) changedAtMs!: number | null;
  /** The ledger's outcome; `seen` while it has none. */
  @TextColumn('outcome') outcome!: 'seen' | 'review' | 'rejected' | 'deposit' | 'tokens' | 'balance';
  /** The reason for the review; null without one. */
  @TextColumn('reason', { nullable: true }) reason!: string | null;
  /** The credited amount; null without a credit. */
  @BigintColumn('credited_cents', { nullable: true }) creditedCents!: number | null;
}
