import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayPaymentId, OrderId } from '../../../contracts/ids.js';
import { paymentOfUnknownOrder } from '../../../domain/payments.js';
import {
  type GatewayPayment,
  GatewayRefused,
  GatewayUnavailable,
  type PaymentGateway,
} from './gateway/payment-gateway.js';
import { WATCHED_FOR_MS } from './polling-schedule.js';
import type { Settlement } from './settlement.js';

/** An invoice that money may still come in for; without invoice and payment, the unknown order of one payment. */
export interface WatchedOrder {
  orderId: OrderId;
  invoiceId: string | null;
  paymentId: GatewayPaymentId | null;
  changedAtMs: number;
}

/** Which invoices to look at, and when they were. */
export interface Watch {
  alone(work: () => Promise<void>): Promise<void>;
  due(nowMs: number, limit: number): Promise<WatchedOrder[]>;
  looked(orderId: OrderId, changedAtMs: number, nowMs: number): Promise<void>;
  forgetBefore(epochMs: number): Promise<void>;
}

export interface PollerOptions {
  /** Between one round and the next. */
  roundMs: number;
  /** Between one invoice and the next: the gateway allows a few requests a second, and gamers come first. */
  pauseMs: number;
  /** The most invoices of one round. */
  limit: number;
}

export const USUAL_POLLING: PollerOptions = { roundMs: 5_000, pauseMs: 400, limit: 50 };

/** Looks after invoices whose callbacks were lost, and after money that comes when no callback is sent any more. */
export class Poller {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly settlement: Settlement,
    private readonly watch: Watch,
    private readonly now: () => number,
    private readonly warn: (message: string) => void,
    private readonly options: PollerOptions = USUAL_POLLING,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Looks at everything that is due, unless another node does. */
  async round(): Promise<void> {
    await this.watch.alone(async () => {
      for (const order of await this.watch.due(this.now(), this.options.limit)) {
        if (this.stopping.signal.aborted) return;
        if (!(await this.lookAt(order))) return;
        await this.pause(this.options.pauseMs);
      }
      await this.watch.forgetBefore(this.now() - 2 * WATCHED_FOR_MS);
    });
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.pause(this.options.roundMs);
      if (this.stopping.signal.aborted) return;
      await this.round().catch((error: Error) => this.warn(`payments could not be looked after: ${error.message}`));
    }
  }

  /** False when the gateway is away: the others would not be found either. */
  private async lookAt(order: WatchedOrder): Promise<boolean> {
    // Before, not after: news that come meanwhile are news.
    const lookedAt = this.now();
    try {
      for (const payment of await this.paymentsOf(order)) {
        const orderId = order.invoiceId === null ? undefined : order.orderId;
        await this.settlement.settleSeen(payment, 'poller', { orderId });
      }
    } catch (error) {
      this.warn(`order ${order.orderId} could not be looked after: ${(error as Error).message}`);
      if (error instanceof GatewayUnavailable) return false;
    }
    await this.watch.looked(order.orderId, order.changedAtMs, lookedAt);
    return true;
  }

  /** All that came in for an invoice. Where lists are refused, at least its own payment and what came in there. */
  private async paymentsOf({ orderId, invoiceId, paymentId }: WatchedOrder): Promise<GatewayPayment[]> {
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
