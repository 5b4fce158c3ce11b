import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { GatewayPaymentId } from '../../../contracts/ids.js';
import { unknownOrderOf } from '../../../domain/payments.js';
import { Refused, Unavailable } from '../http/refused.js';
import type { PaymentGateway } from './gateway/payment-gateway.js';
import { PAYMENT_GATEWAY } from './ledger-payments.js';
import { PaymentLog } from './payment-log.js';
import { Settlement } from './settlement.js';
import { within } from './within.js';

/** The gateway gives up after three seconds, and is to be answered within one. */
const STORE_WITHIN_MS = 900;
/** Fetched at the same time: the gateway allows only a few requests a second. */
const AT_ONCE = 3;
/** As they stop, payments under way are finished; those that wait are the poller's. */
const STOP_WITHIN_MS = 5_000;

/**
 * Takes callbacks in: signed ones are kept as they came and answered at once, then their payment is fetched and settled.
 * What fails then, or was lost, is found by the poller.
 */
@Injectable()
export class CallbackInbox implements BeforeApplicationShutdown {
  private readonly logger = new Logger('payments');
  private readonly due = new Set<GatewayPaymentId>();
  private readonly working = new Map<GatewayPaymentId, Promise<void>>();
  private stopping = false;

  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    private readonly payments: PaymentLog,
    private readonly settlement: Settlement,
  ) {}

  /** Throws Refused for what the gateway did not sign, Unavailable when it could not be kept: then it is to be repeated. */
  async receive(rawBody: Buffer, signature: string | undefined): Promise<void> {
    const callback = this.gateway.verifyCallback(rawBody, signature);
    if (callback === null) throw new Refused('invalid-callback');
    if (callback.payment === null) {
      this.logger.warn(`a callback about no payment was ignored: ${Object.keys(callback.body).join(', ')}`);
      return;
    }
    const { paymentId, orderId } = callback.payment;
    await within(STORE_WITHIN_MS, this.keep(paymentId, orderId, rawBody), tooSlow);
    this.due.add(paymentId);
    this.work();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.race([this.idle(), sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Resolves when no payment is being settled here. */
  async idle(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working.values());
  }

  /** The same bytes again are the same callback. */
  private async keep(paymentId: GatewayPaymentId, orderId: string | null, rawBody: Buffer): Promise<void> {
    const order = (await this.payments.openedOrder(orderId)) ?? unknownOrderOf(paymentId);
    const event = { type: 'CallbackReceived' as const, data: { orderId: order, body: rawBody.toString('utf8') } };
    const commandId = `callback-${createHash('sha256').update(rawBody).digest('hex').slice(0, 40)}`;
    const by = { actor: { id: 'system', role: 'system' } as const, commandId };
    await this.payments.change(order, () => ({ events: [event] }), by);
  }

  private work(): void {
    for (const paymentId of this.due) {
      if (this.stopping || this.working.size >= AT_ONCE) return;
      // One at a time of the same payment; what came meanwhile is looked at after it.
      if (this.working.has(paymentId)) continue;
      this.due.delete(paymentId);
      this.working.set(paymentId, this.settle(paymentId));
    }
  }

  private async settle(paymentId: GatewayPaymentId): Promise<void> {
    try {
      const payment = await this.settlement.settle(paymentId, 'callback');
      if (payment === null) this.logger.warn(`a callback was about payment ${paymentId}, which the gateway denies`);
    } catch (error) {
      this.logger.warn(`payment ${paymentId} is left to the poller: ${(error as Error).message}`);
    } finally {
      this.working.delete(paymentId);
      this.work();
    }
  }
}

const tooSlow = (): Error => new Unavailable('the callback could not be kept in time');
