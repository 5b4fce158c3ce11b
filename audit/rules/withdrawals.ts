import type { LedgerEvent, LedgerEvents, PayoutFailure, PayoutOrder } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import type { GamerId, WithdrawalId } from '../../contracts/ids.js';
import { MIN_WITHDRAWAL_CENTS } from '../../contracts/limits.js';
import { words } from '../../contracts/words.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';

/** A withdrawal that is neither completed nor returned. Fields are named as in the nodes' state, with which specs compare them. */
interface OpenWithdrawal extends Omit<LedgerEvents['ProfitWithdrawalRequested'], 'withdrawalId'> {
  gamerId: GamerId | null;
  status: 'pending' | 'processing';
  payout: PayoutOrder | null;
  failedPayouts: PayoutFailure['outcome'][];
}

const PAYOUT_CHANGES = new Set<string>(
  words('WithdrawalProcessing PayoutOrdered WithdrawalReturned ProfitWithdrawalReturned'),
);

/** Checks that a withdrawal is settled once, as requested (decision 12), and that the gateway is ordered to pay it once at a time. */
export class Withdrawals {
  private readonly known = new Set<WithdrawalId>();
  readonly open = new Map<WithdrawalId, OpenWithdrawal>();
  /** True from a loss of history until the gateway was asked. */
  areHeld = false;

  constructor(private readonly fault: FaultReporter) {}

  isPendingFor(gamerId: GamerId): boolean {
    return [...this.open.values()].some((open) => open.gamerId === gamerId);
  }

  take(event: LedgerEvent, actor: Actor) {
    this.checkWait(event);
    const { type, data } = event;
    switch (type) {
      case 'HistoryLost':
        this.areHeld = true;
        return;
      case 'PayoutsReleased':
        this.areHeld = false;
        return;
      case 'WithdrawalRequested':
        return this.request(data, data.gamerId);
      case 'ProfitWithdrawalRequested':
        return this.request(data, null);
      case 'WithdrawalProcessing':
        return this.change(data.withdrawalId, data.gamerId, { status: 'processing' });
      case 'PayoutOrdered':
        return this.order(data);
      case 'PayoutFailed':
        return this.fail(data);
      case 'WithdrawalReturned':
        if (actor.id === data.gamerId) this.checkCancelling(data);
        return this.settle(data, data.gamerId, actor);
      case 'WithdrawalCompleted':
        return this.settle(data, data.gamerId, actor);
      case 'ProfitWithdrawalCompleted':
      case 'ProfitWithdrawalReturned':
        return this.settle(data, null, actor);
    }
  }

  /** After a loss no withdrawal is paid or given back until the gateway was asked, except one that was paid before. */
  private checkWait({ type, data }: LedgerEvent): void {
    const isCompleted = type === 'WithdrawalCompleted' || type === 'ProfitWithdrawalCompleted';
    const isAfterLoss = type === 'PayoutSettled' || type === 'PayoutsReleased';
    if (this.areHeld && isCompleted && data.txid === null)
      this.fault('completes a payout before the gateway was asked');
    if (this.areHeld && PAYOUT_CHANGES.has(type)) this.fault('changes a payout before the gateway was asked');
    if (!this.areHeld && isAfterLoss) this.fault('is about a loss, and there was none');
  }

  private request(requested: LedgerEvents['ProfitWithdrawalRequested'], gamerId: GamerId | null): void {
    const { withdrawalId, ...request } = requested;
    const { amountCents } = request;
    if (this.known.has(withdrawalId)) this.fault(`withdrawal ${withdrawalId} was requested before`);
    if (amountCents < MIN_WITHDRAWAL_CENTS)
      this.fault(`is of ${formatCents(amountCents)}, and ${formatCents(MIN_WITHDRAWAL_CENTS)} is the least`);
    this.known.add(withdrawalId);
    this.open.set(withdrawalId, { ...request, gamerId, status: 'pending', payout: null, failedPayouts: [] });
  }

  private order({ withdrawalId, gamerId, ...payout }: LedgerEvents['PayoutOrdered']): void {
    const open = this.open.get(withdrawalId);
    if (open?.status === 'pending') this.fault('orders a payout of a withdrawal that is not processed');
    if (open?.payout) this.fault('orders a payout that is ordered already');
    if (open?.failedPayouts.includes('uncertain'))
      this.fault('orders a payout again after one that may have been paid');
    this.change(withdrawalId, gamerId, { payout });
  }

  private fail({ withdrawalId, gamerId, payoutId, outcome }: LedgerEvents['PayoutFailed']): void {
    const { payout, failedPayouts = [] } = this.open.get(withdrawalId) ?? {};
    if (payout?.payoutId !== payoutId) this.fault('fails a payout that is not ordered');
    this.change(withdrawalId, gamerId, { payout: null, failedPayouts: [...failedPayouts, outcome] });
  }

  private checkCancelling({ withdrawalId, adminNotes, txid }: LedgerEvents['WithdrawalReturned']): void {
    if (this.open.get(withdrawalId)?.status === 'processing')
      this.fault('was cancelled by its gamer while it was processed');
    if (adminNotes !== null || txid !== null)
      this.fault('was cancelled by its gamer but has admin notes or a transaction id');
  }

  /** The system completes a withdrawal that the gateway was ordered to pay, and an admin or a gamer decides every other one. */
  private settle(
    { withdrawalId, amountCents }: LedgerEvents['ProfitWithdrawalCompleted'],
    owner: GamerId | null,
    { role }: Actor,
  ): void {
    const { payout = null, amountCents: requestedCents = amountCents } = this.open.get(withdrawalId) ?? {};
    if (payout !== null && role !== 'system') this.fault('decides by hand while the payout is ordered');
    if (payout === null && role === 'system') this.fault('completes by itself what was not ordered');
    if (requestedCents !== amountCents)
      this.fault(`is of ${formatCents(amountCents)}, and ${formatCents(requestedCents)} were requested`);
    this.change(withdrawalId, owner, {});
    this.open.delete(withdrawalId);
  }

  /** Changes an open withdrawal, which must be the owner's. */
  private change(withdrawalId: WithdrawalId, owner: GamerId | null, change: Partial<OpenWithdrawal>) {
    const open = this.open.get(withdrawalId);
    if (open === undefined) return this.fault(`withdrawal ${withdrawalId} is not open`);
    const nameOf = (one: GamerId | null): string => one ?? 'the operator';
    if (open.gamerId !== owner) this.fault(`is for ${nameOf(owner)}, and ${nameOf(open.gamerId)} requested it`);
    this.open.set(withdrawalId, { ...open, ...change });
  }
}
