import { Injectable } from '@nestjs/common';
import { EntityManager, type FindOptionsWhere, In, MoreThan } from 'typeorm';
import { isCryptoType } from '../../../../contracts/crypto.js';
import { DAY_MS } from '../../../../contracts/durations.js';
import type { PaymentStatus } from '../../../../contracts/events/payment-events.js';
import type * as http from '../../../../contracts/http/deposits.js';
import type { PaymentInReview, PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import type { DepositId, GamerId, GatewayPaymentId, OrderId } from '../../../../contracts/ids.js';
import { DepositRow, InvoiceRow, PaymentRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import { ReadCheckpoint } from '../../http/read-checkpoint.queries.js';
import { mustBeOwnOrAdmin, type SessionGamer } from '../../http/session.js';
import { Ledger } from '../../ledger/ledger.js';
import { Refused } from '../../platform/failures.js';
import { PersonalTexts } from '../../platform/personal-texts.store.js';
import { GamerTags, type TagOf } from '../gamers/gamers.queries.js';
import * as descriptions from './payment-descriptions.js';
import { POLLED_FOR_MS } from './payment-polls.store.js';

/** Money has arrived or is on its way. */
const CONFIRMING: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(['arriving', 'paid', 'short', 'over']);
const CREDITS = ['approved', 'tokens', 'balance'] as const;
const PARKED = ['pending', 'rejected'] as const;
const OPEN_INVOICES_SHOWN = 10;
const EXPIRED_SHOWN_MS = DAY_MS;
const REJECTED_SHOWN_MS = 14 * DAY_MS;

/** The gamers' invoices, and the admin's lists of gateway payments, each with its gamer and its changes since the verdict. */
@Injectable()
export class PaymentsQueries {
  constructor(
    private readonly tables: EntityManager,
    private readonly tags: GamerTags,
    private readonly texts: PersonalTexts,
    private readonly ledger: Ledger,
    private readonly checkpoint: ReadCheckpoint,
  ) {}

  async status(orderId: OrderId, session: SessionGamer): Promise<PaymentStatusResponse> {
    const order = await this.tables.findOneBy(InvoiceRow, { orderId });
    if (order?.gamerId === undefined || order.gamerId === null) throw new Refused('payment-not-found');
    mustBeOwnOrAdmin(session, order.gamerId);
    return statusOf(order, await this.tables.findBy(PaymentRow, { orderId }));
  }

  /** True while money may still arrive for an invoice of the gamer: it is neither paid nor expired, and still polled. */
  hasOpenInvoice(gamerId: GamerId, nowMs: number): Promise<boolean> {
    return this.openInvoices(gamerId, nowMs).getExists();
  }

  /** The newest open invoices as `hasOpenInvoice` counts them, and those that expired in the last day, each with its status. */
  async openInvoiceStatuses(gamerId: GamerId, nowMs: number): Promise<PaymentStatusResponse[]> {
    const listed = this.openInvoices(gamerId, nowMs, nowMs - EXPIRED_SHOWN_MS);
    const newest = listed.orderBy('invoice.openedAtMs', 'DESC').take(OPEN_INVOICES_SHOWN);
    const invoices = await newest.getMany();
    const payments = await this.tables.findBy(PaymentRow, { orderId: In(invoices.map(({ orderId }) => orderId)) });
    return invoices.map((invoice) => statusOf(invoice, payments));
  }

  private openInvoices(gamerId: GamerId, nowMs: number, expiredFromMs = nowMs) {
    return this.tables
      .createQueryBuilder(InvoiceRow, 'invoice')
      .where('invoice.gamerId = :gamerId', { gamerId })
      .andWhere('(NOT invoice.isExpired OR invoice.changedAtMs > :expiredFromMs)', { expiredFromMs })
      .andWhere('invoice.changedAtMs > :polledFromMs', { polledFromMs: nowMs - POLLED_FOR_MS })
      .andWhere(
        `NOT EXISTS (SELECT FROM read.payments paid WHERE paid.order_id = invoice.order_id AND paid.outcome <> 'open')`,
      );
  }

  /** The gamer's payments that wait for the admin or were rejected lately: their money is in no balance. */
  async inReview(gamerId: GamerId, nowMs: number, page: Page): Promise<PaymentInReview[]> {
    const rejected = { gamerId, outcome: 'rejected', settledAtMs: MoreThan(nowMs - REJECTED_SHOWN_MS) } as const;
    const deposits = await this.deposits([{ gamerId, outcome: 'pending' }, rejected], 'deposit.createdAtMs', page);
    return (await this.texts.decrypt(deposits)).map((deposit) => {
      const { paymentId, amountCents, payment, invoice } = deposit;
      const waits = payment?.status === 'refunded' ? 'refunded' : 'review';
      const state = deposit.outcome === 'rejected' ? 'rejected' : waits;
      return {
        paymentId,
        orderId: payment?.orderId ?? null,
        amountCents,
        dueCents: invoice?.amountCents ?? null,
        cryptoType: required(deposit.cryptoType, deposit),
        state,
        message: descriptions.describeWaiting(state, deposit),
      };
    });
  }

  /** The payment as the gateway last reported it; null for an unknown one. */
  reported(paymentId: GatewayPaymentId): Promise<PaymentRow | null> {
    return this.tables.findOneBy(PaymentRow, { paymentId });
  }

  /** The ledger's outcome of a payment; null without one. Throws Unavailable when the read models stay behind the ledger. */
  async outcomeOf(deposit: { paymentId: GatewayPaymentId } | { depositId: DepositId }): Promise<PaymentOutcome | null> {
    await this.checkpoint.mustReach(this.ledger.committed.position, ['deposits']);
    return this.tables.findOneBy(DepositRow, deposit);
  }

  pending(page: Page): Promise<http.PendingDeposit[]> {
    return this.list({ outcome: 'pending' }, 'deposit.createdAtMs', page, parkedDeposit);
  }

  approved(page: Page): Promise<http.ApprovedDeposit[]> {
    return this.list({ outcome: 'approved' }, 'deposit.settledAtMs', page, (row, tagOf) => ({
      ...depositOf(row, tagOf),
      // A payment that needed no review has no reason.
      settledBy: row.reason && tagOf(row.settledBy ?? ''),
      approvedAt: required(row.settledAtMs, row),
    }));
  }

  rejected(page: Page): Promise<http.RejectedDeposit[]> {
    return this.list({ outcome: 'rejected' }, 'deposit.settledAtMs', page, (row, tagOf) => ({
      ...parkedDeposit(row, tagOf),
      settledBy: row.settledBy && tagOf(row.settledBy),
      rejectedAtMs: required(row.settledAtMs, row),
    }));
  }

  changed(page: Page): Promise<http.ChangedPayment[]> {
    const isChanged = "payment.changedAtMs IS NOT NULL AND payment.outcome <> 'open'";
    return this.list(isChanged, 'payment.changedAtMs', page, changedPayment);
  }

  private async list<T>(
    where: DepositsWhere,
    orderBy: string,
    page: Page,
    itemOf: (deposit: Deposit, tagOf: TagOf) => T,
  ): Promise<T[]> {
    const deposits = await this.deposits(where, orderBy, page);
    const tagOf = await this.tags.of(deposits.flatMap(({ gamerId, settledBy }) => [gamerId ?? '', settledBy ?? '']));
    return deposits.map((deposit) => itemOf(deposit, tagOf));
  }

  /** Newest first. @param orderBy a column of the deposit, or of its payment */
  private deposits(where: DepositsWhere, orderBy: string, page: Page) {
    const { skip, take } = skipTakeOf(page);
    const deposits = this.tables
      .createQueryBuilder(DepositRow, 'deposit')
      .leftJoinAndMapOne('deposit.payment', PaymentRow, 'payment', 'payment.paymentId = deposit.paymentId')
      .leftJoinAndMapOne('deposit.invoice', InvoiceRow, 'invoice', 'invoice.orderId = payment.orderId')
      .where(where)
      .orderBy(orderBy, 'DESC')
      .addOrderBy('deposit.paymentId');
    return deposits.offset(skip).limit(take).getMany() as Promise<Deposit[]>;
  }
}

/** The invoice's status after its best payment: credited, else in review, else rejected, else on its way. */
function statusOf(order: InvoiceRow, ofOrders: readonly PaymentRow[]): PaymentStatusResponse {
  const { orderId, quantity } = order;
  const payments = ofOrders.filter((payment) => payment.orderId === orderId);
  const response = { orderId, purpose: order.purpose ?? ('deposit' as const), credited: null, message: null };
  const credited = CREDITS.find((credit) => payments.some(({ outcome }) => outcome === credit)) ?? null;
  const outcome = credited ?? PARKED.find((parked) => payments.some((payment) => payment.outcome === parked));
  if (outcome) {
    const best = payments.find((payment) => payment.outcome === outcome);
    const { creditedCents = null, reason = null } = best ?? {};
    if (outcome === 'pending' && best?.status === 'refunded')
      return { ...response, status: 'rejected', message: descriptions.REFUNDED_TEXT };
    const message = descriptions.describeOutcome({ outcome, creditedCents, quantity, reason });
    const parkedAs = outcome === 'pending' ? 'review' : 'rejected';
    return { ...response, status: credited === null ? parkedAs : 'settled', credited, message };
  }
  // A payment of an expired order can get a verdict only while it is arriving: the others are worth nothing.
  const isConfirming = ({ status }: PaymentRow): boolean =>
    order.isExpired ? status === 'arriving' : CONFIRMING.has(status);
  if (payments.some(isConfirming)) return { ...response, status: 'confirming' };
  if (!order.isExpired) return { ...response, status: 'waiting' };
  if (payments.some(({ status }) => status === 'failed')) return { ...response, status: 'failed' };
  return { ...response, status: 'expired', message: descriptions.EXPIRED_TEXT };
}

type DepositsWhere = FindOptionsWhere<DepositRow> | FindOptionsWhere<DepositRow>[] | string;

/** A recorded payment, as the gateway last reported it, and its invoice; null for a payment of none of our invoices. */
type Deposit = DepositRow & { payment: PaymentRow | null; invoice: InvoiceRow | null };

const depositOf = (deposit: Deposit, tagOf: TagOf) => ({
  id: required(deposit.depositId, deposit),
  paymentId: deposit.paymentId,
  gamerId: deposit.gamerId,
  gamerTag: deposit.gamerId === null ? null : tagOf(deposit.gamerId),
  amountCents: deposit.amountCents,
  cryptoType: required(deposit.cryptoType, deposit),
  createdAt: deposit.createdAtMs,
  change: recordedChange(deposit.payment),
});

const parkedDeposit = (deposit: Deposit, tagOf: TagOf): http.PendingDeposit => ({
  ...depositOf(deposit, tagOf),
  purpose: deposit.purpose,
  dueCents: deposit.invoice?.amountCents ?? null,
  reason: descriptions.describeReviewReason(required(deposit.reason, deposit)),
});

function required<T>(value: T | null, { paymentId }: DepositRow): T {
  if (value === null) throw new Error(`the deposit of payment ${paymentId} lacks a field that every deposit has`);
  return value;
}

function changedPayment(deposit: Deposit, tagOf: TagOf): http.ChangedPayment {
  const { paymentId, gamerId, purpose, cryptoType, payment } = deposit;
  const { outcome, creditedCents, changedAtMs, payCurrency } = required(payment, deposit);
  const coin = payCurrency.toUpperCase();
  if (outcome === 'open') throw new Error(`payment ${paymentId} has no verdict`);
  return {
    paymentId,
    gamerId,
    gamerTag: gamerId === null ? null : tagOf(gamerId),
    purpose,
    outcome,
    creditedCents,
    cryptoType: cryptoType ?? (isCryptoType(coin) ? coin : null),
    change: required(recordedChange(payment), deposit),
    changedAtMs: required(changedAtMs, deposit),
  };
}

/** The change at the gateway since the verdict, as a sentence; null without one. */
export function recordedChange(row: PaymentRow | null): string | null {
  if (!row || row.changedAtMs === null) return null;
  const { gatewayStatus, actuallyPaid, payCurrency, verdictStatus, verdictPaid } = row;
  const before = { gatewayStatus: verdictStatus ?? gatewayStatus, actuallyPaid: verdictPaid ?? actuallyPaid };
  return descriptions.describePaymentChange({ gatewayStatus, actuallyPaid, payCurrency, before });
}

export type PaymentOutcome = Omit<DepositRow, 'purpose' | 'adminNotes' | 'settledBy' | 'createdAtMs' | 'settledAtMs'>;
