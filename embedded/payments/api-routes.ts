import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compareDecimals, type DecimalText, decimalText } from '../../contracts/decimal.js';
import { HttpError, jsonBody, parameterOf, queryOf } from '../pages/http-server.js';
import { createdInvoice, createdPayment, readPayment } from './api-shapes.js';
import { CURRENCIES, inCoins, inDollars } from './coins.js';
import type { PaymentLifecycle } from './payment-lifecycle.js';
import type { PaymentStore } from './payment-store.js';
import type { Invoice, Order, Settings } from './records.js';

/** The merchant's account at the gateway. */
export interface Account {
  apiKey: string;
  ipnSecret: string;
  email: string;
  password: string;
}

export interface ApiParts {
  account: Account;
  store: PaymentStore;
  lifecycle: PaymentLifecycle;
  now: () => number;
  checkoutUrl(invoiceId: string): string;
}

type Body = Record<string, unknown>;

/** The real gateway's tokens also expire after five minutes. */
const TOKEN_LIFETIME_MS = 5 * 60_000;

/** An error response in the real API's form, with its codes. */
export const apiError = (statusCode: number, code: string, message: string): HttpError =>
  new HttpError(statusCode, message, { status: false, statusCode, code, message });

const invalid = (message: string): HttpError => apiError(400, 'INVALID_REQUEST_PARAMS', message);

/** Serves the calls of NOWPayments' API, version 1, that the merchant uses. */
export function serveApi(app: FastifyInstance, parts: ApiParts): void {
  const { account, store, now } = parts;
  const expiries = new Map<string, number>();
  const assertKey = async ({ headers }: FastifyRequest) => {
    if (headers['x-api-key'] !== account.apiKey) throw apiError(403, 'INVALID_API_KEY', 'Invalid api key');
  };
  const read = (path: string, handle: (request: FastifyRequest) => object) =>
    app.get(path, { preHandler: assertKey }, handle);
  const create = (path: string, handle: (parts: ApiParts, body: Body) => object) =>
    app.post(path, { preHandler: assertKey }, (request, reply) => {
      reply.code(201).send(handle(parts, jsonBody(request)));
    });
  app.post('/v1/auth', (request) => {
    const { email, password } = jsonBody(request);
    if (email !== account.email || password !== account.password) {
      throw apiError(403, 'INVALID_CREDENTIALS', 'Invalid email or password');
    }
    const token = randomUUID();
    expiries.set(token, now() + TOKEN_LIFETIME_MS);
    return { token };
  });
  read('/v1/estimate', (request) => estimate(store.settings, queryOf(request)));
  read('/v1/min-amount', (request) => minimumAmount(store.settings, queryOf(request)));
  create('/v1/invoice', createInvoice);
  create('/v1/invoice-payment', createInvoicePayment);
  create('/v1/payment', createPayment);
  read('/v1/payment', (request) => {
    const expiresAtMs = expiries.get(request.headers.authorization?.replace('Bearer ', '') ?? '') ?? 0;
    if (expiresAtMs > now()) return listPayments(store, queryOf(request));
    throw apiError(401, 'AUTH_REQUIRED', 'Authorization header is empty (Bearer JWTtoken is required)');
  });
  read('/v1/payment/:id', (request) => {
    const payment = store.payment(parameterOf(request, 'id'));
    if (payment === undefined) throw apiError(404, 'PAYMENT_NOT_FOUND', 'Payment not found');
    return readPayment(payment);
  });
}

function estimate(settings: Settings, query: URLSearchParams) {
  const amount = requiredAmount({ amount: query.get('amount') }, 'amount');
  const from = query.get('currency_from')?.toLowerCase() ?? '';
  const to = query.get('currency_to')?.toLowerCase() ?? '';
  const dollars = from === 'usd' ? amount : inDollars(settings, amount, knownCurrency(from, 'currency_from'));
  return {
    currency_from: from,
    amount_from: Number(amount),
    currency_to: to,
    estimated_amount: to === 'usd' ? dollars : inCoins(settings, dollars, knownCurrency(to, 'currency_to')),
  };
}

function minimumAmount(settings: Settings, query: URLSearchParams) {
  const from = knownCurrency(query.get('currency_from'), 'currency_from');
  const to = knownCurrency(query.get('currency_to') ?? from, 'currency_to');
  const amount = settings.minimums[from] ?? '0';
  return {
    currency_from: from,
    currency_to: to,
    min_amount: Number(amount),
    ...(query.get('fiat_equivalent') === 'usd' && { fiat_equivalent: Number(inDollars(settings, amount, from)) }),
  };
}

function createInvoice({ store, now, checkoutUrl }: ApiParts, body: Body) {
  const payCurrency = optionalText(body, 'pay_currency');
  const invoice: Invoice = {
    ...readOrder(body),
    id: store.newId(),
    tokenId: store.newId(),
    payCurrency: payCurrency === null ? null : knownCurrency(payCurrency, 'pay_currency'),
    successUrl: optionalUrl(body, 'success_url'),
    cancelUrl: optionalUrl(body, 'cancel_url'),
    losesCallbacks: false,
    createdAt: now(),
    updatedAt: now(),
  };
  store.putInvoice(invoice);
  return createdInvoice(invoice, checkoutUrl(invoice.id));
}

function createInvoicePayment({ store, lifecycle }: ApiParts, body: Body) {
  const invoice = store.invoice(optionalText(body, 'iid'));
  if (invoice === undefined) throw apiError(404, 'INVOICE_NOT_FOUND', 'Invoice not found');
  const payCurrency = payableCurrency(store.settings, invoice, optionalText(body, 'pay_currency'));
  if (invoice.payCurrency !== null && invoice.payCurrency !== payCurrency) {
    throw apiError(400, 'BAD_CREATE_PAYMENT_REQUEST', `This invoice is to be paid in ${invoice.payCurrency}`);
  }
  const purchaseId = optionalText(body, 'purchase_id');
  const description = optionalText(body, 'order_description') ?? invoice.description;
  return createdPayment(lifecycle.create({ ...invoice, description }, payCurrency, invoice.id, purchaseId));
}

function createPayment({ store, lifecycle }: ApiParts, body: Body) {
  const order = readOrder(body);
  const payCurrency = payableCurrency(store.settings, order, optionalText(body, 'pay_currency'));
  return createdPayment(lifecycle.create(order, payCurrency, null, optionalText(body, 'purchase_id')));
}

function listPayments(store: PaymentStore, query: URLSearchParams) {
  const limit = integer(query, 'limit', 10, 1, 500);
  const page = integer(query, 'page', 0, 0, 1_000_000);
  const direction = query.get('orderBy') === 'asc' ? 1 : -1;
  const payments = store.payments(query.get('invoiceId')).sort((a, b) => direction * (a.createdAt - b.createdAt));
  return {
    data: payments.slice(page * limit, (page + 1) * limit).map(readPayment),
    limit,
    page,
    pagesCount: Math.ceil(payments.length / limit),
    total: payments.length,
  };
}

/** The fields that invoices and payments share. Prices are in dollars: other currencies have no rate here. */
function readOrder(body: Body): Order {
  const priceCurrency = optionalText(body, 'price_currency')?.toLowerCase();
  if (priceCurrency === undefined) throw invalid('price_currency is required');
  if (priceCurrency !== 'usd') throw apiError(400, 'BAD_REQUEST', `Currency ${priceCurrency} is not supported`);
  return {
    orderId: optionalText(body, 'order_id'),
    description: optionalText(body, 'order_description'),
    callbackUrl: optionalUrl(body, 'ipn_callback_url'),
    priceAmount: requiredAmount(body, 'price_amount'),
    priceCurrency,
    isFixedRate: body.is_fixed_rate === true,
    isFeePaidByUser: body.is_fee_paid_by_user === true,
  };
}

/** Returns the coin's code. Throws HttpError for an unknown coin, or a price below the coin's smallest payment. */
export function payableCurrency(settings: Settings, { priceAmount }: Order, value: string | null): string {
  const currency = knownCurrency(value, 'pay_currency');
  const amount = inCoins(settings, priceAmount, currency);
  if (compareDecimals(amount, settings.minimums[currency] ?? '0') >= 0) return currency;
  throw apiError(400, 'AMOUNT_MINIMAL_ERROR', `Crypto amount ${amount} is less than minimal`);
}

function knownCurrency(value: string | null, name: string): string {
  if (value === null) throw invalid(`${name} is required`);
  const currency = value.toLowerCase();
  if (CURRENCIES.includes(currency)) return currency;
  throw apiError(400, 'BAD_REQUEST', `Currency ${currency} was not found`);
}

function optionalText(body: Body, name: string): string | null {
  const value = body[name] ?? '';
  if (value === '') return null;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw invalid(`${name} must be a string`);
}

function optionalUrl(body: Body, name: string): string | null {
  const value = optionalText(body, name);
  if (value === null || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw invalid(`${name} must be a valid uri`);
}

function requiredAmount(body: Body, name: string): DecimalText {
  const amount = decimalText(body[name]);
  if (amount === undefined) throw invalid(`${name} is required`);
  if (compareDecimals(amount, '0') <= 0) throw invalid(`${name} must be above 0`);
  return amount;
}

function integer(query: URLSearchParams, name: string, defaultValue: number, min: number, max: number): number {
  const value = Number(query.get(name) ?? defaultValue);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(`${name} must be from ${min} to ${max}`);
}
