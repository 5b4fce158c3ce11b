import { callbackBody } from './callback-body.js';
import type { PaymentBook } from './payment-book.js';
import type { Delivery, Payment } from './records.js';

/** The real gateway gives up on a receiver that takes longer. */
const RECEIVER_TIMEOUT_MS = 3_000;

/** Tells the shop of each status: signed, repeated while the shop does not answer 2xx, or lost on purpose. */
export class Callbacks {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly underWay = new Set<Promise<void>>();
  private closed = false;

  constructor(
    private readonly book: PaymentBook,
    private readonly secret: string,
    private readonly now: () => number,
  ) {
    for (const delivery of book.allDeliveries()) {
      if (delivery.state === 'due') this.schedule(delivery);
    }
  }

  announce(payment: Payment): void {
    if (payment.callbackUrl === null) return;
    const { body, signature } = callbackBody(payment, this.secret);
    const loses = this.book.settings.losesCallbacks || this.invoiceLoses(payment);
    const delivery: Delivery = {
      id: `${payment.id}-${this.book.freshId()}`,
      paymentId: payment.id,
      url: payment.callbackUrl,
      body,
      signature,
      state: loses ? 'lost' : 'due',
      attempts: [],
      nextAttemptAt: loses ? null : this.now(),
      createdAt: this.now(),
    };
    this.book.putDelivery(delivery);
    if (!loses) this.schedule(delivery);
  }

  /** Sends a payment's last callback once more, word for word, lost or not. Undefined when it never had one. */
  repeat(paymentId: string): Delivery | undefined {
    const last = this.book.allDeliveries().findLast((delivery) => delivery.paymentId === paymentId);
    if (last === undefined) return undefined;
    const again: Delivery = {
      ...last,
      id: `${paymentId}-${this.book.freshId()}`,
      state: 'due',
      attempts: [],
      nextAttemptAt: this.now(),
      createdAt: this.now(),
    };
    this.book.putDelivery(again);
    this.schedule(again);
    return again;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.underWay);
  }

  private invoiceLoses({ invoiceId }: Payment): boolean {
    return invoiceId !== null && this.book.invoice(invoiceId)?.losesCallbacks === true;
  }

  private schedule(delivery: Delivery): void {
    if (this.closed || delivery.nextAttemptAt === null) return;
    const timer = setTimeout(
      () => {
        this.timers.delete(delivery.id);
        const sending = this.attempt(delivery);
        this.underWay.add(sending);
        void sending.finally(() => this.underWay.delete(sending));
      },
      Math.max(0, delivery.nextAttemptAt - this.now()),
    );
    this.timers.set(delivery.id, timer);
  }

  private async attempt(delivery: Delivery): Promise<void> {
    // A status is told to nobody before it is kept.
    await this.book.saved();
    const outcome = await post(delivery);
    const attempts = [...delivery.attempts, { at: this.now(), outcome }];
    const { callbackRepeats, callbackRepeatMs } = this.book.settings;
    const arrived = /^2\d\d$/.test(outcome);
    const isLast = attempts.length > callbackRepeats;
    const after: Delivery = {
      ...delivery,
      attempts,
      state: arrived ? 'delivered' : isLast ? 'given-up' : 'due',
      nextAttemptAt: arrived || isLast ? null : this.now() + callbackRepeatMs,
    };
    this.book.putDelivery(after);
    this.schedule(after);
  }
}

async function post({ url, body, signature }: Delivery): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } };
    return name === 'TimeoutError' ? 'no answer in 3 s' : (cause?.code ?? cause?.message ?? String(error));
  }
}
