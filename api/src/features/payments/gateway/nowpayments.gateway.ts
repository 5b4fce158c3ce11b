import type { CryptoType } from '../../../../../contracts/crypto.js';
import { type DecimalText, fromUnits, mulDivCeil, mulDivFloor } from '../../../../../contracts/decimal.js';
import { paidScript } from '../../../../../contracts/paid-script.js';
import { isSignedWith } from './callback-signature.js';
import { amountText, idText, parseObject, readPayment, readPayout } from './nowpayments-fields.js';
import { type HttpRequest, type NowPaymentsAccount, NowPaymentsHttp, unreadable } from './nowpayments-http.js';
import * as gateway from './payment-gateway.js';

export interface NowPaymentsOptions extends NowPaymentsAccount {
  ipnSecret: string;
  callbackUrl: string;
  /** The site to which the checkout leads back. */
  linkOrigin: string;
  /** Limit of a call with all its requests, and of each page of a list. */
  timeoutMs?: number;
  /** Wait after a 429; the published limits are per second. */
  rateLimitPauseMs?: number;
  now?: () => number;
}

const CALL_TIMEOUT_MS = 4_500;
const RATE_LIMIT_PAUSE_MS = 600;
const MINIMUM_CACHED_MS = 60_000;
const PAGE_SIZE = 500;
/** The gateway publishes no limit for a page of payouts. */
const PAYOUTS_PAGE_SIZE = 100;
const MAX_PAGES = 200;
/** Callbacks have about one kilobyte. */
const CALLBACK_LIMIT_BYTES = 64 * 1024;
const CENT_PLACES = 2;
const GATEWAY_ID = /^\d{1,20}$/;

/** The adapter for NOWPayments' API, version 1. */
export class NowPaymentsGateway implements gateway.PaymentGateway {
  private readonly http: NowPaymentsHttp;
  private readonly now: () => number;
  private readonly minimums = new Map<CryptoType, { cents: number; untilMs: number }>();

  constructor(private readonly options: NowPaymentsOptions) {
    this.now = options.now ?? Date.now;
    const { timeoutMs = CALL_TIMEOUT_MS, rateLimitPauseMs = RATE_LIMIT_PAUSE_MS } = options;
    this.http = new NowPaymentsHttp(options, timeoutMs, rateLimitPauseMs);
  }

  async createInvoice(order: gateway.InvoiceOrder): Promise<gateway.GatewayInvoice> {
    const request: HttpRequest = {
      method: 'POST',
      path: '/invoice',
      body: {
        price_amount: order.amountCents / 100,
        price_currency: 'usd',
        pay_currency: gatewayCode(order.cryptoType),
        order_id: order.orderId,
        order_description: order.description,
        ipn_callback_url: this.options.callbackUrl,
        success_url: `${this.options.linkOrigin}/payment-success`,
        cancel_url: `${this.options.linkOrigin}/`,
        is_fixed_rate: false,
        is_fee_paid_by_user: false,
      },
    };
    const invoice = await this.http.call(request);
    const invoiceId = idText(invoice.id);
    if (invoiceId === null || typeof invoice.invoice_url !== 'string' || !URL.canParse(invoice.invoice_url))
      throw unreadable(request, 'an invoice without id or checkout page');
    return { invoiceId, checkoutUrl: invoice.invoice_url };
  }

  async createPayment(invoiceId: string, cryptoType: CryptoType): Promise<gateway.GatewayPayment> {
    const body = { iid: invoiceId, pay_currency: gatewayCode(cryptoType) };
    const request: HttpRequest = { method: 'POST', path: '/invoice-payment', body };
    const payment = readPayment(await this.http.call(request));
    if (payment === undefined || payment.payCurrency !== body.pay_currency || payment.payAmount === null)
      throw unreadable(request, 'not the requested payment');
    // The response to the POST lacks the invoice id; a later GET has it.
    return { ...payment, invoiceId: payment.invoiceId ?? invoiceId };
  }

  async getPayment(paymentId: string): Promise<gateway.GatewayPayment | null> {
    if (!GATEWAY_ID.test(paymentId)) return null;
    const request: HttpRequest = { method: 'GET', path: `/payment/${paymentId}` };
    const json = await nullIfRefused(404, this.http.call(request));
    if (json === null) return null;
    const payment = readPayment(json);
    if (payment?.paymentId !== paymentId) throw unreadable(request, 'not the requested payment');
    return payment;
  }

  async listPaymentsOfInvoice(invoiceId: string): Promise<gateway.GatewayPayment[]> {
    const payments = await this.listPayments({ invoiceId });
    // If the gateway ignores the filter, other invoices' payments must not be taken for this invoice's.
    return payments.filter((payment) => payment.invoiceId === null || payment.invoiceId === invoiceId);
  }

  listPaymentsSince(epochMs: number): Promise<gateway.GatewayPayment[]> {
    return this.listPayments({ dateFrom: dayOf(epochMs) });
  }

  listPayoutsSince(epochMs: number): Promise<gateway.GatewayPayout[]> {
    return this.listPayouts({ date_from: dayOf(epochMs) });
  }

  async createPayouts(instructions: readonly gateway.PayoutInstruction[]): Promise<gateway.GatewayPayout[]> {
    const withdrawals = instructions.map(({ externalId, cryptoType, address, amount }) => ({
      unique_external_id: externalId,
      currency: gatewayCode(cryptoType),
      address,
      amount: Number(amount),
      ipn_callback_url: this.options.callbackUrl,
    }));
    const request: HttpRequest = { method: 'POST', path: '/payout', body: { withdrawals } };
    const payouts = itemsIn(request, (await this.http.callWithToken(request)).withdrawals, readPayout);
    const batchId = payouts[0]?.batchId ?? null;
    const isComplete = instructions.every((instruction) =>
      payouts.some((payout) => payout.batchId === batchId && isPayoutOf(instruction, payout)),
    );
    if (batchId === null || payouts.length !== instructions.length || !isComplete)
      throw unreadable(request, 'not the ordered payouts');
    return payouts;
  }

  async verifyPayouts(batchId: string, code: string): Promise<void> {
    const path = `/payout/${encodeURIComponent(batchId)}/verify`;
    await this.http.callWithToken({ method: 'POST', path, body: { verification_code: code } });
  }

  /** Uses the list: `GET /payout/{id}` is about one payout, and documented in three shapes. */
  async getPayouts(batchId: string): Promise<gateway.GatewayPayout[] | null> {
    const listed = await this.listPayouts({ batch_id: batchId });
    // If the gateway ignores the filter, other batches' payouts must not be taken for this batch's.
    const payouts = listed.filter((payout) => payout.batchId === batchId);
    return payouts.length === 0 ? null : payouts;
  }

  async minimumCents(cryptoType: CryptoType): Promise<number> {
    const known = this.minimums.get(cryptoType);
    if (known !== undefined && known.untilMs > this.now()) return known.cents;
    const code = gatewayCode(cryptoType);
    const query = new URLSearchParams({
      currency_from: code,
      currency_to: code,
      fiat_equivalent: 'usd',
      is_fixed_rate: 'false',
      is_fee_paid_by_user: 'false',
    });
    const request: HttpRequest = { method: 'GET', path: `/min-amount?${query}` };
    const dollars = amountText((await this.http.call(request)).fiat_equivalent);
    if (dollars === null) throw unreadable(request, 'a minimum without amount');
    const cents = Number(mulDivCeil(dollars, '1', '1', CENT_PLACES));
    this.minimums.set(cryptoType, { cents, untilMs: this.now() + MINIMUM_CACHED_MS });
    return cents;
  }

  async estimateCents(amount: DecimalText, currency: string): Promise<number> {
    return Number(mulDivFloor(await this.estimate(amount, currency, 'usd'), '1', '1', CENT_PLACES));
  }

  estimateCoins(amountCents: number, cryptoType: CryptoType): Promise<DecimalText> {
    return this.estimate(fromUnits(BigInt(amountCents), CENT_PLACES), 'usd', gatewayCode(cryptoType));
  }

  async minimumPayout(cryptoType: CryptoType): Promise<DecimalText> {
    const request: HttpRequest = { method: 'GET', path: `/payout-withdrawal/min-amount/${gatewayCode(cryptoType)}` };
    // Some accounts may not ask; the gateway itself then refuses an amount below its minimum.
    const json = await nullIfRefused(403, this.http.callWithToken(request));
    if (json === null) return '0';
    const minimum = amountText(json.result);
    if (minimum === null) throw unreadable(request, 'a minimum without amount');
    return minimum;
  }

  verifyCallback(rawBody: Uint8Array, signature: string | undefined): gateway.VerifiedCallback | null {
    if (signature === undefined || rawBody.length > CALLBACK_LIMIT_BYTES) return null;
    const body = parseObject(Buffer.from(rawBody).toString('utf8'));
    if (body === undefined || !isSignedWith(this.options.ipnSecret, rawBody, body, signature)) return null;
    return { payment: readPayment(body) ?? null, payoutBatchId: readPayout(body)?.batchId ?? null };
  }

  private async estimate(amount: DecimalText, from: string, to: string): Promise<DecimalText> {
    const query = new URLSearchParams({ amount, currency_from: from, currency_to: to });
    const request: HttpRequest = { method: 'GET', path: `/estimate?${query}` };
    const estimated = amountText((await this.http.call(request)).estimated_amount);
    if (estimated === null) throw unreadable(request, 'an estimate without amount');
    return estimated;
  }

  private async listPayments(filter: Record<string, string>): Promise<gateway.GatewayPayment[]> {
    const payments: gateway.GatewayPayment[] = [];
    const paging = { limit: String(PAGE_SIZE), sortBy: 'created_at', orderBy: 'asc' };
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = new URLSearchParams({ ...paging, ...filter, page: String(page) });
      const request: HttpRequest = { method: 'GET', path: `/payment/?${query}` };
      const listed = itemsIn(request, (await this.http.callWithToken(request)).data, readPayment);
      payments.push(...listed);
      if (listed.length < PAGE_SIZE) return payments;
    }
    throw new gateway.GatewayUnavailable('unreadable', `a list of more than ${MAX_PAGES * PAGE_SIZE} payments`);
  }

  private async listPayouts(filter: Record<string, string>): Promise<gateway.GatewayPayout[]> {
    const payouts = new Map<string, gateway.GatewayPayout>();
    const paging = { limit: String(PAYOUTS_PAGE_SIZE), order_by: 'dateCreated', order: 'asc' };
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = new URLSearchParams({ ...paging, ...filter, ...(page > 0 && { page: String(page) }) });
      const request: HttpRequest = { method: 'GET', path: `/payout?${query}` };
      const listed = itemsIn(request, (await this.http.callWithToken(request)).payouts, readPayout);
      if (listed.length === 0) return [...payouts.values()];
      const before = payouts.size;
      for (const payout of listed) payouts.set(payout.payoutId, payout);
      // The documentation does not say whether the first page is 0 or 1, so page 1 may repeat the first one; the next may not.
      if (page > 1 && payouts.size === before) throw unreadable(request, 'the same payouts as on the pages before');
    }
    throw new gateway.GatewayUnavailable('unreadable', 'the list of payouts does not end');
  }
}

/** '2026-11-26', in UTC: the one form that the gateway documents for every list. */
const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 'YYYY-MM-DD'.length);

const gatewayCode = (cryptoType: CryptoType): string => cryptoType.toLowerCase();

function nullIfRefused<T>(httpStatus: number, call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (error instanceof gateway.GatewayRefused && error.httpStatus === httpStatus) return null;
    throw error;
  });
}

function itemsIn<T>(request: HttpRequest, list: unknown, read: (json: unknown) => T | undefined): T[] {
  if (!Array.isArray(list)) throw unreadable(request, 'no list');
  const items = list.map((item) => read(item)).filter((item) => item !== undefined);
  if (items.length < list.length) throw unreadable(request, 'an item without id, status or coin');
  return items;
}

/** Compares addresses by the script that they pay, because the gateway may spell one otherwise. */
const isPayoutOf = (
  { externalId, cryptoType, amount, address }: gateway.PayoutInstruction,
  payout: gateway.GatewayPayout,
): boolean =>
  payout.externalId === externalId &&
  payout.currency === gatewayCode(cryptoType) &&
  payout.amount === amount &&
  paidScript(cryptoType, payout.address ?? '') === paidScript(cryptoType, address);
