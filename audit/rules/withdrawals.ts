import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { GamerId, WithdrawalId } from '../../contracts/ids.js';
import { MIN_WITHDRAWAL_CENTS } from '../../contracts/limits.js';
import type { Cents } from '../../contracts/money.js';
import { cents, faultsOf } from '../replay/finding.js';

/** A withdrawal that is neither completed nor returned, with the names of the nodes' state. */
interface OpenWithdrawal extends Omit<LedgerEvents['ProfitWithdrawalRequested'], 'withdrawalId'> {
  /** Null for the operator. */
  gamerId: GamerId | null;
  status: 'pending' | 'processing';
}

/** Checks that a withdrawal is of $10.00 at least, is settled once, as requested, and cancelled only while it is pending (decision 12). */
export class Withdrawals {
  private readonly known = new Set<WithdrawalId>();
  readonly open = new Map<WithdrawalId, OpenWithdrawal>();
  /** True from a loss of history until the gateway was asked. */
  areHeld = false;
  /** The gateway's payouts that were settled. */
  readonly settledPayouts: string[] = [];

  take(event: LedgerEvent, actor: Actor): string[] {
    return [...this.waitFaults(event), ...this.fold(event, actor)];
  }

  /** After a loss nothing is paid or given back until the gateway was asked, but for what was paid before. */
  private waitFaults({ type, data }: LedgerEvent): string[] {
    const { areHeld: isHeld } = this;
    switch (type) {
      case 'WithdrawalCompleted':
      case 'ProfitWithdrawalCompleted':
        return isHeld && data.txid === null ? ['completes a payout before the gateway was asked'] : [];
      case 'WithdrawalProcessing':
      case 'WithdrawalReturned':
      case 'ProfitWithdrawalReturned':
        return isHeld ? ['changes a payout before the gateway was asked'] : [];
      case 'PayoutSettled':
      case 'PayoutsReleased':
        return isHeld ? [] : ['is about a loss, and there was none'];
      default:
        return [];
    }
  }

  private fold({ type, data }: LedgerEvent, actor: Actor): string[] {
    switch (type) {
      case 'HistoryLost':
        this.areHeld = true;
        return [];
      case 'PayoutSettled':
        this.settledPayouts.push(data.payoutId);
        return [];
      case 'PayoutsReleased':
        this.areHeld = false;
        return [];
      case 'WithdrawalRequested':
        return this.request(data, data.gamerId);
      case 'ProfitWithdrawalRequested':
        return this.request(data, null);
      case 'WithdrawalProcessing': {
        const open = this.open.get(data.withdrawalId);
        if (open) open.status = 'processing';
        return this.ownerFaults(data.withdrawalId, data.gamerId);
      }
      case 'WithdrawalCompleted':
        return this.settle(data.withdrawalId, data.gamerId, data.amountCents);
      case 'WithdrawalReturned':
        return [
          ...(actor.id === data.gamerId ? this.cancelFaults(data) : []),
          ...this.settle(data.withdrawalId, data.gamerId, data.amountCents),
        ];
      case 'ProfitWithdrawalCompleted':
      case 'ProfitWithdrawalReturned':
        return this.settle(data.withdrawalId, null, data.amountCents);
      default:
        return [];
    }
  }

  isPendingFor(gamerId: GamerId): boolean {
    return [...this.open.values()].some((open) => open.gamerId === gamerId);
  }

  private request(requested: LedgerEvents['ProfitWithdrawalRequested'], gamerId: GamerId | null): string[] {
    const { withdrawalId, ...request } = requested;
    const { amountCents } = request;
    const isKnown = this.known.has(withdrawalId);
    const isTooSmall = amountCents < MIN_WITHDRAWAL_CENTS;
    this.known.add(withdrawalId);
    this.open.set(withdrawalId, { ...request, gamerId, status: 'pending' });
    return faultsOf([
      [isKnown, `withdrawal ${withdrawalId} was requested before`],
      [isTooSmall, `is of ${cents(amountCents)}, and ${cents(MIN_WITHDRAWAL_CENTS)} is the least`],
    ]);
  }

  private cancelFaults({ withdrawalId, adminNotes, txid }: LedgerEvents['WithdrawalReturned']): string[] {
    return faultsOf([
      [this.open.get(withdrawalId)?.status === 'processing', 'was cancelled by its gamer while it was processed'],
      [adminNotes !== null || txid !== null, 'was cancelled by its gamer but has admin notes or a transaction id'],
    ]);
  }

  private settle(withdrawalId: WithdrawalId, owner: GamerId | null, amountCents: Cents): string[] {
    const faults = this.ownerFaults(withdrawalId, owner);
    const requestedCents = this.open.get(withdrawalId)?.amountCents ?? amountCents;
    this.open.delete(withdrawalId);
    if (requestedCents !== amountCents)
      faults.push(`is of ${cents(amountCents)}, and ${cents(requestedCents)} were requested`);
    return faults;
  }

  private ownerFaults(withdrawalId: WithdrawalId, owner: GamerId | null): string[] {
    const requested = this.open.get(withdrawalId);
    if (requested === undefined) return [`withdrawal ${withdrawalId} is not open`];
    const nameOf = (one: GamerId | null): string => one ?? 'the operator';
    if (requested.gamerId === owner) return [];
    return [`is for ${nameOf(owner)}, and ${nameOf(requested.gamerId)} requested it`];
  }
}
