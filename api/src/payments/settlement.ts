import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { DecimalText } from '../../../contracts/decimal.js';
import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { Actor } from '../../../contracts/events/metadata.js';
import type { PaymentEvent, PaymentSeen } from '../../../contracts/events/payment-events.js';
import type { CommandId, GatewayPaymentId, OrderId } from '../../../contracts/ids.js';
import {
  changeSince,
  commandFor,
  commandWithoutGamer,
  isDone,
  lacksValue,
  type PaymentChange,
  type PaymentState,
  type SeenPayment,
  seePayment,
  unknownOrderOf,
  unsettled,
} from '../../../domain/payments.js';
import { Refused, Unavailable } from '../http/refused.js';
import { type CommandResult, Ledger } from '../ledger/ledger.js';
import { type GatewayPayment, GatewayRefused, type PaymentGateway } from './gateway/payment-gateway.js';
import { receivedCents } from './gateway/received-cents.js';
import { LEDGER_PAYMENTS, type LedgerPayment, type LedgerPayments, PAYMENT_GATEWAY } from './ledger-payments.js';
import { PaymentLog } from './payment-log.js';

type SeenBy = PaymentSeen['data']['seenBy'];
type Found = Pick<LedgerPayment, 'outcome' | 'depositId' | 'purchaseId' | 'reason'>;

/** A payment as the gateway shows it now. */
export interface Looked {
  payment: GatewayPayment;
  /** What it says that it did not say when the payment was judged. */
  change: PaymentChange | null;
}

/** Whose word an event in a payment's stream is. */
export interface By {
  actor: Actor;
  commandId: CommandId;
}

const SYSTEM: Actor = { id: 'system', role: 'system' };
const bySystem = (): By => ({ actor: SYSTEM, commandId: randomUUID() });
const NOTHING: DecimalText = '0';

/**
 * The one way from what the gateway says to what the ledger has. Callbacks, the poller and the admin's lookup all come
 * here, in any order, at the same time, and again after a crash anywhere:
 *   1. what is new about the payment goes into its stream, which alone decides what becomes of it;
 *   2. the ledger is asked for just that, under an id made of the gateway's payment id, and does it once;
 *   3. the stream is told what the ledger did.
 * Whoever comes next begins at 1 and finds out how far it went.
 */
@Injectable()
export class Settlement {
  private readonly logger = new Logger('payments');

  constructor(
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    @Inject(LEDGER_PAYMENTS) private readonly ledgerPayments: LedgerPayments,
    private readonly ledger: Ledger,
    private readonly payments: PaymentLog,
  ) {}

  /**
   * Fetches a payment and does what follows. Null when the gateway knows no such payment. `by`: who looked it up.
   * Throws GatewayUnavailable, Unavailable or LogUnavailable; then it may be called again at any time.
   */
  async settle(paymentId: GatewayPaymentId, seenBy: SeenBy, by?: By): Promise<Looked | null> {
    const payment = await this.gateway.getPayment(paymentId);
    if (payment === null) return null;
    return { payment, change: await this.settleSeen(payment, seenBy, { by }) };
  }

  /**
   * The same for a payment as the gateway has just shown it: what it says since the payment was judged.
   * `orderId`: the order it was listed under.
   */
  async settleSeen(
    payment: GatewayPayment,
    seenBy: SeenBy,
    { orderId: knownOrderId, by = bySystem() }: { orderId?: OrderId | undefined; by?: By | undefined } = {},
  ): Promise<PaymentChange | null> {
    const orderId = knownOrderId ?? (await this.orderOf(payment));
    const seen: PaymentSeen['data'] = {
      orderId,
      paymentId: payment.paymentId,
      parentPaymentId: payment.parentPaymentId,
      status: payment.status,
      payCurrency: payment.payCurrency,
      payAmount: payment.payAmount ?? NOTHING,
      actuallyPaid: payment.actuallyPaid,
      valueCents: null,
      seenBy,
    };
    let { state } = await this.payments.read(orderId);
    const before = state.payments.get(seen.paymentId);
    if (seePayment(state, seen).length > 0 || (before !== undefined && lacksValue(before))) {
      seen.valueCents = await this.valueOf(payment);
      const decide = (now: PaymentState) => ({ events: seePayment(now, seen) });
      ({ state } = await this.payments.change(orderId, decide, by));
      // A command that is sent again brings no event, and yet there may be news.
      if (decide(state).events.length > 0) ({ state } = await this.payments.change(orderId, decide, bySystem()));
      this.warnOfMore(state, payment);
    }
    for (const one of unsettled(state)) await this.settleInLedger(orderId, state, one);
    const known = state.payments.get(seen.paymentId);
    return known === undefined ? null : changeSince(known);
  }

  private async settleInLedger(orderId: OrderId, state: PaymentState, payment: SeenPayment): Promise<void> {
    const { paymentId } = payment.seen;
    const found = await this.askLedger(state, payment);
    const event = settledEvent(orderId, paymentId, found);
    const decide = (now: PaymentState) => ({ events: now.payments.get(paymentId)?.isSettled ? [] : [event] });
    await this.payments.change(orderId, decide, bySystem());
  }

  private async askLedger(state: PaymentState, payment: SeenPayment): Promise<Found> {
    const { paymentId } = payment.seen;
    const commandId = `payment-${paymentId}`;
    try {
      return foundIn(await this.ledger.execute(commandFor(state, payment), { actor: SYSTEM, commandId }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      switch (error.refusal.code) {
        case 'gamer-not-found': {
          const by = { actor: SYSTEM, commandId: `${commandId}-no-gamer` };
          return foundIn(await this.ledger.execute(commandWithoutGamer(state, payment), by));
        }
        // Longer ago than the ledger remembers commands, or in other words; it has the payment all the same.
        case 'payment-already-recorded':
        case 'idempotency-key-reused': {
          const found = await this.ledgerPayments.find(paymentId);
          if (found === null) throw new Unavailable(`the ledger has payment ${paymentId}, but the tables do not yet`);
          return found;
        }
        default:
          throw error;
      }
    }
  }

  /** Whose payment it is. One that came in at another's address belongs where that one does. */
  private async orderOf(payment: GatewayPayment): Promise<OrderId> {
    const own = await this.payments.openedOrder(payment.orderId);
    if (own !== null) return own;
    if (payment.parentPaymentId !== null && payment.parentPaymentId !== payment.paymentId) {
      const parent = await this.gateway.getPayment(payment.parentPaymentId);
      const parents = await this.payments.openedOrder(parent?.orderId ?? null);
      if (parents !== null) return parents;
    }
    return unknownOrderOf(payment.paymentId);
  }

  /** By the quote of the invoice; where there is none, what the gateway would give for it now. */
  private async valueOf(payment: GatewayPayment): Promise<number | null> {
    const { status, actuallyPaid, payCurrency, paymentId } = payment;
    if (!isDone(status)) return null;
    if (actuallyPaid === NOTHING) {
      if (status === 'finished') this.logger.error(`payment ${paymentId} is finished, but nothing arrived`);
      return null;
    }
    const quoted = receivedCents(payment);
    if (quoted !== null) return quoted;
    try {
      return await this.gateway.estimateCents(actuallyPaid, payCurrency);
    } catch (error) {
      if (!(error instanceof GatewayRefused)) throw error;
      this.logger.error(`payment ${paymentId} came in ${payCurrency}, which cannot be valued: ${error.message}`);
      return null;
    }
  }

  /** What was judged stays as it was; more money on the same payment needs a person. */
  private warnOfMore({ payments }: PaymentState, { paymentId, actuallyPaid, status }: GatewayPayment): void {
    const known = payments.get(paymentId);
    if (known?.isSettled) {
      this.logger.warn(`payment ${paymentId} was settled and is now ${status} with ${actuallyPaid} paid`);
    }
  }
}

function foundIn({ events }: CommandResult): Found {
  const event = events[0]?.event;
  const none = { depositId: null, purchaseId: null, reason: null };
  switch (event?.type) {
    case 'DepositApproved':
      return { ...none, outcome: 'approved', depositId: event.data.depositId };
    case 'DepositRecorded':
      return { ...none, outcome: 'pending', depositId: event.data.depositId, reason: event.data.reason };
    case 'TokenPurchased':
      return { ...none, outcome: 'tokens', purchaseId: event.data.purchaseId };
    case 'InvoiceCredited':
      return { ...none, outcome: 'balance' };
    default:
      throw new Error(`a payment became ${(event as LedgerEvent | undefined)?.type}`);
  }
}

function settledEvent(orderId: OrderId, paymentId: GatewayPaymentId, found: Found): PaymentEvent {
  const { outcome, depositId, purchaseId, reason } = found;
  if (reason !== null && depositId !== null) {
    return { type: 'PaymentParked', data: { orderId, paymentId, depositId, reason } };
  }
  if (outcome === 'pending' || outcome === 'rejected')
    throw new Error(`payment ${paymentId} is ${outcome} for no reason`);
  const as = outcome === 'approved' ? 'deposit' : outcome;
  return { type: 'PaymentSettled', data: { orderId, paymentId, outcome: as, depositId, purchaseId } };
}
