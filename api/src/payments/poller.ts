import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayPaymentId } from '../../../contracts/ids.js';
import { paymentOfUnknownOrder } from '../../../domain/payments.js';
import { every, type Periodic } from '../platform/every.js';
import {
  type GatewayPayment,
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
} from './gateway/payment-gateway.js';
import { type DueOrder, type PaymentPollsStore, POLLED_FOR_MS } from './payment-polls.store.js';
import type { Settlement } from './settlement.js';

/** The schedule of polls. */
export type PaymentPolls = Pick<PaymentPollsStore, keyof PaymentPollsStore>;

export interface PollerOptions {
  /** Between one round of polls and the next. */
  roundMs: number;
  /** Between two orders: the gateway allows a few requests a second, and gamers' requests come first. */
  pauseMs: number;
  /** The most orders of one round. */
  limit: number;
}

export const USUAL_POLLING: PollerOptions = { roundMs: 5_000, pauseMs: 400, limit: 50 };

/** Polls the gateway for payments whose callbacks were lost, and for money that arrives without a callback. */
export class Poller {
  private readonly stopping = new AbortController();
  private polling: Periodic | undefined;

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly settlement: Settlement,
    private readonly polls: PaymentPolls,
    private readonly now: () => number,
    private readonly warn: (message: string) => void,
    private readonly options: PollerOptions = USUAL_POLLING,
  ) {}

  start(): void {
    const onError = (error: Error) => this.warn(`payments could not be polled: ${error.message}`);
    this.polling = every(this.options.roundMs, () => this.round(), onError);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.polling?.stop();
  }

  /** Polls every due order, unless another node is polling. */
  async round(): Promise<void> {
    await this.polls.alone(async () => {
      for (const order of await this.polls.due(this.now(), this.options.limit)) {
        if (this.stopping.signal.aborted) return;
        if (!(await this.poll(order))) return;
        await this.pause(this.options.pauseMs);
      }
      await this.polls.forgetBefore(this.now() - 2 * POLLED_FOR_MS);
    });
  }

  /** False when the gateway is unavailable: polling the other orders would fail too. */
  private async poll(order: DueOrder): Promise<boolean> {
    // The time before the poll: a change during the poll then makes the order due again.
    const polledAtMs = this.now();
    try {
      for (const payment of await this.paymentsOf(order)) {
        const orderId = order.invoiceId === null ? undefined : order.orderId;
        await this.settlement.settle(payment, 'poller', { orderId });
      }
    } catch (error) {
      this.warn(`order ${order.orderId} could not be polled: ${(error as Error).message}`);
      if (error instanceof GatewayUnavailable) return false;
    }
    await this.polls.markPolled(order.orderId, order.changedAtMs, polledAtMs);
    return true;
  }

  /** All payments of an invoice. If the gateway refuses to list them, at least the invoice's own payment and its children. */
  private async paymentsOf({ orderId, invoiceId, paymentId }: DueOrder): Promise<GatewayPayment[]> {
    if (invoiceId === null) return this.fetch(paymentOfUnknownOrder(orderId));
    const listed = await this.gateway.listPaymentsOfInvoice(invoiceId).catch((error: unknown) => {
      if (!(error instanceof GatewayRefused)) throw error;
      this.warn(`the gateway refuses to list payments: ${error.message}`);
      return this.fetch(paymentId);
    });
    const known = new Set(listed.map((payment) => payment.paymentId));
    const children = listed.flatMap(({ childPaymentIds }) => childPaymentIds).filter((id) => !known.has(id));
    const fetched = await Promise.all([...new Set(children)].map((id) => this.fetch(id)));
    return [...listed, ...fetched.flat()];
  }

  private async fetch(paymentId: GatewayPaymentId | null): Promise<GatewayPayment[]> {
    const payment = paymentId === null ? null : await this.gateway.getPayment(paymentId);
    return payment === null ? [] : [payment];
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}
