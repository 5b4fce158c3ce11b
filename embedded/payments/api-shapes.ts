import { outcomeAmount } from './callback-body.js';
import type { PaymentBook } from './payment-book.js';
import { placesOf } from './rates.js';
import type { Invoice, Payment } from './records.js';

/** Records as the API shows them, with the types of the real one: text when something is made, numbers when it is read. */
const iso = (epochMs: number): string => new Date(epochMs).toISOString();
const numberOrNull = (id: string | null): number | null => (id === null ? null : Number(id));

export const invoiceMade = (invoice: Invoice, checkoutUrl: string) => ({
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
  partially_paid_url: invoice.partiallyPaidUrl,
  payout_currency: null,
  is_fixed_rate: invoice.isFixedRate,
  is_fee_paid_by_user: invoice.isFeePaidByUser,
  created_at: iso(invoice.createdAt),
  updated_at: iso(invoice.updatedAt),
});

export const paymentMade = (payment: Payment) => ({
  payment_id: payment.id,
  payment_status: payment.status,
  pay_address: payment.payAddress,
  price_amount: Number(payment.priceAmount),
  price_currency: payment.priceCurrency,
  pay_amount: Number(payment.payAmount),
  pay_currency: payment.payCurrency,
  order_id: payment.orderId,
  order_description: payment.description,
  ipn_callback_url: payment.callbackUrl,
  created_at: iso(payment.createdAt),
  updated_at: iso(payment.updatedAt),
  purchase_id: payment.purchaseId,
  amount_received: null,
  payin_extra_id: null,
  smart_contract: '',
  network: payment.payCurrency,
  network_precision: placesOf(payment.payCurrency),
  time_limit: null,
  burning_percent: null,
  expiration_estimate_date: iso(payment.validUntil),
  is_fixed_rate: payment.isFixedRate,
  is_fee_paid_by_user: payment.isFeePaidByUser,
  valid_until: iso(payment.validUntil),
  type: 'crypto2crypto',
});

export const paymentRead = (payment: Payment) => ({
  payment_id: Number(payment.id),
  invoice_id: numberOrNull(payment.invoiceId),
  payment_status: payment.status,
  pay_address: payment.payAddress,
  payin_extra_id: null,
  price_amount: Number(payment.priceAmount),
  price_currency: payment.priceCurrency,
  pay_amount: Number(payment.payAmount),
  actually_paid: Number(payment.actuallyPaid),
  pay_currency: payment.payCurrency,
  order_id: payment.orderId,
  order_description: payment.description,
  purchase_id: Number(payment.purchaseId),
  outcome_amount: outcomeAmount(payment),
  outcome_currency: payment.payCurrency,
  payin_hash: null,
  payout_hash: null,
  created_at: iso(payment.createdAt),
  updated_at: iso(payment.updatedAt),
  burning_percent: 'null',
  type: 'crypto2crypto',
  payment_extra_ids: payment.childIds.length === 0 ? null : payment.childIds.map(Number),
  ...(payment.parentId !== null && { parent_payment_id: Number(payment.parentId), origin_type: payment.origin }),
});

export interface ListQuery {
  limit: number;
  page: number;
  invoiceId: string | null;
  dateFrom: number;
  dateTo: number;
  descending: boolean;
}

export function paymentList(book: PaymentBook, query: ListQuery) {
  const all = query.invoiceId === null ? book.allPayments() : book.paymentsOfInvoice(query.invoiceId);
  const wanted = all
    .filter(({ createdAt }) => createdAt >= query.dateFrom && createdAt <= query.dateTo)
    .sort((a, b) => (query.descending ? b.createdAt - a.createdAt : a.createdAt - b.createdAt));
  const { limit, page } = query;
  return {
    data: wanted.slice(page * limit, (page + 1) * limit).map(paymentRead),
    limit,
    page,
    pagesCount: Math.ceil(wanted.length / limit),
    total: wanted.length,
  };
}
