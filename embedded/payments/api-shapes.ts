import type { Payment } from './records.js';

// JSON shapes of the API and its callbacks, without fields that the merchant ignores. As at the real gateway, a new id is a
// string, and later a number.

export const createdPayment = (payment: Payment) => ({
  payment_id: payment.id,
  order_id: payment.orderId,
  pay_address: payment.payAddress,
  pay_amount: Number(payment.payAmount),
  pay_currency: payment.payCurrency,
  payment_status: payment.status,
  price_amount: Number(payment.priceAmount),
  price_currency: 'usd',
});

export const readPayment = (payment: Payment) => ({
  ...createdPayment(payment),
  payment_id: Number(payment.id),
  invoice_id: Number(payment.invoiceId),
  parent_payment_id: payment.parentId === null ? null : Number(payment.parentId),
  payment_extra_ids: payment.childIds.length === 0 ? null : payment.childIds.map(Number),
  actually_paid: Number(payment.actuallyPaid),
});

/** The fields of a payment's callback. */
export const reportedPayment = (payment: Payment) => ({
  ...readPayment(payment),
  actually_paid_at_fiat: 0, // The real gateway sends zero too, so the merchant must not rely on it.
  fee: { currency: payment.payCurrency, depositFee: 0, serviceFee: 0, withdrawalFee: 0 },
});
