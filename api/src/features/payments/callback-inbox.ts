import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { EMPTY, lastValueFrom, mergeMap, Subject } from 'rxjs';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { GatewayPaymentId } from '../../../../contracts/ids.js';
import { type PaymentState, unknownOrderOf } from '../../../../domain/payments.js';
import { Background, withTimeout } from '../../platform/background.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { type GatewayPayment, PaymentGateway } from './gateway/payment-gateway.js';
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
    if (callback.payoutBatchId !== null) return this.payoutListeners.forEach((listener) => void listener());
    if (callback.payment === null) return;
    const { paymentId } = callback.payment;
    await withTimeout(this.store(callback.payment, rawBody), STORE_TIMEOUT_MS, tooSlow);
    if (this.queued.has(paymentId)) return;
    this.queued.add(paymentId);
    this.called.next(paymentId);
  }

  /** Idempotent: the command id is the body's hash. Beyond the limit nothing is stored for an order, but its payment is still fetched. */
  private async store({ paymentId, orderId }: GatewayPayment, rawBody: Buffer): Promise<void> {
    const order = (await this.payments.orderWithInvoice(orderId)) ?? unknownOrderOf(paymentId);
    const event = { type: 'CallbackReceived' as const, data: { orderId: order, body: rawBody.toString('utf8') } };
    const commandId = `callback-${createHash('sha256').update(rawBody).digest('hex').slice(0, 40)}`;
    const decide = ({ callbackCount }: PaymentState) => ({
      events: callbackCount < MAX_CALLBACKS_PER_ORDER ? [event] : [],
    });
    await this.payments.decideAndAppend(order, decide, { actor: SYSTEM, commandId });
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
