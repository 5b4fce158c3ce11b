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
  /** Not paid before then, and only until then stopped by its owner. */
  waitsUntilMs: number | null;
  /** Digest. */
  address: string | null;
  cryptoType: string;
  walletAddress: string;
  isProcessing: boolean;
}

/**
 * Checks that a withdrawal is of $10.00 at least, and settled once, for its owner, kind and amount (decision 12); that a withdrawal to
 * a new address is not paid during its wait; and that its gamer stops it only during the wait.
 */
export class Withdrawals {
  private readonly known = new Set<WithdrawalId>();
  private readonly open = new Map<WithdrawalId, OpenWithdrawal>();
  /** Digests of addresses. */
  private readonly paid = new Set<string>();

  get openCount(): number {
    return this.open.size;
  }

  get paidAddressCount(): number {
    return this.paid.size;
  }

  isPaidAddress(digest: string): boolean {
    return this.paid.has(digest);
  }

  /** An open withdrawal, by the names of the nodes' state; undefined without one. */
  openOf(withdrawalId: WithdrawalId): object | undefined {
    const open = this.open.get(withdrawalId);
    if (open === undefined) return undefined;
    const { owner: gamerId, waitsUntilMs: heldUntilEpochMs, address: addressDigest, isProcessing, ...payout } = open;
    return { gamerId, ...payout, heldUntilEpochMs, addressDigest, status: isProcessing ? 'processing' : 'pending' };
  }

  /** Folds an event and returns its faults. */
  take({ type, data }: LedgerEvent, at: number, actor: Actor): string[] {
    switch (type) {
      case 'WithdrawalRequested':
        return [...this.waitFaults(data, at), ...this.request(data, data.gamerId)];
      case 'ProfitWithdrawalRequested':
        return this.request(data, null);
      case 'WithdrawalProcessing': {
        const open = this.open.get(data.withdrawalId);
        if (open) open.isProcessing = true;
        return [...this.earlyPayoutFaults(data.withdrawalId, at), ...this.ownerFaults(data.withdrawalId, data.gamerId)];
      }
      case 'WithdrawalCompleted': {
        const { address } = this.open.get(data.withdrawalId) ?? {};
        if (address) this.paid.add(address);
        return [
          ...this.earlyPayoutFaults(data.withdrawalId, at),
          ...this.settle(data.withdrawalId, data.gamerId, data.amountCents),
        ];
      }
      case 'WithdrawalReturned':
        return [
          ...(actor.id === data.gamerId ? this.stopFaults(data, at) : []),
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
    { withdrawalId, heldUntilEpochMs, addressDigest, ...payout }: Requested,
    owner: GamerId | null,
  ): string[] {
    const isKnown = this.known.has(withdrawalId);
    this.known.add(withdrawalId);
    const { amountCents, cryptoType, walletAddress } = payout;
    this.open.set(withdrawalId, {
      ...{ owner, amountCents, cryptoType, walletAddress, isProcessing: false },
      ...{ waitsUntilMs: heldUntilEpochMs ?? null, address: addressDigest ?? null },
    });
    return faultsOf([
      [isKnown, `withdrawal ${withdrawalId} was requested before`],
      [
        amountCents < MIN_WITHDRAWAL_CENTS,
        `is of ${cents(amountCents)}, and ${cents(MIN_WITHDRAWAL_CENTS)} is the least`,
      ],
    ]);
  }

  private waitFaults({ addressDigest, heldUntilEpochMs }: Requested, at: number): string[] {
    if (heldUntilEpochMs === null || heldUntilEpochMs === undefined) return [];
    return faultsOf([
      [heldUntilEpochMs <= at, 'has an end of its waiting time that is already past'],
      [this.paid.has(addressDigest ?? ''), 'waits, and its address was paid before'],
    ]);
  }

  /** A payment, or its beginning, within the waiting time. */
  private earlyPayoutFaults(withdrawalId: WithdrawalId, at: number): string[] {
    const waitsUntilMs = this.open.get(withdrawalId)?.waitsUntilMs ?? at;
    return faultsOf([[at < waitsUntilMs, `is ${waitsUntilMs - at} ms before the end of the gamer’s time to stop it`]]);
  }

  private stopFaults({ withdrawalId, adminNotes, txid }: LedgerEvents['WithdrawalReturned'], at: number): string[] {
    const waitsUntilMs = this.open.get(withdrawalId)?.waitsUntilMs ?? at;
    return faultsOf([
      [at >= waitsUntilMs, 'was stopped by its gamer after the waiting time'],
      [adminNotes !== null || txid !== null, 'was stopped by its gamer but has admin notes or a transaction id'],
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

/** The operator's own withdrawals have no digest and no wait. */
type Requested = Omit<LedgerEvents['WithdrawalRequested'], 'gamerId'>;
