import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { DepositId, GamerId, GatewayPaymentId } from '../../contracts/ids.js';
import { DEPOSIT_FEE_PERCENT, DEPOSITOR_STATUS_MS } from '../../contracts/limits.js';
import type { Cents } from '../../contracts/money.js';
import { cents, faultsOf } from '../replay/finding.js';

/** Checks that each gateway payment is recorded and credited once, as recorded, with the fee and 30 days (decisions 8, 27 to 29). */
export class Deposits {
  private readonly payments = new Set<GatewayPaymentId>();
  private readonly ids = new Set<DepositId>();
  private readonly pending = new Map<DepositId, LedgerEvents['DepositRecorded']>();

  get paymentCount(): number {
    return this.payments.size;
  }

  get pendingCount(): number {
    return this.pending.size;
  }

  hasPayment(paymentId: GatewayPaymentId): boolean {
    return this.payments.has(paymentId);
  }

  /** The record of a deposit that is pending; undefined without one. */
  pendingOf(depositId: DepositId): LedgerEvents['DepositRecorded'] | undefined {
    return this.pending.get(depositId);
  }

  /** The recorded gamer of a deposit that is pending; null without one. */
  gamerOf(depositId: DepositId): GamerId | null {
    return this.pending.get(depositId)?.gamerId ?? null;
  }

  /** Folds an event and returns its faults. */
  take({ type, data }: LedgerEvent, at: number, actor: Actor): string[] {
    switch (type) {
      case 'DepositRecorded': {
        const faults = [...this.takePayment(data.paymentId), ...this.takeId(data.depositId), ...feeFaults(data)];
        this.pending.set(data.depositId, data);
        return faults;
      }
      case 'DepositApproved': {
        const untilFault =
          data.depositorUntilEpochMs !== (data.purpose === 'deposit' ? at + DEPOSITOR_STATUS_MS : null);
        const faults = this.approve(data, actor);
        return untilFault ? [...faults, 'gives a depositor status that is not of 30 days from now'] : faults;
      }
      case 'DepositRejected': {
        const recorded = this.pending.get(data.depositId);
        this.pending.delete(data.depositId);
        return faultsOf([[recorded?.paymentId !== data.paymentId, 'rejects a deposit that is not waiting']]);
      }
      case 'InvoiceCredited':
        return this.takePayment(data.paymentId);
      case 'TokenPurchased': {
        const { source, paymentId } = data;
        const fault = faultsOf([
          [(source === 'invoice') !== (paymentId !== undefined), 'is paid by no payment, or by two'],
        ]);
        return paymentId === undefined ? fault : [...fault, ...this.takePayment(paymentId)];
      }
      case 'DepositorStatusSet': {
        const { untilEpochMs } = data;
        const isRight = untilEpochMs === null || untilEpochMs === at + DEPOSITOR_STATUS_MS;
        return faultsOf([[!isRight, 'gives a depositor status that is not of 30 days from now']]);
      }
      default:
        return [];
    }
  }

  /** A deposit without a record was paid in full, and the system credited it; the admin approves a recorded one. */
  private approve(approved: LedgerEvents['DepositApproved'], { role }: Actor): string[] {
    const recorded = this.pending.get(approved.depositId);
    if (recorded === undefined) {
      return [
        ...this.takePayment(approved.paymentId),
        ...this.takeId(approved.depositId),
        ...feeFaults(approved),
        ...faultsOf([
          [role !== 'system', 'approves a deposit that was never recorded'],
          [approved.purpose !== 'deposit', 'credits a token invoice as a deposit without a record'],
        ]),
      ];
    }
    this.pending.delete(approved.depositId);
    const { paymentId, purpose, amountCents, feeCents, cryptoType, gamerId } = recorded;
    const isReassigned = gamerId !== null && approved.gamerId !== gamerId;
    const lacksReason = isReassigned && !approved.reassignmentReason;
    return faultsOf([
      [lacksReason, `credits ${approved.gamerId} with a payment of ${gamerId}, without a reason`],
      [role === 'system', 'approves a recorded deposit without a person'],
      [
        approved.paymentId !== paymentId || approved.purpose !== purpose,
        'approves another payment than the recorded one',
      ],
      [approved.cryptoType !== cryptoType, `approves ${approved.cryptoType}, and ${cryptoType} was recorded`],
      [
        approved.amountCents !== amountCents || approved.feeCents !== feeCents,
        `approves ${cents(approved.amountCents)} and a fee of ${cents(approved.feeCents)}, and ${cents(amountCents)} and ${cents(feeCents)} were recorded`,
      ],
    ]);
  }

  private takePayment(paymentId: GatewayPaymentId): string[] {
    if (this.payments.has(paymentId)) return [`payment ${paymentId} was recorded before`];
    this.payments.add(paymentId);
    return [];
  }

  private takeId(depositId: DepositId): string[] {
    if (this.ids.has(depositId)) return [`deposit ${depositId} was recorded before`];
    this.ids.add(depositId);
    return [];
  }
}

/** A deposit's total is split into floor(total / 1.05) and the fee; tokens have no fee (decision 28). */
function feeFaults({
  purpose,
  amountCents,
  feeCents,
}: {
  purpose: string;
  amountCents: Cents;
  feeCents: Cents;
}): string[] {
  const total = amountCents + feeCents;
  const credited = purpose === 'deposit' ? Math.floor((total * 100) / (100 + DEPOSIT_FEE_PERCENT)) : total;
  return faultsOf([
    [amountCents <= 0, `is of ${cents(amountCents)}`],
    [amountCents !== credited, `credits ${cents(amountCents)} of ${cents(total)}, and ${cents(credited)} are due`],
  ]);
}
