import { isCryptoType } from '../../../../contracts/crypto.js';
import { type DecimalText, decimalText } from '../../../../contracts/decimal.js';
import { type GatewayPayment, PAYMENT_STATUSES, type PaymentStatus } from './payment-gateway.js';

/**
 * Reading NOWPayments' JSON, whose types wobble: ids are text when made and numbers when read, amounts are either,
 * and null is sometimes the word "null".
 */
export type JsonObject = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Null for what is absent or no id. A number that JSON.parse had to round is none: it would name another payment. */
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

/** ISO text, or epoch milliseconds as callbacks have them. */
function epochMs(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isSafeInteger(time) && time > 0 ? time : null;
}

/** An unknown word counts as pending: it settles nothing, and the next look may bring a known one. */
const statusOf = (statusWord: string): PaymentStatus =>
  PAYMENT_STATUSES.find((status) => status === statusWord.toLowerCase()) ?? 'pending';

/** Undefined when it lacks what makes a payment: an id, a status, a coin. */
export function readPayment(json: unknown): GatewayPayment | undefined {
  if (!isJsonObject(json)) return undefined;
  const paymentId = idText(json.payment_id);
  const statusWord = word(json.payment_status);
  const payCurrency = word(json.pay_currency)?.toLowerCase();
  if (paymentId === null || statusWord === null || payCurrency === undefined) return undefined;
  const cryptoType = payCurrency.toUpperCase();
  const children = Array.isArray(json.payment_extra_ids) ? json.payment_extra_ids : [];
  return {
    paymentId,
    status: statusOf(statusWord),
    statusWord,
    invoiceId: idText(json.invoice_id),
    orderId: word(json.order_id),
    parentPaymentId: idText(json.parent_payment_id),
    childPaymentIds: children.map(idText).filter((id) => id !== null),
    priceAmount: amountText(json.price_amount),
    priceCurrency: word(json.price_currency)?.toLowerCase() ?? null,
    payAmount: amountText(json.pay_amount),
    actuallyPaid: amountText(json.actually_paid) ?? amountText(json.amount_received) ?? '0',
    payCurrency,
    cryptoType: isCryptoType(cryptoType) ? cryptoType : null,
    payAddress: word(json.pay_address),
    validUntilEpochMs: epochMs(json.valid_until),
    createdAtEpochMs: epochMs(json.created_at),
    updatedAtEpochMs: epochMs(json.updated_at),
  };
}
