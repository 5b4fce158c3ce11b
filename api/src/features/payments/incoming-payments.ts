import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, Optional } from '@nestjs/common';
import { EMPTY, lastValueFrom, mergeMap, Subject } from 'rxjs';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { GatewayPaymentId } from '../../../../contracts/ids.js';
import { type PaymentState, paymentOfUnknownOrder, unknownOrderOf } from '../../../../domain/payments.js';
import { withTimeout } from '../../../../event-log/timers.js';
import { Background } from '../../platform/background.js';
import { Clock } from '../../platform/clock.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { Locks } from '../../platform/locks.store.js';
import { type GatewayPayment, PaymentGateway } from './gateway/payment-gateway.js';
import { type DueOrder, PaymentPollsStore, POLLED_FOR_MS } from './payment-polls.store.js';
import { PaymentLog, Settlement } from './settlement.js';

/** The gateway gives up after three seconds; decision 27 promises a response within one. */
const STORE_TIMEOUT_MS = 900;
/** A payment has about ten states; a replay of signed callbacks must not fill the log. */
export const MAX_CALLBACKS_PER_ORDER = 100;
/** Payments fetched in parallel: the gateway allows only a few requests a second. */
const MAX_IN_PARALLEL = 3;
/** On shutdown, settlements under way may finish within this time. The poller finds the queued payments later. */
const STOP_TIMEOUT_MS = 5_000;

/** Receives callbacks (decision 27): checks, stores, answers, then settles. The poller finds lost and failed ones. */
@Injectable()
export class CallbackInbox {
  private readonly logger = new Logger('payments');
  private readonly called = new Subject<GatewayPaymentId>();
  /** Payments whose settlement has not begun since their last callback. */
  private readonly queued = new Set<GatewayPaymentId>();
  /** Called after each callback about a payout. It may be late or repeated: the listener asks the gateway. */
  readonly payoutListeners: (() => void)[] = [];

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly payments: PaymentLog,
    private readonly settlement: Settlement,
    background: Background,
  ) {
    const settled = this.called.pipe(
      mergeMap((paymentId) => (background.signal.aborted ? EMPTY : this.settle(paymentId)), MAX_IN_PARALLEL),
    );
    const done = lastValueFrom(settled, { defaultValue: undefined });
    background.onStop(() => {
      this.called.complete();
      return Promise.race([done, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    });
  }

  /** Throws Refused when the signature is wrong, Unavailable when storing failed: the gateway then redelivers the callback. */
  async receive(rawBody: Buffer, signature: string | undefined): Promise<void> {
    const callback = this.gateway.verifyCallback(rawBody, signature);
    if (callback === null) throw new Refused('invalid-callback');
    if (callback.payoutBatchId !== null) {
      for (const listener of this.payoutListeners) void listener();
      return;
    }
    if (callback.payment === null) return;
    const { paymentId } = callback.payment;
    await withTimeout(this.store(callback.payment, rawBody), STORE_TIMEOUT_MS, tooSlow);
    if (this.queued.has(paymentId)) return;
    this.queued.add(paymentId);
    this.called.next(paymentId);
  }

  /** Idempotent: the command id is the body's hash. Beyond the limit nothing is stored for an order, but its payment is still fetched. */
  private async store(payment: GatewayPayment, rawBody: Buffer): Promise<void> {
    const orderId = (await this.payments.orderWithInvoice(payment.orderId)) ?? unknownOrderOf(payment.paymentId);
    const event = { type: 'CallbackReceived' as const, data: { orderId, body: rawBody.toString('utf8') } };
    const commandId = `callback-${createHash('sha256').update(rawBody).digest('hex').slice(0, 40)}`;
    const decide = ({ callbackCount }: PaymentState) => ({
      events: callbackCount < MAX_CALLBACKS_PER_ORDER ? [event] : [],
    });
    await this.payments.decideAndAppend(orderId, decide, { actor: SYSTEM, commandId });
  }

  private async settle(paymentId: GatewayPaymentId): Promise<void> {
    this.queued.delete(paymentId);
    try {
      const fetched = await this.settlement.fetchAndSettle(paymentId, 'callback');
      if (fetched === null) this.logger.warn(`a callback names payment ${paymentId}, which the gateway does not know`);
    } catch (error) {
      this.logger.warn(`payment ${paymentId} is left to the poller: ${(error as Error).message}`);
    }
  }
}

const tooSlow = (): Error => new Unavailable('the callback could not be stored in time');

const POLLED_EVERY_MS = 5_000;
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
    private readonly locks: Locks,
    private readonly clock: Clock,
    private readonly background: Background,
    @Optional() private readonly pauseMs = PAUSE_MS,
  ) {}

  start(): void {
    this.background.every(POLLED_EVERY_MS, () => this.pollDueOrders(), 'payments could not be polled');
  }

  async pollDueOrders(): Promise<void> {
    const { signal } = this.background;
    await this.locks.ifFree('poller of payments', async () => {
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
