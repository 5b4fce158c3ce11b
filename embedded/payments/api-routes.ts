import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compareDecimals, type DecimalText, decimalText } from '../../contracts/decimal.js';
import { MINUTE_MS } from '../../contracts/durations.js';
import { type Body, bodyOf, HttpError, idOf, type Query, queryOf } from '../pages/http-server.js';
import { CURRENCIES, inCoins, inDollars } from './coins.js';
import type { PaymentLifecycle } from './payment-lifecycle.js';
import type { PaymentStore } from './payment-store.js';
import { createdPaymentJson, type Invoice, type Payout, paymentJson, type Settings } from './records.js';

/** The merchant's account at the gateway. */
export interface Account {
  apiKey: string;
  ipnSecret: string;
  email: string;
  password: string;
}

export interface Gateway {
  account: Account;
  store: PaymentStore;
  lifecycle: PaymentLifecycle;
  now: () => number;
  checkoutUrl(invoiceId: string): string;
}

/** Verifies every batch of payouts. The real gateway mails a code, or takes the one of an authenticator app. */
export const PRACTICE_CODE = '123456';

/** The real gateway's tokens also expire after five minutes. */
const TOKEN_LIFETIME_MS = 5 * MINUTE_MS;

/** An error response in the real API's form, with its codes. */
const apiError = (statusCode: number, code: string, message: string): HttpError =>
  new HttpError(statusCode, message, { status: false, statusCode, code, message });

const invalidParameter = (message: string): HttpError => apiError(400, 'INVALID_REQUEST_PARAMS', message);

/** Serves the calls of NOWPayments' API, version 1, that the merchant uses. */
export function serveApi(app: FastifyInstance, gateway: Gateway): void {
  const { account, store, now } = gateway;
  const expiries = new Map<string, number>();
  const assertKey = async ({ headers }: FastifyRequest) => {
    if (headers['x-api-key'] !== account.apiKey) throw apiError(403, 'INVALID_API_KEY', 'Invalid api key');
  };
  const assertToken = async ({ headers }: FastifyRequest) => {
    const expiresAtMs = expiries.get(headers.authorization?.replace('Bearer ', '') ?? '') ?? 0;
    if (expiresAtMs > now()) return;
    throw apiError(401, 'AUTH_REQUIRED', 'Authorization header is empty (Bearer JWTtoken is required)');
  };
  const withToken = { preHandler: [assertKey, assertToken] };
  const read = (path: string, handle: (request: FastifyRequest) => object) =>
    app.get(path, { preHandler: assertKey }, handle);
  const create = (path: string, handle: (gateway: Gateway, body: Body) => object) =>
    app.post(path, { preHandler: assertKey }, (request, reply) => {
      reply.code(201).send(handle(gateway, bodyOf(request)));
    });
  app.post('/v1/auth', (request) => {
    const { email, password } = bodyOf(request);
    if (email !== account.email || password !== account.password)
      throw apiError(403, 'INVALID_CREDENTIALS', 'Invalid email or password');
    const token = randomUUID();
    expiries.set(token, now() + TOKEN_LIFETIME_MS);
    return { token };
  });
  read('/v1/estimate', (request) => estimate(queryOf(request)));
  read('/v1/min-amount', (request) => minimumAmount(store.settings, queryOf(request)));
  create('/v1/invoice', createInvoice);
  create('/v1/invoice-payment', createInvoicePayment);
  app.get('/v1/payment', withToken, (request) => listPayments(store, queryOf(request)));
  read('/v1/payment/:id', (request) => {
    const payment = store.payment(idOf(request));
    if (payment === undefined) throw apiError(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
    return paymentJson(payment);
  });
  read('/v1/payout-withdrawal/min-amount/:id', (request) => ({
    success: true,
    result: Number(store.settings.minimums[knownCurrency(idOf(request))] ?? '0'),
  }));
  app.post('/v1/payout', withToken, (request) => createPayouts(gateway, bodyOf(request)));
  app.get('/v1/payout', withToken, (request) => listPayouts(store, queryOf(request)));
  app.post('/v1/payout/:id/verify', withToken, (request, reply) => {
    verifyPayouts(gateway, idOf(request), bodyOf(request).verification_code);
    return reply.send('OK');
  });
}

function estimate(query: Query) {
  const amount = requiredAmount(query, 'amount');
  if (query.currency_from === 'usd') {
    const to = knownCurrency(query.currency_to);
    return { currency_from: 'usd', currency_to: to, estimated_amount: inCoins(amount, to) };
  }
  const from = knownCurrency(query.currency_from);
  return { currency_from: from, currency_to: 'usd', estimated_amount: inDollars(amount, from) };
}

function minimumAmount(settings: Settings, query: Query) {
  const from = knownCurrency(query.currency_from);
  const amount = settings.minimums[from] ?? '0';
  const fiat = Number(inDollars(amount, from));
  return { currency_from: from, currency_to: from, min_amount: Number(amount), fiat_equivalent: fiat };
}

/** Prices are in dollars: other currencies have no rate here. */
function createInvoice({ store, checkoutUrl }: Gateway, body: Body) {
  const { price_currency: currency } = body;
  if (currency !== 'usd') throw apiError(400, 'BAD_REQUEST', `Currency ${currency} is not supported`);
  const invoice: Invoice = {
    id: store.newId(),
    orderId: optionalText(body, 'order_id'),
    description: optionalText(body, 'order_description'),
    callbackUrl: optionalUrl(body, 'ipn_callback_url'),
    priceAmount: requiredAmount(body, 'price_amount'),
    payCurrency: knownCurrency(body.pay_currency),
    successUrl: optionalUrl(body, 'success_url'),
    cancelUrl: optionalUrl(body, 'cancel_url'),
  };
  store.put('invoices', invoice);
  return { id: invoice.id, invoice_url: checkoutUrl(invoice.id) };
}

function createInvoicePayment({ store, lifecycle }: Gateway, body: Body) {
  const invoice = store.invoice(optionalText(body, 'iid') ?? '');
  if (invoice === undefined) throw apiError(404, 'INVOICE_NOT_FOUND', 'Invoice not found');
  const payCurrency = knownCurrency(body.pay_currency);
  if (invoice.payCurrency !== payCurrency)
    throw apiError(400, 'BAD_CREATE_PAYMENT_REQUEST', `This invoice is to be paid in ${invoice.payCurrency}`);
  const amount = inCoins(invoice.priceAmount, payCurrency);
  if (compareDecimals(amount, store.settings.minimums[payCurrency] ?? '0') < 0)
    throw apiError(400, 'AMOUNT_MINIMAL_ERROR', `Crypto amount ${amount} is less than minimal`);
  return createdPaymentJson(lifecycle.create(invoice));
}

function listPayments(store: PaymentStore, query: Query) {
  const sinceMs = Date.parse(query.dateFrom ?? '1970-01-01');
  const payments = store.payments(query.invoiceId).filter(({ createdAtMs }) => createdAtMs >= sinceMs);
  return { data: pageOf(payments, query).map(paymentJson) };
}

/** Accepts a repeated `unique_external_id`: nothing published says that the real gateway refuses it. */
function createPayouts({ store, now }: Gateway, { withdrawals }: Body) {
  if (!Array.isArray(withdrawals) || withdrawals.length === 0) throw invalidParameter('withdrawals is required');
  const batchId = store.newId();
  const created = withdrawals.map((withdrawal: Body): Payout => {
    const nowIso = new Date(now()).toISOString();
    return {
      ...payableWithdrawal(store.settings, withdrawal),
      id: store.newId(),
      batch_withdrawal_id: batchId,
      unique_external_id: optionalText(withdrawal, 'unique_external_id'),
      status: 'CREATING',
      hash: null,
      ipn_callback_url: optionalUrl(withdrawal, 'ipn_callback_url'),
      created_at: nowIso,
      updated_at: nowIso,
    };
  });
  for (const payout of created) store.put('payouts', payout);
  return { id: batchId, withdrawals: created };
}

function payableWithdrawal(settings: Settings, withdrawal: Body) {
  const currency = knownCurrency(withdrawal.currency);
  const amount = requiredAmount(withdrawal, 'amount');
  const address = optionalText(withdrawal, 'address');
  if (/\.\d{7}/.test(amount)) throw invalidParameter('amount must not exceed 6 decimals');
  const isEnough = compareDecimals(amount, settings.minimums[currency] ?? '0') >= 0;
  if (address !== null && isEnough) return { currency, amount, address };
  throw apiError(400, 'BAD_CREATE_WITHDRAWAL_REQUEST', `Invalid payout: ${amount} ${currency} to ${address}`);
}

function verifyPayouts({ store, lifecycle }: Gateway, batchId: string, code: unknown): void {
  const batch = store.payouts(batchId);
  if (batch.length === 0) throw apiError(404, 'NOT_FOUND', 'Payout not found');
  const isWaiting = batch.every(({ status }) => status === 'CREATING');
  if (!isWaiting || code !== PRACTICE_CODE) throw apiError(400, 'BAD_REQUEST', 'Invalid verification');
  for (const payout of batch) lifecycle.changePayout(payout, { status: 'WAITING' });
}

function listPayouts(store: PaymentStore, query: Query) {
  const { date_from: since = '', batch_id: batchId } = query;
  const payouts = store.payouts(batchId).filter((payout) => payout.created_at >= since);
  return { payouts: pageOf(payouts, query) };
}

function pageOf<T>(items: T[], { limit = '10', page = '0' }: Query): T[] {
  const begin = Number(page) * Number(limit);
  return items.slice(begin, begin + Number(limit));
}

function knownCurrency(value: unknown): string {
  const currency = String(value).toLowerCase();
  if (CURRENCIES.includes(currency)) return currency;
  throw apiError(400, 'BAD_REQUEST', `Currency ${currency} was not found`);
}

function optionalText(body: Body, name: string): string | null {
  const value = body[name] ?? '';
  return value === '' ? null : String(value);
}

function optionalUrl(body: Body, name: string): string | null {
  const value = optionalText(body, name);
  if (value === null || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw invalidParameter(`${name} must be a valid uri`);
}

function requiredAmount(values: Body, name: string): DecimalText {
  const amount = decimalText(values[name]);
  if (amount === undefined || compareDecimals(amount, '0') <= 0) throw invalidParameter(`${name} must be above 0`);
  return amount;
}
