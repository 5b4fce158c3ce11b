import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, Optional } from '@nestjs/common';
import type { GatewayPaymentId } from '../../../../contracts/ids.js';
import { paymentOfUnknownOrder } from '../../../../domain/payments.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { type GatewayPayment, PaymentGateway } from './gateway/payment-gateway.js';
import { type DueOrder, PaymentPollsStore, POLLED_FOR_MS } from './payment-polls.store.js';
import { Settlement } from './settlement.js';

const ROUND_MS = 5_000;
/** Pause between two orders: the gateway allows a few requests a second, and gamers' requests come first. */
const PAUSE_MS = 400;
/** The gateway, or our own log, then probably fails for every order. */
const MAX_FAILURES_IN_A_ROW = 3;

/** Polls the gateway for payments whose callbacks were lost, and for money that arrives without a callback. */
@Injectable()
export class Poller {
  private readonly logger = new Logger('payments');

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly settlement: Settlement,
    private readonly polls: PaymentPollsStore,
    private readonly clock: Clock,
    private readonly background: Background,
    @Optional() private readonly pauseMs = PAUSE_MS,
  ) {}

  start(): void {
    this.background.every(ROUND_MS, () => this.round(), 'payments could not be polled');
  }

  async round(): Promise<void> {
    const { signal } = this.background;
    await this.polls.alone(async () => {
      let failuresInARow = 0;
      for (const order of await this.polls.due(this.clock.now())) {
        if (signal.aborted) return;
        const failure = await this.poll(order);
        failuresInARow = failure === null ? 0 : failuresInARow + 1;
        if (failuresInARow === MAX_FAILURES_IN_A_ROW) return;
        await sleep(this.pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
      await this.polls.forgetBefore(this.clock.now() - 2 * POLLED_FOR_MS);
    });
  }

  /** Returns why the poll failed, or null. The order's next poll moves on in both cases, so a broken order never holds up the others. */
  private async poll(order: DueOrder): Promise<Error | null> {
    // The time before the poll: a change during the poll then makes the order due again.
    const polledAtMs = this.clock.now();
    const orderId = order.invoiceId === null ? undefined : order.orderId;
    let failure: Error | null = null;
    try {
      for (const payment of await this.paymentsOf(order)) await this.settlement.settle(payment, 'poller', orderId);
    } catch (error) {
      failure = error as Error;
    }
    if (failure) this.logger.warn(`order ${order.orderId} could not be polled: ${failure.message}`);
    await this.polls.markPolled(order.orderId, order.changedAtMs, polledAtMs);
    return failure;
  }

  private async paymentsOf({ orderId, invoiceId }: DueOrder): Promise<GatewayPayment[]> {
    if (invoiceId === null) return this.fetch(paymentOfUnknownOrder(orderId));
    const listed = await this.gateway.listPaymentsOfInvoice(invoiceId);
    const known = new Set(listed.map((payment) => payment.paymentId));
    const children = listed.flatMap(({ childPaymentIds }) => childPaymentIds).filter((id) => !known.has(id));
    const fetched = await Promise.all([...new Set(children)].map((id) => this.fetch(id)));
    return [...listed, ...fetched.flat()];
  }

  private async fetch(paymentId: GatewayPaymentId | null): Promise<GatewayPayment[]> {
    const payment = paymentId === null ? null : await this.gateway.getPayment(paymentId);
    return payment === null ? [] : [payment];
  }
}
