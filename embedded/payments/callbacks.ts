import { createHmac } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import pRetry from 'p-retry';
import type { PaymentStore } from './payment-store.js';
import type { Delivery } from './records.js';

/** The real gateway also waits this long for the merchant's response. */
const RESPONSE_TIMEOUT_MS = 3_000;
const REPEATS = 3;

/** Sends the merchant a signed callback for each status, and sends it again until the merchant responds with 2xx. */
export class Callbacks {
  private readonly closing = new AbortController();

  constructor(
    private readonly store: PaymentStore,
    private readonly secret: string,
  ) {
    setMaxListeners(0, this.closing.signal);
    for (const delivery of store.deliveries()) if (delivery.state === 'due') this.send(delivery);
  }

  /** Queues a callback with the current fields of a payment or a payout. */
  enqueue(url: string | null, fields: object): void {
    if (url === null) return;
    const body = callbackBody(fields);
    const signature = signatureOf(body, this.secret);
    const state = this.store.settings.losesCallbacks ? 'lost' : 'due';
    const delivery: Delivery = { id: this.store.newId(), url, body, signature, state };
    this.store.put('deliveries', delivery);
    if (state === 'due') this.send(delivery);
  }

  /** The next start sends the undelivered callbacks again. */
  close(): void {
    this.closing.abort();
  }

  private send(delivery: Delivery): void {
    const { signal } = this.closing;
    const options = { retries: REPEATS, minTimeout: this.store.settings.callbackRepeatMs, factor: 1, signal };
    const attempts = () => pRetry(() => this.attempt(delivery), options);
    // The status must be on the disk before the merchant learns of it. A failed write ends the process.
    void this.store.flush().then(() => attempts().catch(() => undefined));
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const { url, body, signature } = delivery;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    this.store.put('deliveries', { ...delivery, state: 'delivered' });
  }
}

/** A callback's body: compact JSON with its keys sorted. */
const callbackBody = (fields: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));

export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha512', secret.trim()).update(body).digest('hex');
