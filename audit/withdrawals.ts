import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId, WithdrawalId } from '../contracts/ids.js';
import { MIN_WITHDRAWAL_CENTS } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { cents, faultsOf } from './finding.js';

/** Checks that a withdrawal is of $10.00 at least, and settled once, for its owner, kind and amount (decision 12). */
export class Withdrawals {
  private readonly known = new Set<WithdrawalId>();
  /** Neither completed nor returned. The owner of the operator's own is null. */
  private readonly open = new Map<WithdrawalId, { owner: GamerId | null; amountCents: Cents }>();

  get openCount(): number {
    return this.open.size;
  }

  isOpen(withdrawalId: WithdrawalId, owner: GamerId | null, amountCents: Cents): boolean {
    const open = this.open.get(withdrawalId);
    return open?.owner === owner && open.amountCents === amountCents;
  }

  /** Folds an event and returns its faults. */
  take({ type, data }: LedgerEvent): string[] {
    switch (type) {
      case 'WithdrawalRequested':
        return this.request(data.withdrawalId, data.gamerId, data.amountCents);
      case 'ProfitWithdrawalRequested':
        return this.request(data.withdrawalId, null, data.amountCents);
      case 'WithdrawalProcessing':
        return this.ownerFaults(data.withdrawalId, data.gamerId);
      case 'WithdrawalCompleted':
      case 'WithdrawalReturned':
        return this.settle(data.withdrawalId, data.gamerId, data.amountCents);
      case 'ProfitWithdrawalCompleted':
      case 'ProfitWithdrawalReturned':
        return this.settle(data.withdrawalId, null, data.amountCents);
      default:
        return [];
    }
  }

  isPendingFor(gamerId: GamerId): boolean {
    for (const { owner } of this.open.values()) if (owner === gamerId) return true;
    return false;
  }

  private request(withdrawalId: WithdrawalId, owner: GamerId | null, amountCents: Cents): string[] {
    const isKnown = this.known.has(withdrawalId);
    this.known.add(withdrawalId);
    this.open.set(withdrawalId, { owner, amountCents });
    return faultsOf([
      [isKnown, `withdrawal ${withdrawalId} was requested before`],
      [
        amountCents < MIN_WITHDRAWAL_CENTS,
        `is of ${cents(amountCents)}, and ${cents(MIN_WITHDRAWAL_CENTS)} is the least`,
      ],
    ]);
  }

  private settle(withdrawalId: WithdrawalId, owner: GamerId | null, amountCents: Cents): string[] {
    const requested = this.open.get(withdrawalId);
    const faults = this.ownerFaults(withdrawalId, owner);
    this.open.delete(withdrawalId);
    const isOther = requested !== undefined && requested.amountCents !== amountCents;
    return isOther ? [...faults, `settles ${cents(amountCents)} of ${cents(requested.amountCents)}`] : faults;
  }

  private ownerFaults(withdrawalId: WithdrawalId, owner: GamerId | null): string[] {
    const requested = this.open.get(withdrawalId);
    if (requested === undefined) return [`withdrawal ${withdrawalId} is not open`];
    const nameOf = (one: GamerId | null): string => one ?? 'the operator';
    return faultsOf([
      [requested.owner !== owner, `is for ${nameOf(owner)}, and ${nameOf(requested.owner)} requested it`],
    ]);
  }
}
