import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { Actor } from '../contracts/events/metadata.js';
import type { GamerId, WithdrawalId } from '../contracts/ids.js';
import { MIN_WITHDRAWAL_CENTS } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { cents, faultsOf } from './finding.js';

/** A withdrawal that is neither completed nor returned. */
interface OpenWithdrawal {
  /** Null for the operator. */
  owner: GamerId | null;
  amountCents: Cents;
  cryptoType: string;
  walletAddress: string;
  isProcessing: boolean;
}

/**
 * Checks that a withdrawal is of $10.00 at least, and settled once, for its owner, kind and amount (decision 12); and that its gamer
 * cancels it only while it is pending (decision 12).
 */
export class Withdrawals {
  private readonly known = new Set<WithdrawalId>();
  private readonly open = new Map<WithdrawalId, OpenWithdrawal>();

  get openCount(): number {
    return this.open.size;
  }

  /** An open withdrawal, by the names of the nodes' state; undefined without one. */
  openOf(withdrawalId: WithdrawalId): object | undefined {
    const open = this.open.get(withdrawalId);
    if (open === undefined) return undefined;
    const { owner: gamerId, isProcessing, ...payout } = open;
    return { gamerId, ...payout, status: isProcessing ? 'processing' : 'pending' };
  }

  /** Folds an event and returns its faults. */
  take({ type, data }: LedgerEvent, actor: Actor): string[] {
    switch (type) {
      case 'WithdrawalRequested':
        return this.request(data, data.gamerId);
      case 'ProfitWithdrawalRequested':
        return this.request(data, null);
      case 'WithdrawalProcessing': {
        const open = this.open.get(data.withdrawalId);
        if (open) open.isProcessing = true;
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
    for (const { owner } of this.open.values()) if (owner === gamerId) return true;
    return false;
  }

  private request(
    { withdrawalId, ...payout }: LedgerEvents['ProfitWithdrawalRequested'],
    owner: GamerId | null,
  ): string[] {
    const isKnown = this.known.has(withdrawalId);
    this.known.add(withdrawalId);
    const { amountCents, cryptoType, walletAddress } = payout;
    this.open.set(withdrawalId, { owner, amountCents, cryptoType, walletAddress, isProcessing: false });
    return faultsOf([
      [isKnown, `withdrawal ${withdrawalId} was requested before`],
      [
        amountCents < MIN_WITHDRAWAL_CENTS,
        `is of ${cents(amountCents)}, and ${cents(MIN_WITHDRAWAL_CENTS)} is the least`,
      ],
    ]);
  }

  private cancelFaults({ withdrawalId, adminNotes, txid }: LedgerEvents['WithdrawalReturned']): string[] {
    return faultsOf([
      [this.open.get(withdrawalId)?.isProcessing === true, 'was cancelled by its gamer while it was processed'],
      [adminNotes !== null || txid !== null, 'was cancelled by its gamer but has admin notes or a transaction id'],
    ]);
  }

  private settle(withdrawalId: WithdrawalId, owner: GamerId | null, amountCents: Cents): string[] {
    const faults = this.faultsAgainst(withdrawalId, owner, amountCents);
    this.open.delete(withdrawalId);
    return faults;
  }

  private faultsAgainst(withdrawalId: WithdrawalId, owner: GamerId | null, amountCents: Cents): string[] {
    const requested = this.open.get(withdrawalId);
    const faults = this.ownerFaults(withdrawalId, owner);
    const isOther = requested !== undefined && requested.amountCents !== amountCents;
    return isOther
      ? [...faults, `is of ${cents(amountCents)}, and ${cents(requested.amountCents)} were requested`]
      : faults;
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
