import type { LedgerEvent } from '../contracts/events/ledger-events.js';

/** Checks that every gateway payment is credited at most once, and every withdrawal completed or returned at most once. */
export class Settlements {
  private readonly settled = new Set<string>();
  private readonly reserved = new Map<string, number>();

  /** Folds an event and returns its faults. */
  take(event: LedgerEvent): string[] {
    switch (event.type) {
      case 'DepositApproved':
      case 'DepositRejected':
      case 'InvoiceCredited':
        return this.settle(`payment ${event.data.paymentId}`);
      case 'TokenPurchased':
        return event.data.paymentId === undefined ? [] : this.settle(`payment ${event.data.paymentId}`);
      case 'WithdrawalRequested':
      case 'ProfitWithdrawalRequested':
        this.reserved.set(event.data.withdrawalId, event.data.amountCents);
        return [];
      case 'WithdrawalCompleted':
      case 'WithdrawalReturned':
      case 'ProfitWithdrawalCompleted':
      case 'ProfitWithdrawalReturned': {
        const { withdrawalId, amountCents } = event.data;
        const faults = this.settle(`withdrawal ${withdrawalId}`);
        if (this.reserved.get(withdrawalId) !== amountCents)
          faults.push(`withdrawal ${withdrawalId} was of another amount`);
        return faults;
      }
      default:
        return [];
    }
  }

  private settle(what: string): string[] {
    if (this.settled.has(what)) return [`${what} was settled before`];
    this.settled.add(what);
    return [];
  }
}
