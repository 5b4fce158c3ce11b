import { createHmac } from 'node:crypto';
import { fromUnits, mulDivFloor } from '../../contracts/decimal.js';
import type { Payment } from './records.js';

/** What a callback says of a payment, as compact JSON with the keys sorted at every depth, and its signature. */
export function callbackBody(payment: Payment, secret: string): { body: string; signature: string } {
  const paid = payment.actuallyPaid;
  const body = JSON.stringify({
    actually_paid: Number(paid),
    // Zero on a real callback too, so nobody may rely on it.
    actually_paid_at_fiat: 0,
    fee: {
      currency: payment.payCurrency,
      depositFee: 0,
      serviceFee: Number(fromUnits(mulDivFloor(paid, '0.005', '1', 8), 8)),
      withdrawalFee: 0,
    },
    invoice_id: payment.invoiceId === null ? null : Number(payment.invoiceId),
    order_description: payment.description,
    order_id: payment.orderId,
    outcome_amount: outcomeAmount(payment),
    outcome_currency: payment.payCurrency,
    parent_payment_id: payment.parentId === null ? null : Number(payment.parentId),
    pay_address: payment.payAddress,
    pay_amount: Number(payment.payAmount),
    pay_currency: payment.payCurrency,
    payin_extra_id: null,
    payment_extra_ids: payment.childIds.length === 0 ? null : payment.childIds.map(Number),
    payment_id: Number(payment.id),
    payment_status: payment.status,
    price_amount: Number(payment.priceAmount),
    price_currency: payment.priceCurrency,
    purchase_id: payment.purchaseId,
    updated_at: payment.updatedAt,
  });
  return { body, signature: signatureOf(body, secret) };
}

export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha512', secret.trim()).update(body).digest('hex');

/** What is left after the service fee of half a percent. */
export const outcomeAmount = (payment: Payment): number =>
  Number(fromUnits(mulDivFloor(payment.actuallyPaid, '0.995', '1', 8), 8));
