import type { Action } from '../../embedded/payments/payment-lifecycle.js';
import type { Payment, Payout } from '../../embedded/payments/records.js';
import {
  type EmbeddedPayments,
  type EmbeddedPaymentsOptions,
  startEmbeddedPayments,
} from '../../embedded/payments/start-embedded-payments.js';

export const ACCOUNT = {
  apiKey: 'a key that only tests know',
  ipnSecret: 'a secret that only tests know',
  email: 'shop@example.com',
  password: 'open sesame',
};

export const startGateway = (options: Partial<EmbeddedPaymentsOptions> = {}): Promise<EmbeddedPayments> =>
  startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 5, callbackRepeatMs: 200 }, ...options });

export class Payer {
  constructor(
    private readonly gateway: Pick<EmbeddedPayments, 'url' | 'apiUrl'> & { token?: string },
    private readonly apiKey = ACCOUNT.apiKey,
  ) {}

  all = () => this.call<Payment[]>('/payments');
  paymentsOf = (orderId: string) => this.call<Payment[]>(`/payments?orderId=${orderId}`);
  paymentsOfInvoice = (invoiceId: string) => this.call<Payment[]>(`/payments?invoiceId=${invoiceId}`);
  act = (paymentId: string, action: Action, details: object = {}) =>
    this.call<Payment>(`/payments/${paymentId}/act`, { action, ...details });
  repeatCallback = (paymentId: string) => this.call(`/payments/${paymentId}/repeat-callback`, {});
  payOut = (payout: object) => this.call<Payout>('/payouts', { currency: 'btc', amount: '0.0002', ...payout });
  changeSettings = (settings: object) => this.call('/settings', settings);
  causeFault = (fault: object) => this.call('/faults', fault);
  clearFaults = () => this.call('/faults', undefined, 'DELETE');

  async first(orderId: string): Promise<Payment> {
    const [payment] = await this.paymentsOf(orderId);
    if (payment === undefined) throw new Error(`order ${orderId} has no payment`);
    return payment;
  }

  /** Creates a second payment of the invoice, as choosing the coin again on the checkout page does. Returns its id. */
  async secondPayment(invoiceId: string): Promise<string> {
    const before = await this.paymentsOfInvoice(invoiceId);
    const form = new URLSearchParams({ iid: invoiceId, currency: before[0]!.payCurrency });
    await fetch(`${this.gateway.url}/payment/coin`, { method: 'POST', body: form, redirect: 'manual' });
    const knownIds = new Set(before.map(({ id }) => id));
    const created = (await this.paymentsOfInvoice(invoiceId)).find(({ id }) => !knownIds.has(id));
    if (created === undefined) throw new Error(`invoice ${invoiceId} got no second payment`);
    return created.id;
  }

  /** Creates a payment without an invoice. Returns its id. */
  async foreignPayment(dollars: number, currency: string, callbackUrl: string): Promise<string> {
    const response = await fetch(`${this.gateway.apiUrl}/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.apiKey },
      body: JSON.stringify({
        price_amount: dollars,
        price_currency: 'usd',
        pay_currency: currency,
        order_id: 'somebody else’s',
        ipn_callback_url: callbackUrl,
      }),
    });
    const { payment_id } = (await response.json()) as { payment_id?: string };
    if (payment_id === undefined) throw new Error('the gateway created no payment');
    return payment_id;
  }

  async call<T>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
    const { url, token = '' } = this.gateway;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/_stand-in${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
