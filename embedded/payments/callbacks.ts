import { callbackBody, signatureOf } from './api-shapes.js';
import type { PaymentStore } from './payment-store.js';
import type { Delivery } from './records.js';
import { Timers } from './timers.js';

/** The real gateway also waits this long for the merchant's response. */
const RESPONSE_TIMEOUT_MS = 3_000;

/** Sends the merchant a signed callback for each status, and sends it again until the merchant responds with 2xx. */
export class Callbacks {
  private readonly timers: Timers;
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly store: PaymentStore,
    private readonly secret: string,
    private readonly now: () => number,
  ) {
    this.timers = new Timers(now);
    for (const delivery of store.deliveries()) this.schedule(delivery);
  }

  /** Queues a callback with the current fields of a payment or a payout. */
  enqueue(paymentId: string, url: string | null, fields: object): void {
    if (url === null) return;
    const body = callbackBody(fields);
    const signature = signatureOf(body, this.secret);
    this.put({ paymentId, url, body, signature, state: this.store.settings.losesCallbacks ? 'lost' : 'due' });
  }

  /** Sends a payment's last callback again, unchanged, even a lost one. Undefined when there is none. */
  resend(paymentId: string): Delivery | undefined {
    const last = this.store.deliveries(paymentId).at(-1);
    return last && this.put({ ...last, state: 'due' });
  }

  async close(): Promise<void> {
    this.timers.close();
    await Promise.allSettled(this.sending);
  }

  private put(callback: Pick<Delivery, 'paymentId' | 'url' | 'body' | 'signature' | 'state'>): Delivery {
    const nextAttemptAt = callback.state === 'due' ? this.now() : null;
    return this.save({ ...callback, id: this.store.newId(), attempts: [], nextAttemptAt });
  }

  private save(delivery: Delivery): Delivery {
    this.store.put('deliveries', delivery);
    this.schedule(delivery);
    return delivery;
  }

  private schedule(delivery: Delivery): void {
    this.timers.set(delivery.id, delivery.nextAttemptAt, () => {
      const sending = this.attempt(delivery);
      this.sending.add(sending);
      void sending.finally(() => this.sending.delete(sending));
    });
  }

  private async attempt(delivery: Delivery): Promise<void> {
    await this.store.flush(); // The status must be on the disk before the merchant learns of it.
    const outcome = await send(delivery);
    const attempts = [...delivery.attempts, outcome];
    const { callbackRepeats, callbackRepeatMs } = this.store.settings;
    const isLast = attempts.length > callbackRepeats;
    const state = /^2\d\d$/.test(outcome) ? 'delivered' : isLast ? 'given-up' : 'due';
    this.save({ ...delivery, attempts, state, nextAttemptAt: state === 'due' ? this.now() + callbackRepeatMs : null });
  }
}

/** Returns the HTTP status, or the reason why there was no response. */
async function send({ url, body, signature }: Delivery): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } };
    return name === 'TimeoutError' ? 'no answer in 3 s' : (cause?.code ?? cause?.message ?? String(error));
  }
}
