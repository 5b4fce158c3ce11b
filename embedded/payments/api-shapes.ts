import { createHmac } from 'node:crypto';
import { fromUnits, mulDivFloor } from '../../contracts/decimal.js';
import { placesOf } from './coins.js';
import type { Invoice, Payment } from './records.js';

// JSON shapes of the API and its callbacks. As at the real gateway, a new id is a string, and later a number.

const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
const numberOrNull = (id: string | null): number | null => (id === null ? null : Number(id));
/** A fraction of the paid amount, rounded down to eight decimal places. */
const fractionOfPaid = ({ actuallyPaid }: Payment, fraction: string): number =>
  Number(fromUnits(mulDivFloor(actuallyPaid, fraction, '1', 8), 8));

export const createdInvoice = (invoice: Invoice, checkoutUrl: string) => ({
  id: invoice.id,
  token_id: invoice.tokenId,
  order_id: invoice.orderId,
  order_description: invoice.description,
  price_amount: invoice.priceAmount,
  price_currency: invoice.priceCurrency.toUpperCase(),
  pay_currency: invoice.payCurrency?.toUpperCase() ?? null,
  ipn_callback_url: invoice.callbackUrl,
  invoice_url: checkoutUrl,
  success_url: invoice.successUrl,
  cancel_url: invoice.cancelUrl,
  partially_paid_url: null,
  payout_currency: null,
  is_fixed_rate: invoice.isFixedRate,
  is_fee_paid_by_user: invoice.isFeePaidByUser,
  created_at: isoTime(invoice.createdAt),
  updated_at: isoTime(invoice.updatedAt),
});

const paymentFields = (payment: Payment) => ({
  order_id: payment.orderId,
  order_description: payment.description,
  pay_address: payment.payAddress,
  pay_amount: Number(payment.payAmount),
  pay_currency: payment.payCurrency,
  payin_extra_id: null,
  payment_status: payment.status,
  price_amount: Number(payment.priceAmount),
  price_currency: payment.priceCurrency,
});

const receiptFields = (payment: Payment) => ({
  actually_paid: Number(payment.actuallyPaid),
  invoice_id: numberOrNull(payment.invoiceId),
  outcome_amount: fractionOfPaid(payment, '0.995'), // The service fee is half a percent.
  outcome_currency: payment.payCurrency,
  payment_extra_ids: payment.childIds.length === 0 ? null : payment.childIds.map(Number),
  payment_id: Number(payment.id),
});

export const createdPayment = (payment: Payment) => ({
  ...paymentFields(payment),
  payment_id: payment.id,
  ipn_callback_url: payment.callbackUrl,
  created_at: isoTime(payment.createdAt),
  updated_at: isoTime(payment.updatedAt),
  purchase_id: payment.purchaseId,
  amount_received: null,
  smart_contract: '',
  network: payment.payCurrency,
  network_precision: placesOf(payment.payCurrency),
  time_limit: null,
  burning_percent: null,
  expiration_estimate_date: isoTime(payment.validUntil),
  is_fixed_rate: payment.isFixedRate,
  is_fee_paid_by_user: payment.isFeePaidByUser,
  valid_until: isoTime(payment.validUntil),
  type: 'crypto2crypto',
});

export const readPayment = (payment: Payment) => ({
  ...paymentFields(payment),
  ...receiptFields(payment),
  purchase_id: Number(payment.purchaseId),
  payin_hash: null,
  payout_hash: null,
  created_at: isoTime(payment.createdAt),
  updated_at: isoTime(payment.updatedAt),
  burning_percent: 'null',
  type: 'crypto2crypto',
  ...(payment.parentId !== null && { parent_payment_id: Number(payment.parentId), origin_type: payment.origin }),
});

/** A callback's body: compact JSON with its keys sorted at every depth. */
export function callbackBody(payment: Payment): string {
  const fields = {
    ...paymentFields(payment),
    ...receiptFields(payment),
    actually_paid_at_fiat: 0, // The real gateway sends zero too, so the merchant must not rely on it.
    fee: {
      currency: payment.payCurrency,
      depositFee: 0,
      serviceFee: fractionOfPaid(payment, '0.005'),
      withdrawalFee: 0,
    },
    parent_payment_id: numberOrNull(payment.parentId),
    purchase_id: payment.purchaseId,
    updated_at: payment.updatedAt,
  };
  return JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
}

export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha512', secret.trim()).update(body).digest('hex');
