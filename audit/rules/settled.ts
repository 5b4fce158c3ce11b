import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { DepositId, WithdrawalId } from '../../contracts/ids.js';
import { MAX_REMEMBERED_SETTLEMENTS } from '../../contracts/limits.js';

/** The outcomes of the newest settled deposits and withdrawals, which the nodes remember to refuse a second settlement. */
export class Settled {
  private readonly outcomes = new Map<DepositId | WithdrawalId, { of: string; status: string }>();

  get count(): number {
    return this.outcomes.size;
  }

  outcomeOf(id: DepositId | WithdrawalId): object | undefined {
    return this.outcomes.get(id);
  }

  /** Folds an event. @param isRecorded whether a deposit waited for a person before this event */
  take({ type, data }: LedgerEvent, isRecorded: (depositId: DepositId) => boolean): void {
    switch (type) {
      case 'DepositApproved':
        if (isRecorded(data.depositId)) this.add(data.depositId, 'deposit', 'approved');
        break;
      case 'DepositRejected':
        this.add(data.depositId, 'deposit', 'rejected');
        break;
      case 'WithdrawalCompleted':
      case 'WithdrawalReturned':
        this.add(data.withdrawalId, 'winnings', type === 'WithdrawalCompleted' ? 'completed' : 'returned');
        break;
      case 'ProfitWithdrawalCompleted':
      case 'ProfitWithdrawalReturned':
        this.add(data.withdrawalId, 'profit', type === 'ProfitWithdrawalCompleted' ? 'completed' : 'returned');
        break;
    }
  }

  private add(id: DepositId | WithdrawalId, of: string, status: string): void {
    this.outcomes.set(id, { of, status });
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > MAX_REMEMBERED_SETTLEMENTS) this.outcomes.delete(oldest as string);
  }
}
