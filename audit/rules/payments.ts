import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { PaymentEvent, PaymentEvents } from '../../contracts/events/payment-events.js';
import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { DepositId, GamerId, GatewayPaymentId, OrderId, PurchaseId, RoundId } from '../../contracts/ids.js';
import type { Cents } from '../../contracts/money.js';
import { type FaultReporter, type Finding, formatCents } from '../replay/finding.js';

/** The ledger's first event of a payment. */
interface Effect {
  revision: number;
  type: 'TokenPurchased' | 'InvoiceCredited' | 'DepositApproved' | 'DepositRecorded';
  gamerId: GamerId | null;
  /** Includes the fee. */
  totalCents: Cents;
  feeCents: Cents;
  quantity: number | null;
  depositId: DepositId | null;
  purchaseId: PurchaseId | null;
  reason: LedgerEvents['DepositRecorded']['reason'] | null;
  /** The round that tokens were bought in, or that was still open for them. */
  roundId: RoundId | null;
}

interface Report {
  orderId: OrderId;
  /** All values that the gateway reported. */
  values: Set<Cents>;
}

type PaymentOutcome = PaymentEvents['PaymentSettled'] | PaymentEvents['PaymentParked'];

export type OpenRound = { roundId: RoundId; tokenPriceCents: Cents };

const NONE = { depositId: null, purchaseId: null, reason: null, quantity: null, feeCents: 0, roundId: null };

/** Compares the ledger's payments with their streams: gamer, amount, fee, tokens, value (decisions 27 to 29). */
export class Payments {
  private readonly effects = new Map<GatewayPaymentId, Effect>();
  private readonly invoices = new Map<OrderId, PaymentEvents['PaymentOpened']>();
  private readonly reports = new Map<GatewayPaymentId, Report>();
  private readonly outcomes: { position: bigint; outcome: PaymentOutcome }[] = [];
  private lastPosition = '-1';

  get count(): number {
    return this.effects.size;
  }

  /** Takes the next event of the ledger. @param open the round in which tokens could be bought then */
  takeLedger({ revision, position, event }: RecordedLedgerEvent, open: OpenRound | null): void {
    this.lastPosition = position;
    const { type, data } = event;
    const add = (
      paymentId: GatewayPaymentId,
      effect: Omit<Effect, 'revision' | keyof typeof NONE> & Partial<Effect>,
    ) => {
      if (!this.effects.has(paymentId)) this.effects.set(paymentId, { ...NONE, ...effect, revision });
    };
    switch (type) {
      case 'TokenPurchased': {
        const { paymentId, buyerId: gamerId, costCents: totalCents, quantity, purchaseId, roundId } = data;
        if (paymentId !== null) add(paymentId, { type, gamerId, totalCents, quantity, purchaseId, roundId });
        return;
      }
      case 'InvoiceCredited': {
        const { paymentId, gamerId, amountCents: totalCents, quantity } = data;
        const isPriceOf = open !== null && totalCents === quantity * open.tokenPriceCents;
        add(paymentId, { type, gamerId, totalCents, quantity, roundId: isPriceOf ? open.roundId : null });
        return;
      }
      case 'DepositApproved':
      case 'DepositRecorded': {
        const { paymentId, gamerId, amountCents, feeCents, depositId } = data;
        const reason = type === 'DepositRecorded' ? data.reason : null;
        add(paymentId, { type, gamerId, totalCents: amountCents + feeCents, feeCents, depositId, reason });
      }
    }
  }

  takePayment(recorded: Recorded): void {
    const { type, data } = recorded.event as PaymentEvent;
    switch (type) {
      case 'PaymentOpened':
        this.invoices.set(data.orderId, data);
        return;
      case 'PaymentReported': {
        const report = this.reports.get(data.paymentId) ?? { orderId: data.orderId, values: new Set() };
        if (data.valueCents !== null) report.values.add(data.valueCents);
        this.reports.set(data.paymentId, report);
        return;
      }
      case 'PaymentSettled':
      case 'PaymentParked':
        this.outcomes.push({ position: BigInt(recorded.position), outcome: data });
    }
  }

  findings(): Finding[] {
    const findings: Finding[] = [];
    for (const [paymentId, effect] of this.effects) {
      const { revision, type } = effect;
      this.checkEffect(paymentId, effect, (message) => findings.push({ revision, message: `${type} ${message}` }));
    }
    const end = BigInt(this.lastPosition);
    // The ledger was read first, so it lacks settlements since then.
    for (const { position, outcome } of this.outcomes)
      if (position <= end) this.checkOutcome(outcome, (message) => findings.push({ revision: null, message }));
    return findings;
  }

  private checkEffect(paymentId: GatewayPaymentId, effect: Effect, fault: FaultReporter) {
    const report = this.reports.get(paymentId);
    if (report === undefined) return fault(`is of payment ${paymentId}, which is in no payment stream`);
    const invoice = this.invoices.get(report.orderId);
    const invoicedCents = invoice && invoice.amountCents + invoice.feeCents;
    const { type, gamerId, totalCents, feeCents, quantity, roundId, reason } = effect;
    if (type === 'DepositRecorded') {
      const isOfInvoice = (reason === 'no-gamer' || reason === 'over-limit') && totalCents === invoicedCents;
      if (!isOfInvoice && !report.values.has(totalCents))
        fault(`records ${formatCents(totalCents)}, which the gateway did not report`);
      if (gamerId !== null && gamerId !== invoice?.gamerId)
        fault(`records payment ${paymentId} for ${gamerId}, who did not order it`);
      return;
    }
    if (invoice === undefined) return fault(`credits payment ${paymentId}, which has no invoice`);
    if (gamerId !== invoice.gamerId) fault(`credits ${gamerId} for an invoice of ${invoice.gamerId}`);
    if ((type === 'DepositApproved') !== (invoice.purpose === 'deposit'))
      fault(`is of an invoice for ${invoice.purpose}`);
    if (totalCents !== invoicedCents || feeCents !== invoice.feeCents || quantity !== invoice.quantity)
      fault(
        `credits ${formatCents(totalCents)} for ${quantity ?? 'no'} tokens, and its invoice is of ${formatCents(invoicedCents ?? 0)} for ${invoice.quantity ?? 'no'}`,
      );
    if (![...report.values].some((value) => value >= totalCents))
      fault(`credits ${formatCents(totalCents)}, and the gateway did not report so much`);
    if (type === 'TokenPurchased' && roundId !== invoice.roundId)
      fault(`buys in round ${roundId} by an invoice of round ${invoice.roundId}`);
    if (type === 'InvoiceCredited' && roundId === invoice.roundId)
      fault(`credits an invoice of round ${roundId}, in which its tokens could be bought`);
  }

  private checkOutcome(outcome: PaymentOutcome, fault: FaultReporter) {
    const { orderId, paymentId } = outcome;
    const effect = this.effects.get(paymentId);
    const payment = `payment-${orderId}: payment ${paymentId}`;
    if (effect === undefined) return fault(`${payment} was settled, but the ledger does not know it`);
    const isSame =
      'reason' in outcome
        ? effect.type === 'DepositRecorded' && effect.depositId === outcome.depositId
        : effect.purchaseId === outcome.purchaseId &&
          (outcome.outcome === 'tokens') === (effect.type === 'TokenPurchased');
    if (!isSame) fault(`${payment} was settled in another way than the ledger's ${effect.type}`);
  }
}
