import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { DepositId, GatewayPaymentId } from '../../contracts/ids.js';
import { DEPOSIT_FEE_PERCENT, DEPOSITOR_STATUS_MS } from '../../contracts/limits.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';

/** Checks that each gateway payment is recorded and credited once, as recorded, with the fee and 30 days (decisions 8, 27 to 29). */
export class Deposits {
  readonly payments = new Set<GatewayPaymentId>();
  /** Recorded deposits that wait for a person. */
  readonly pending = new Map<DepositId, LedgerEvents['DepositRecorded']>();
  private readonly ids = new Set<DepositId>();

  constructor(private readonly fault: FaultReporter) {}

  take({ type, data }: LedgerEvent, atMs: number, actor: Actor) {
    switch (type) {
      case 'DepositRecorded':
        this.record(data);
        this.pending.set(data.depositId, data);
        return;
      case 'DepositApproved':
        this.approve(data, actor);
        return this.checkStatus(data.depositorUntilMs, data.purpose === 'deposit' ? atMs + DEPOSITOR_STATUS_MS : null);
      case 'DepositRejected':
        if (this.pending.get(data.depositId)?.paymentId !== data.paymentId)
          this.fault('rejects a deposit that is not waiting');
        this.pending.delete(data.depositId);
        return;
      case 'InvoiceCredited':
        return this.takePayment(data.paymentId);
      case 'TokenPurchased': {
        const { source, paymentId } = data;
        if ((source === 'invoice') !== (paymentId !== null)) this.fault('is paid by no payment, or by two');
        if (paymentId !== null) this.takePayment(paymentId);
        return;
      }
      case 'DepositorStatusSet':
        this.checkStatus(data.untilMs, data.untilMs === null ? null : atMs + DEPOSITOR_STATUS_MS);
    }
  }

  private record(deposit: LedgerEvents['DepositRecorded'] | LedgerEvents['DepositApproved']): void {
    const { paymentId, depositId } = deposit;
    this.takePayment(paymentId);
    if (this.ids.has(depositId)) this.fault(`deposit ${depositId} was recorded before`);
    this.ids.add(depositId);
    this.checkFee(deposit);
  }

  /** A deposit without a record was paid in full, and the system credited it; the admin approves a recorded one. */
  private approve(approved: LedgerEvents['DepositApproved'], { role }: Actor): void {
    const recorded = this.pending.get(approved.depositId);
    if (recorded === undefined) {
      this.record(approved);
      if (role !== 'system') this.fault('approves a deposit that was never recorded');
      if (approved.purpose !== 'deposit') this.fault('credits a token invoice as a deposit without a record');
      return;
    }
    this.pending.delete(approved.depositId);
    const { paymentId, purpose, amountCents, feeCents, cryptoType, gamerId } = recorded;
    if (gamerId !== null && approved.gamerId !== gamerId && !approved.reassignmentReason)
      this.fault(`credits ${approved.gamerId} with a payment of ${gamerId}, without a reason`);
    if (role === 'system') this.fault('approves a recorded deposit without a person');
    if (approved.paymentId !== paymentId || approved.purpose !== purpose)
      this.fault('approves another payment than the recorded one');
    if (approved.cryptoType !== cryptoType)
      this.fault(`approves ${approved.cryptoType}, and ${cryptoType} was recorded`);
    if (approved.amountCents !== amountCents || approved.feeCents !== feeCents)
      this.fault(
        `approves ${formatCents(approved.amountCents)} and a fee of ${formatCents(approved.feeCents)}, and ${formatCents(amountCents)} and ${formatCents(feeCents)} were recorded`,
      );
  }

  private takePayment(paymentId: GatewayPaymentId): void {
    if (this.payments.has(paymentId)) this.fault(`payment ${paymentId} was recorded before`);
    this.payments.add(paymentId);
  }

  private checkStatus(untilMs: number | null, dueMs: number | null): void {
    if (untilMs !== dueMs) this.fault('gives a depositor status that is not of 30 days from now');
  }

  /** A deposit's total is split into floor(total / 1.05) and the fee; tokens have no fee (decision 28). */
  private checkFee({ purpose, amountCents, feeCents }: FeeSplit): void {
    const total = amountCents + feeCents;
    const credited = purpose === 'deposit' ? Math.floor((total * 100) / (100 + DEPOSIT_FEE_PERCENT)) : total;
    if (amountCents <= 0) this.fault(`is of ${formatCents(amountCents)}`);
    if (amountCents !== credited)
      this.fault(`credits ${formatCents(amountCents)} of ${formatCents(total)}, and ${formatCents(credited)} are due`);
  }
}

type FeeSplit = Pick<LedgerEvents['DepositApproved'], 'purpose' | 'amountCents' | 'feeCents'>;
