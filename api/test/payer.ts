import type { Action } from '../../embedded/payments/payment-lifecycle.js';
import type { Payment, Payout } from '../../embedded/payments/records.js';
import {
  type EmbeddedPaymentsOptions,
  startEmbeddedPayments,
} from '../../embedded/payments/start-embedded-payments.js';
import { serveFaults } from '../../embedded/payments/testing/faults.js';

export type EmbeddedPayments = Awaited<ReturnType<typeof startEmbeddedPayments>>;

export const ACCOUNT = {
  apiKey: 'a key that only tests know',
  ipnSecret: 'a secret that only tests know',
  email: 'shop@example.com',
  password: 'open sesame',
};

const FAST = { stepMs: 5, callbackRepeatMs: 200 };

export const startGateway = (options: Partial<EmbeddedPaymentsOptions> = {}): Promise<EmbeddedPayments> =>
  startEmbeddedPayments({ ...ACCOUNT, settings: FAST, routes: serveFaults, ...options });

export class Payer {
  constructor(
    private readonly gateway: Pick<EmbeddedPayments, 'url' | 'apiUrl'> & { token?: string },
    private readonly apiKey = ACCOUNT.apiKey,
  ) {}

  all = () => this.call<Payment[]>('/payments');
  paymentsOf = async (orderId: string) => (await this.all()).filter((payment) => payment.orderId === orderId);
  act = (paymentId: string, action: Action, details: object = {}) =>
    this.call<Payment>(`/payments/${paymentId}/act`, { action, ...details });
  /** Sets a status that no action of the payer leads to, such as refunded. */
  setStatus = (paymentId: string, status: string) => this.call<Payment>(`/payments/${paymentId}/act`, { status });
  payOut = (payout: object) => this.call<Payout>('/payouts', { currency: 'btc', amount: '0.0002', ...payout });
  changeSettings = (settings: object) => this.call('/settings', settings);
  causeFault = (fault: object) => this.call('/faults', fault);
  clearFaults = () => this.call('/faults', undefined, 'DELETE');

  async first(orderId: string): Promise<Payment> {
    const [payment] = await this.paymentsOf(orderId);
    if (payment === undefined) throw new Error(`order ${orderId} has no payment`);
    return payment;
  }

  /** Creates a payment of an order that the game does not know. Returns its id. */
  async foreignPayment(dollars: number, currency: string, callbackUrl: string): Promise<string> {
    const invoice = await this.create('/invoice', {
      price_amount: dollars,
      price_currency: 'usd',
      pay_currency: currency,
      order_id: 'somebody else’s',
      ipn_callback_url: callbackUrl,
    });
    const { payment_id } = await this.create('/invoice-payment', { iid: invoice.id, pay_currency: currency });
    if (payment_id === undefined) throw new Error('the gateway created no payment');
    return payment_id;
  }

  private async create(path: string, body: object): Promise<{ id?: string; payment_id?: string }> {
    const response = await fetch(`${this.gateway.apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.apiKey },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id?: string; payment_id?: string };
  }

  async call<T>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
    const { url, token = '' } = this.gateway;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/_stand-in${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
