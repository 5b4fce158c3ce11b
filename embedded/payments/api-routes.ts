import { decimalText } from '../../contracts/decimal.js';
import { type Answer, json, jsonBody, type Request, type Route } from '../pages/http-server.js';
import { type Account, hasKey, hasToken, issueToken, refusal } from './api-access.js';
import {
  ApiRefusal,
  aboveMinimum,
  knownCurrency,
  optionalText,
  optionalUrl,
  refuse,
  requiredAmount,
  requiredPriceCurrency,
} from './api-orders.js';
import { invoiceMade, paymentList, paymentMade, paymentRead } from './api-shapes.js';
import type { PaymentBook } from './payment-book.js';
import type { PaymentLife } from './payment-life.js';
import { CURRENCIES, inCoins, inDollars } from './rates.js';
import type { Invoice } from './records.js';

export interface ApiParts {
  account: Account;
  book: PaymentBook;
  life: PaymentLife;
  now: () => number;
  checkoutUrl(invoiceId: string): string;
}

/** The API of NOWPayments, version 1: connection, prices, invoices, payments. Payouts are not part of it here. */
export function apiRoutes(parts: ApiParts): Route[] {
  const { account, book, now } = parts;
  const route = (
    method: 'GET' | 'POST',
    path: RegExp,
    answer: (request: Request) => Answer,
    isOpen = false,
  ): Route => ({
    method,
    path,
    async answer(request) {
      if (!isOpen && !hasKey(account, request)) return refusal(403, 'INVALID_API_KEY', 'Invalid api key');
      try {
        const answered = answer(request);
        await book.saved();
        return answered;
      } catch (error) {
        if (error instanceof ApiRefusal) return error.answer;
        throw error;
      }
    },
  });

  return [
    route('GET', /^\/v1\/status$/, () => json(200, { message: 'OK' }), true),
    route('POST', /^\/v1\/auth$/, (request) => logIn(parts, jsonBody(request)), true),
    route('GET', /^\/v1\/currencies$/, () => json(200, { currencies: CURRENCIES })),
    route('GET', /^\/v1\/merchant\/coins$/, () =>
      json(200, { selectedCurrencies: CURRENCIES.map((code) => code.toUpperCase()) }),
    ),
    route('GET', /^\/v1\/estimate$/, ({ query }) => estimate(parts, query)),
    route('GET', /^\/v1\/min-amount$/, ({ query }) => minimum(parts, query)),
    route('POST', /^\/v1\/invoice$/, (request) => createInvoice(parts, jsonBody(request))),
    route('POST', /^\/v1\/invoice-payment$/, (request) => createInvoicePayment(parts, jsonBody(request))),
    route('POST', /^\/v1\/payment$/, (request) => createPayment(parts, jsonBody(request))),
    route('GET', /^\/v1\/payment\/?$/, (request) =>
      hasToken(account, request, now())
        ? list(parts, request.query)
        : refusal(401, 'AUTH_REQUIRED', 'Authorization header is empty (Bearer JWTtoken is required)'),
    ),
    route('GET', /^\/v1\/payment\/(?<id>[^/]+)$/, ({ parameters }) => {
      const payment = book.payment(parameters.id!);
      return payment === undefined
        ? refusal(404, 'PAYMENT_NOT_FOUND', 'Payment not found')
        : json(200, paymentRead(payment));
    }),
  ];
}

function logIn({ account, now }: ApiParts, body: Record<string, unknown>): Answer {
  if (body.email !== account.email || body.password !== account.password) {
    return refusal(403, 'INVALID_CREDENTIALS', 'Invalid email or password');
  }
  return json(200, { token: issueToken(account, now()) });
}

function estimate({ book: { settings } }: ApiParts, query: URLSearchParams): Answer {
  const amount = requiredAmount({ amount: query.get('amount') }, 'amount');
  const from = query.get('currency_from')?.toLowerCase() ?? '';
  const to = query.get('currency_to')?.toLowerCase() ?? '';
  const shape = (estimated: string) =>
    json(200, { currency_from: from, amount_from: Number(amount), currency_to: to, estimated_amount: estimated });
  if (to === 'usd') return shape(inDollars(settings, amount, knownCurrency(from, 'currency_from')));
  const target = knownCurrency(to, 'currency_to');
  if (from === 'usd') return shape(inCoins(settings, amount, target));
  return shape(inCoins(settings, inDollars(settings, amount, knownCurrency(from, 'currency_from')), target));
}

function minimum({ book: { settings } }: ApiParts, query: URLSearchParams): Answer {
  const from = knownCurrency(query.get('currency_from'), 'currency_from');
  const to = knownCurrency(query.get('currency_to') ?? from, 'currency_to');
  const amount = settings.minimums[from] ?? '0';
  return json(200, {
    currency_from: from,
    currency_to: to,
    min_amount: Number(amount),
    ...(query.get('fiat_equivalent') === 'usd' && { fiat_equivalent: Number(inDollars(settings, amount, from)) }),
  });
}

function createInvoice({ book, now, checkoutUrl }: ApiParts, body: Record<string, unknown>): Answer {
  const payCurrency = optionalText(body, 'pay_currency');
  const at = now();
  const invoice: Invoice = {
    id: book.freshId(),
    tokenId: book.freshId(),
    orderId: optionalText(body, 'order_id'),
    description: optionalText(body, 'order_description'),
    priceAmount: requiredAmount(body, 'price_amount'),
    priceCurrency: requiredPriceCurrency(body),
    payCurrency: payCurrency === null ? null : knownCurrency(payCurrency, 'pay_currency'),
    callbackUrl: optionalUrl(body, 'ipn_callback_url'),
    successUrl: optionalUrl(body, 'success_url'),
    cancelUrl: optionalUrl(body, 'cancel_url'),
    partiallyPaidUrl: optionalUrl(body, 'partially_paid_url'),
    isFixedRate: body.is_fixed_rate === true,
    isFeePaidByUser: body.is_fee_paid_by_user === true,
    createdAt: at,
    updatedAt: at,
    losesCallbacks: false,
  };
  book.putInvoice(invoice);
  return json(201, invoiceMade(invoice, checkoutUrl(invoice.id)));
}

function createInvoicePayment({ book, life }: ApiParts, body: Record<string, unknown>): Answer {
  const invoice = book.invoice(optionalText(body, 'iid') ?? '');
  if (invoice === undefined) return refuse(404, 'INVOICE_NOT_FOUND', 'Invoice not found');
  const payCurrency = knownCurrency(optionalText(body, 'pay_currency'), 'pay_currency');
  if (invoice.payCurrency !== null && invoice.payCurrency !== payCurrency) {
    return refuse(400, 'BAD_CREATE_PAYMENT_REQUEST', `This invoice is to be paid in ${invoice.payCurrency}`);
  }
  aboveMinimum(book.settings, invoice.priceAmount, payCurrency);
  const payment = life.create({
    ...invoice,
    invoice,
    purchaseId: optionalText(body, 'purchase_id'),
    description: optionalText(body, 'order_description') ?? invoice.description,
    payCurrency,
  });
  return json(201, paymentMade(payment));
}

function createPayment({ book, life }: ApiParts, body: Record<string, unknown>): Answer {
  const priceAmount = requiredAmount(body, 'price_amount');
  const payCurrency = knownCurrency(optionalText(body, 'pay_currency'), 'pay_currency');
  const priceCurrency = requiredPriceCurrency(body);
  aboveMinimum(book.settings, priceAmount, payCurrency);
  const payment = life.create({
    invoice: null,
    purchaseId: optionalText(body, 'purchase_id'),
    orderId: optionalText(body, 'order_id'),
    description: optionalText(body, 'order_description'),
    callbackUrl: optionalUrl(body, 'ipn_callback_url'),
    priceAmount,
    priceCurrency,
    payCurrency,
    isFixedRate: body.is_fixed_rate === true,
    isFeePaidByUser: body.is_fee_paid_by_user === true,
  });
  return json(201, paymentMade(payment));
}

function list({ book }: ApiParts, query: URLSearchParams): Answer {
  const wholeNumber = (name: string, byDefault: number, least: number, most: number): number => {
    const value = query.get(name);
    if (value === null) return byDefault;
    const isFine = decimalText(value) === value && Number.isInteger(Number(value));
    if (isFine && Number(value) >= least && Number(value) <= most) return Number(value);
    return refuse(400, 'INVALID_REQUEST_PARAMS', `${name} must be from ${least} to ${most}`);
  };
  const time = (name: string, byDefault: number): number => {
    const value = Date.parse(query.get(name) ?? '');
    return Number.isNaN(value) ? byDefault : value;
  };
  return json(
    200,
    paymentList(book, {
      limit: wholeNumber('limit', 10, 1, 500),
      page: wholeNumber('page', 0, 0, 1_000_000),
      invoiceId: query.get('invoiceId'),
      dateFrom: time('dateFrom', 0),
      dateTo: time('dateTo', Number.MAX_SAFE_INTEGER),
      descending: query.get('orderBy') !== 'asc',
    }),
  );
}
