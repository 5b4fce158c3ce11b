import { compareDecimals, type DecimalText, decimalText } from '../../../../../contracts/decimal.js';
import type { PaymentStatus } from '../../../../../contracts/events/payment-events.js';
import type { GatewayPayment, GatewayPayout } from './payment-gateway.js';

// NOWPayments' types vary: ids and amounts are texts or numbers, and null is sometimes the text "null".

export type JsonObject = Record<string, unknown>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for a text that is no JSON object: an HTML page of a proxy, for example. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Null for an absent or invalid id. A number that JSON.parse rounded is invalid: it would name another payment. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return typeof value === 'string' && value !== 'null' && ID.test(value) ? value : null;
}

export function amountText(value: unknown): DecimalText | null {
  const amount = decimalText(value);
  return amount === undefined || amount.startsWith('-') ? null : amount;
}

const word = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value !== 'null' ? value : null;

/**
 * Maps NOWPayments' statuses. Usual order: waiting, confirming, confirmed, sending, then finished or partially_paid; or
 * expired after waiting. `finished` only means that the gateway is done. `cancelled` is a partly paid payment that the
 * merchant relabelled. An unknown status counts as arriving: it settles nothing, and a later poll may return a known one.
 */
function statusOf(gatewayStatus: string, actuallyPaid: DecimalText, payAmount: DecimalText): PaymentStatus {
  switch (gatewayStatus) {
    case 'waiting':
    case 'failed':
    case 'expired':
    case 'refunded':
      return gatewayStatus;
    case 'finished': {
      const difference = compareDecimals(actuallyPaid, payAmount);
      if (difference === 0) return 'paid';
      return difference < 0 ? 'short' : 'over';
    }
    case 'partially_paid':
      return 'short';
    case 'cancelled':
      return compareDecimals(actuallyPaid, '0') > 0 ? 'short' : 'failed';
    default:
      return 'arriving';
  }
}

/** Undefined when the JSON lacks an id, a status or a coin. */
export function readPayment(json: unknown): GatewayPayment | undefined {
  if (!isJsonObject(json)) return undefined;
  const paymentId = idText(json.payment_id);
  const gatewayStatus = word(json.payment_status)?.toLowerCase();
  const payCurrency = word(json.pay_currency)?.toLowerCase();
  if (paymentId === null || gatewayStatus === undefined || payCurrency === undefined) return undefined;
  const children = Array.isArray(json.payment_extra_ids) ? json.payment_extra_ids : [];
  const payAmount = amountText(json.pay_amount);
  const actuallyPaid = amountText(json.actually_paid) ?? amountText(json.amount_received) ?? '0';
  return {
    paymentId,
    status: statusOf(gatewayStatus, actuallyPaid, payAmount ?? '0'),
    gatewayStatus,
    invoiceId: idText(json.invoice_id),
    orderId: word(json.order_id),
    parentPaymentId: idText(json.parent_payment_id),
    childPaymentIds: children.map(idText).filter((id) => id !== null),
    priceAmount: amountText(json.price_amount),
    priceCurrency: word(json.price_currency)?.toLowerCase() ?? null,
    payAmount,
    actuallyPaid,
    payCurrency,
    payAddress: word(json.pay_address),
  };
}

/** Undefined when the JSON lacks an id. */
export function readPayout(json: unknown): GatewayPayout | undefined {
  const payoutId = isJsonObject(json) ? idText(json.id) : null;
  if (!isJsonObject(json) || payoutId === null) return undefined;
  const createdAtMs = Date.parse(String(json.created_at));
  return {
    payoutId,
    batchId: idText(json.batch_withdrawal_id),
    externalId: word(json.unique_external_id),
    status: word(json.status)?.toUpperCase() ?? null,
    currency: word(json.currency)?.toLowerCase() ?? null,
    amount: amountText(json.amount),
    address: word(json.address),
    hash: word(json.hash),
    createdAtMs: Number.isNaN(createdAtMs) ? null : createdAtMs,
  };
}
