import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { DecimalText } from '../../../../contracts/decimal.js';
import { type Actor, SYSTEM } from '../../../../contracts/events/metadata.js';
import type { GatewayReport, PaymentEvent, PaymentEvents } from '../../../../contracts/events/payment-events.js';
import type { GatewayPaymentId, OrderId } from '../../../../contracts/ids.js';
import { paymentStream } from '../../../../contracts/streams.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import * as rules from '../../../../domain/payments.js';
import { EventLog } from '../../../../event-log/event-log.js';
import type { CommandResult } from '../../ledger/command-queue.js';
import { Ledger } from '../../ledger/ledger.js';
import { type StreamCommand, StreamCommands } from '../../ledger/stream-commands.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { type GatewayPayment, GatewayRefused, PaymentGateway, receivedCents } from './gateway/payment-gateway.js';
import { type PaymentOutcome, PaymentsQueries } from './payments.queries.js';

type PaymentCommand = StreamCommand<rules.PaymentState, PaymentEvent>;
type ReportedBy = PaymentEvents['PaymentReported']['reportedBy'];
type LedgerOutcome = Pick<PaymentOutcome, 'outcome' | 'depositId' | 'purchaseId' | 'reason'>;

const NOTHING: DecimalText = '0';

const ORDER_ID = /^[0-9a-z]{20}$/;

@Injectable()
export class PaymentLog {
  constructor(
    private readonly log: EventLog,
    private readonly streams: StreamCommands,
  ) {}

  /** The state of the order's stream, and the log position of its last event: '0' for an empty stream. Throws LogUnavailable. */
  async read(orderId: OrderId): Promise<{ state: rules.PaymentState; position: string }> {
    let state = rules.initialPayment;
    let position = '0';
    for await (const recorded of this.log.readStream(paymentStream(orderId))) {
      state = rules.evolvePayment(state, recorded.event as PaymentEvent);
      position = recorded.position;
    }
    return { state, position };
  }

  /** The order id if the order has an invoice; null for any other text in a payment's order field. Throws LogUnavailable. */
  async orderWithInvoice(orderId: string | null): Promise<OrderId | null> {
    if (orderId === null || !ORDER_ID.test(orderId)) return null;
    const { state } = await this.read(orderId);
    return state.invoice === null ? null : orderId;
  }

  /** Appends the decided events and returns them, and the stream's state after them. Throws Refused, Unavailable. */
  decideAndAppend(orderId: OrderId, decide: PaymentCommand['decide'], metadata: CommandMetadata) {
    return this.streams.execute<rules.PaymentState, PaymentEvent>({
      stream: paymentStream(orderId),
      initial: rules.initialPayment,
      evolve: (state, { event }) => rules.evolvePayment(state, event),
      decide,
      metadata,
      content: null,
    });
  }
}

/**
 * Settles payments: the one way from the gateway's report to the ledger. Callbacks, the poller and the admin's lookup all
 * come here, in any order, at the same time, and again after a crash at any step:
 *   1. append the gateway's new report to the payment's stream, which alone decides the verdict;
 *   2. send the ledger the command for that verdict; its id comes from the gateway's payment id, so it runs once;
 *   3. append the ledger's outcome to the stream.
 * Idempotent: every call starts at step 1 and skips the steps that are done.
 */
@Injectable()
export class Settlement {
  private readonly logger = new Logger('payments');

  constructor(
    private readonly gateway: PaymentGateway,
    private readonly queries: PaymentsQueries,
    private readonly ledger: Ledger,
    private readonly payments: PaymentLog,
  ) {}

  /** Fetches a payment and settles it; null for an unknown one. Repeatable after GatewayUnavailable, Unavailable or LogUnavailable. */
  async fetchAndSettle(
    paymentId: GatewayPaymentId,
    reportedBy: ReportedBy,
    actor: Actor = SYSTEM,
  ): Promise<{ payment: GatewayPayment; change: rules.PaymentChange | null } | null> {
    const payment = await this.gateway.getPayment(paymentId);
    if (payment === null) return null;
    return { payment, change: await this.settle(payment, reportedBy, undefined, actor) };
  }

  /** Settles a payment that the gateway listed under an order. Returns its change there since the verdict. */
  async settle(
    payment: GatewayPayment,
    reportedBy: ReportedBy,
    listedUnder?: OrderId,
    actor: Actor = SYSTEM,
  ): Promise<rules.PaymentChange | null> {
    const orderId = listedUnder ?? (await this.orderIdOf(payment));
    const { paymentId, parentPaymentId, status, gatewayStatus, payCurrency, actuallyPaid } = payment;
    const report: GatewayReport = {
      orderId,
      paymentId,
      parentPaymentId,
      status,
      gatewayStatus,
      payCurrency,
      payAmount: payment.payAmount ?? NOTHING,
      actuallyPaid,
      valueCents: null,
      reportedBy,
    };
    let { state } = await this.payments.read(orderId);
    const before = state.payments.get(paymentId);
    if (rules.recordReport(state, report).length > 0 || (before !== undefined && rules.lacksValue(before))) {
      report.valueCents = await this.valueOf(payment);
      const decide = (now: rules.PaymentState) => ({ events: rules.recordReport(now, report) });
      ({ state } = await this.payments.decideAndAppend(orderId, decide, { actor, commandId: randomUUID() }));
    }
    for (const one of rules.unsettled(state)) await this.settleInLedger(orderId, state, one);
    const known = state.payments.get(paymentId);
    return known === undefined ? null : rules.changeSince(known);
  }

  private async settleInLedger(orderId: OrderId, state: rules.PaymentState, payment: rules.ReportedPayment) {
    const { paymentId } = payment.report;
    const event = settledEvent(orderId, paymentId, await this.outcomeInLedger(state, payment));
    const decide = (now: rules.PaymentState) => ({ events: now.payments.get(paymentId)?.isSettled ? [] : [event] });
    await this.payments.decideAndAppend(orderId, decide, { actor: SYSTEM, commandId: randomUUID() });
  }

  private async outcomeInLedger(state: rules.PaymentState, payment: rules.ReportedPayment): Promise<LedgerOutcome> {
    const { paymentId } = payment.report;
    const commandId = `payment-${paymentId}`;
    try {
      return outcomeOf(await this.ledger.execute(rules.commandFor(state, payment), { actor: SYSTEM, commandId }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      switch (error.refusal.code) {
        case 'gamer-not-found': {
          const metadata = { actor: SYSTEM, commandId: `${commandId}-no-gamer` };
          return outcomeOf(await this.ledger.execute(rules.commandWithoutGamer(state, payment), metadata));
        }
        // The command was replayed after the ledger forgot its id, or with other content. The outcome stands all the same.
        case 'payment-already-recorded':
        case 'idempotency-key-reused': {
          const outcome = await this.queries.outcomeOf({ paymentId });
          if (outcome === null)
            throw new Unavailable(`the ledger has payment ${paymentId}, the read models do not yet`);
          return outcome;
        }
        default:
          throw error;
      }
    }
  }

  /** The order of a payment. A payment that reused another payment's address belongs to that payment's order. */
  private async orderIdOf(payment: GatewayPayment): Promise<OrderId> {
    const own = await this.payments.orderWithInvoice(payment.orderId);
    if (own !== null) return own;
    if (payment.parentPaymentId !== null && payment.parentPaymentId !== payment.paymentId) {
      const parent = await this.gateway.getPayment(payment.parentPaymentId);
      const parentOrderId = await this.payments.orderWithInvoice(parent?.orderId ?? null);
      if (parentOrderId !== null) return parentOrderId;
    }
    return rules.unknownOrderOf(payment.paymentId);
  }

  /** The value of the received coins in US cents: by the invoice's quote, else by the gateway's estimate of now. */
  private async valueOf(payment: GatewayPayment): Promise<number | null> {
    const { status, actuallyPaid, payCurrency, paymentId } = payment;
    if (!rules.isDone(status) || actuallyPaid === NOTHING) return null;
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
}

function outcomeOf({ events }: CommandResult): LedgerOutcome {
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
      throw new Error(`${event?.type} is not an outcome of a payment`);
  }
}

function settledEvent(orderId: OrderId, paymentId: GatewayPaymentId, ledgerOutcome: LedgerOutcome): PaymentEvent {
  const { outcome, depositId, purchaseId, reason } = ledgerOutcome;
  if (reason !== null && depositId !== null)
    return { type: 'PaymentParked', data: { orderId, paymentId, depositId, reason } };
  if (outcome === 'pending' || outcome === 'rejected')
    throw new Error(`payment ${paymentId} has the outcome ${outcome}, but no reason`);
  return { type: 'PaymentSettled', data: { orderId, paymentId, outcome, depositId, purchaseId } };
}
