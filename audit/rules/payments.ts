import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { PaymentEvent, PaymentEvents } from '../../contracts/events/payment-events.js';
import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { DepositId, GamerId, GatewayPaymentId, OrderId, PurchaseId, RoundId } from '../../contracts/ids.js';
import type { Cents } from '../../contracts/money.js';
import { cents, type Finding, faultsOf } from '../replay/finding.js';

/** The ledger's first event of a payment. */
interface Effect {
  revision: number;
  type: 'TokenPurchased' | 'InvoiceCredited' | 'DepositApproved' | 'DepositRecorded';
  gamerId: GamerId | null;
  /** With the fee. */
  totalCents: Cents;
  feeCents: Cents;
  /** Null for a deposit. */
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

type Settled = PaymentEvents['PaymentSettled'] | PaymentEvents['PaymentParked'];

/** The round in which tokens could be bought at an event, with its price. */
export interface OpenRound {
  roundId: RoundId;
  tokenPriceCents: Cents;
}

const NONE = { depositId: null, purchaseId: null, reason: null, quantity: null, feeCents: 0, roundId: null };

/** Compares the ledger's payments with their streams: gamer, amount, fee, tokens, value (decisions 27 to 29). */
export class Payments {
  private readonly effects = new Map<GatewayPaymentId, Effect>();
  private readonly invoices = new Map<OrderId, PaymentEvents['PaymentOpened']>();
  private readonly reports = new Map<GatewayPaymentId, Report>();
  private readonly outcomes: { position: bigint; settled: Settled }[] = [];
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
        if (paymentId !== undefined) add(paymentId, { type, gamerId, totalCents, quantity, purchaseId, roundId });
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
        this.outcomes.push({ position: BigInt(recorded.position), settled: data });
    }
  }

  findings(): Finding[] {
    const inLedger = [...this.effects].flatMap(([paymentId, effect]) =>
      this.effectFaults(paymentId, effect).map((says) => ({
        revision: effect.revision,
        says: `${effect.type} ${says}`,
      })),
    );
    const end = BigInt(this.lastPosition);
    const inStreams = this.outcomes
      // The ledger was read first: what was settled since then is not in it yet.
      .filter(({ position }) => position <= end)
      .flatMap(({ settled }) => this.outcomeFaults(settled).map((says) => ({ revision: null, says })));
    return [...inLedger, ...inStreams];
  }

  private effectFaults(paymentId: GatewayPaymentId, effect: Effect): string[] {
    const report = this.reports.get(paymentId);
    if (report === undefined) return [`is of payment ${paymentId}, which is in no payment stream`];
    const invoice = this.invoices.get(report.orderId);
    const invoicedCents = invoice && invoice.amountCents + invoice.feeCents;
    const { totalCents, reason } = effect;
    if (effect.type === 'DepositRecorded') {
      const isOfInvoice = (reason === 'no-gamer' || reason === 'over-limit') && totalCents === invoicedCents;
      const isForOther = effect.gamerId !== null && effect.gamerId !== invoice?.gamerId;
      return faultsOf([
        [
          !isOfInvoice && !report.values.has(totalCents),
          `records ${cents(totalCents)}, which the gateway did not report`,
        ],
        [isForOther, `records payment ${paymentId} for ${effect.gamerId}, who did not order it`],
      ]);
    }
    if (invoice === undefined) return [`credits payment ${paymentId}, which has no invoice`];
    const isDeposit = effect.type === 'DepositApproved';
    return faultsOf([
      [effect.gamerId !== invoice.gamerId, `credits ${effect.gamerId} for an invoice of ${invoice.gamerId}`],
      [isDeposit !== (invoice.purpose === 'deposit'), `is of an invoice for ${invoice.purpose}`],
      [
        totalCents !== invoicedCents || effect.feeCents !== invoice.feeCents || effect.quantity !== invoice.quantity,
        `credits ${cents(totalCents)} for ${effect.quantity ?? 'no'} tokens, and its invoice is of ${cents(invoicedCents ?? 0)} for ${invoice.quantity ?? 'no'}`,
      ],
      [
        ![...report.values].some((value) => value >= totalCents),
        `credits ${cents(totalCents)}, and the gateway did not report so much`,
      ],
      [
        effect.type === 'TokenPurchased' && effect.roundId !== invoice.roundId,
        `buys in round ${effect.roundId} by an invoice of round ${invoice.roundId}`,
      ],
      [
        effect.type === 'InvoiceCredited' && effect.roundId !== null && effect.roundId === invoice.roundId,
        `credits an invoice of round ${invoice.roundId}, in which its tokens could be bought`,
      ],
    ]);
  }

  private outcomeFaults(settled: Settled): string[] {
    const { orderId, paymentId } = settled;
    const effect = this.effects.get(paymentId);
    const stream = `payment-${orderId}`;
    if (effect === undefined) return [`${stream}: payment ${paymentId} was settled, but the ledger does not know it`];
    const isSame =
      'reason' in settled
        ? effect.type === 'DepositRecorded' && effect.depositId === settled.depositId
        : effect.purchaseId === settled.purchaseId &&
          (settled.outcome === 'tokens') === (effect.type === 'TokenPurchased');
    return isSame
      ? []
      : [`${stream}: payment ${paymentId} was settled in another way than the ledger's ${effect.type}`];
  }
}
