import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { DepositId, GatewayPaymentId } from '../../contracts/ids.js';
import { DEPOSIT_FEE_PERCENT, DEPOSITOR_STATUS_MS } from '../../contracts/limits.js';
import { cents, faultsOf } from '../replay/finding.js';

const WRONG_STATUS = 'gives a depositor status that is not of 30 days from now';

/** Checks that each gateway payment is recorded and credited once, as recorded, with the fee and 30 days (decisions 8, 27 to 29). */
export class Deposits {
  readonly payments = new Set<GatewayPaymentId>();
  /** Recorded deposits that wait for a person. */
  readonly pending = new Map<DepositId, LedgerEvents['DepositRecorded']>();
  private readonly ids = new Set<DepositId>();

  take({ type, data }: LedgerEvent, at: number, actor: Actor): string[] {
    switch (type) {
      case 'DepositRecorded': {
        const faults = [...this.takePayment(data.paymentId), ...this.takeId(data.depositId), ...feeFaults(data)];
        this.pending.set(data.depositId, data);
        return faults;
      }
      case 'DepositApproved': {
        const dueUntil = data.purpose === 'deposit' ? at + DEPOSITOR_STATUS_MS : null;
        return [...this.approve(data, actor), ...faultsOf([[data.depositorUntilEpochMs !== dueUntil, WRONG_STATUS]])];
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
        return faultsOf([[!isRight, WRONG_STATUS]]);
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

type FeeSplit = Pick<LedgerEvents['DepositApproved'], 'purpose' | 'amountCents' | 'feeCents'>;

/** A deposit's total is split into floor(total / 1.05) and the fee; tokens have no fee (decision 28). */
function feeFaults({ purpose, amountCents, feeCents }: FeeSplit): string[] {
  const total = amountCents + feeCents;
  const credited = purpose === 'deposit' ? Math.floor((total * 100) / (100 + DEPOSIT_FEE_PERCENT)) : total;
  return faultsOf([
    [amountCents <= 0, `is of ${cents(amountCents)}`],
    [amountCents !== credited, `credits ${cents(amountCents)} of ${cents(total)}, and ${cents(credited)} are due`],
  ]);
}
