import type { Action } from '../../../../embedded/payments/payment-life.js';
import type { Payment } from '../../../../embedded/payments/records.js';
import {
  type EmbeddedPayments,
  type EmbeddedPaymentsOptions,
  startEmbeddedPayments,
} from '../../../../embedded/payments/start-embedded-payments.js';

export const ACCOUNT = {
  apiKey: 'a key that only tests know',
  ipnSecret: 'a secret that only tests know',
  email: 'shop@example.com',
  password: 'open sesame',
};

export const startGateway = (options: Partial<EmbeddedPaymentsOptions> = {}): Promise<EmbeddedPayments> =>
  startEmbeddedPayments({ ...ACCOUNT, settings: { stepMs: 5, callbackRepeatMs: 200 }, ...options });

/** Whoever pays at the embedded gateway, and whoever disturbs it. */
export class Payer {
  constructor(private readonly gateway: EmbeddedPayments) {}

  paymentsOf(orderId: string): Promise<Payment[]> {
    return this.call('GET', `/_stand-in/payments?orderId=${orderId}`);
  }

  paymentsOfInvoice(invoiceId: string): Promise<Payment[]> {
    return this.call('GET', `/_stand-in/payments?invoiceId=${invoiceId}`);
  }

  async first(orderId: string): Promise<Payment> {
    const [payment] = await this.paymentsOf(orderId);
    if (payment === undefined) throw new Error(`order ${orderId} has no payment`);
    return payment;
  }

  act(paymentId: string, action: Action, details: Record<string, unknown> = {}): Promise<Payment> {
    return this.call('POST', `/_stand-in/payments/${paymentId}/act`, { action, ...details });
  }

  repeatCallback(paymentId: string): Promise<unknown> {
    return this.call('POST', `/_stand-in/payments/${paymentId}/repeat-callback`, {});
  }

  change(settings: Record<string, unknown>): Promise<unknown> {
    return this.call('POST', '/_stand-in/settings', settings);
  }

  disturb(fault: Record<string, unknown>): Promise<unknown> {
    return this.call('POST', '/_stand-in/faults', fault);
  }

  calm(): Promise<unknown> {
    return this.call('DELETE', '/_stand-in/faults');
  }

  all(): Promise<Payment[]> {
    return this.call('GET', '/_stand-in/payments');
  }

  /** What a person makes who takes the coin once more on the checkout page. */
  async secondPayment(invoiceId: string): Promise<string> {
    const before = await this.paymentsOfInvoice(invoiceId);
    const form = new URLSearchParams({ iid: invoiceId, currency: before[0]!.payCurrency });
    await fetch(`${this.gateway.url}/payment/coin`, { method: 'POST', body: form, redirect: 'manual' });
    const known = new Set(before.map(({ id }) => id));
    const made = (await this.paymentsOfInvoice(invoiceId)).find(({ id }) => !known.has(id));
    if (made === undefined) throw new Error(`invoice ${invoiceId} got no second payment`);
    return made.id;
  }

  /** A payment that no invoice of ours led to. */
  async foreignPayment(dollars: number, currency: string, callbackUrl: string): Promise<string> {
    const response = await fetch(`${this.gateway.apiUrl}/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': ACCOUNT.apiKey },
      body: JSON.stringify({
        price_amount: dollars,
        price_currency: 'usd',
        pay_currency: currency,
        order_id: 'somebody else’s',
        ipn_callback_url: callbackUrl,
      }),
    });
    const { payment_id } = (await response.json()) as { payment_id?: string };
    if (payment_id === undefined) throw new Error('the gateway made no payment');
    return payment_id;
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.gateway.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
