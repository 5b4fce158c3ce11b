import type { DepositApproved, LedgerEvent } from '../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../contracts/events/metadata.js';
import type { DepositId, WithdrawalId } from '../contracts/ids.js';
import type { LedgerAccount, Posting } from '../contracts/ledger-accounts.js';
import { COMMAND_MEMORY_MS, MAX_REMEMBERED_COMMANDS, MAX_REMEMBERED_SETTLEMENTS } from '../contracts/limits.js';
import { evolveGame } from './game.js';
import { leafOf } from './leaf.js';
import { balanceOf, type LedgerState, rememberedKey, type Withdrawal } from './ledger-state.js';
import { enrol, placeOf, remove } from './matrix.js';
import { addLeaf, emptyTree } from './merkle.js';
import { postings } from './postings.js';
import type { Changes } from './undo-journal.js';

/** A ledger event at its revision. */
export interface LedgerEntry {
  revision: number;
  event: LedgerEvent;
  metadata: Pick<LedgerMetadata, 'at' | 'actor' | 'commandId' | 'commandHash'>;
}

/** Changes `state` by one event. Throws when the event cannot follow this state: then the log or the code is broken. */
export function evolve(state: LedgerState, entry: LedgerEntry, changes: Changes): void {
  const { event, metadata } = entry;
  if (metadata.at < state.at) throw new Error(`ledger@${entry.revision} is earlier than the event before it`);
  changes.setField(state, 'at', metadata.at);
  rememberCommand(state, entry, changes);
  for (const posting of postings(event)) post(state, posting, changes);
  evolveOthers(state, event, metadata.at, changes);
  const game = evolveGame(state.game, event, metadata.at);
  if (game !== state.game) changes.setField(state, 'game', game);
  if (game.jackpotCents !== balanceOf(state, 'jackpot')) {
    throw new Error(`ledger@${entry.revision}: the board's jackpot is not the account's`);
  }
}

/**
 * Forgets commands older than 24 hours, the oldest of more than a million, and the oldest of many settlements. Not part of
 * a batch's changes: what is forgotten need not come back.
 */
export function forgetOld(state: LedgerState): void {
  for (const id of state.settled.keys()) {
    if (state.settled.size <= MAX_REMEMBERED_SETTLEMENTS) break;
    state.settled.delete(id);
  }
  for (const [key, command] of state.commands) {
    const isRecent = state.at - command.at <= COMMAND_MEMORY_MS;
    if (isRecent && state.commands.size <= MAX_REMEMBERED_COMMANDS) return;
    state.commands.delete(key);
  }
}

function rememberCommand(state: LedgerState, { revision, metadata }: LedgerEntry, changes: Changes): void {
  const key = rememberedKey(metadata.actor.id, metadata.commandId);
  if (state.commands.has(key)) return;
  changes.setEntry(state.commands, key, { commandHash: metadata.commandHash, revision, at: metadata.at });
}

function post(state: LedgerState, { account, cents }: Posting, changes: Changes): void {
  const after = balanceOf(state, account) + cents;
  if (after < 0 && !mayOwe(account)) throw new Error(`${account} would be at ${after} cents`);
  changes.setEntry(state.balances, account, after);
}

/** The outside world pays in, and adjustments are granted out of nothing: these two may be below zero. */
const mayOwe = (account: LedgerAccount): boolean => account === 'world:crypto' || account === 'house:adjustments';

function evolveOthers(state: LedgerState, event: LedgerEvent, at: number, changes: Changes): void {
  switch (event.type) {
    case 'GamerEnrolled':
      enrol(state, event.data, changes);
      return;
    case 'DepositorStatusSet': {
      const { gamerId, untilEpochMs } = event.data;
      const place = { ...placeOf(state, gamerId), depositorUntilEpochMs: untilEpochMs };
      changes.setEntry(state.gamers, gamerId, place);
      return;
    }
    case 'GameStarted':
      changes.setField(state, 'purchaseTree', emptyTree);
      return;
    case 'TokenPurchased': {
      const { paymentId } = event.data;
      if (paymentId !== undefined) changes.addTo(state.payments, paymentId);
      changes.setField(state, 'purchaseTree', addLeaf(state.purchaseTree, leafOf(event.data, at)));
      return;
    }
    case 'DepositRecorded': {
      const { depositId, paymentId } = event.data;
      changes.addTo(state.payments, paymentId);
      changes.setEntry(state.deposits, depositId, event.data);
      return;
    }
    case 'DepositApproved':
      creditFrom(state, event.data, changes);
      return;
    case 'DepositRejected': {
      const { depositId } = event.data;
      if (!state.deposits.has(depositId)) throw new Error(`there is no deposit ${depositId}`);
      settleDeposit(state, depositId, 'rejected', changes);
      return;
    }
    case 'InvoiceCredited':
      changes.addTo(state.payments, event.data.paymentId);
      return;
    case 'GamerRemoved':
      remove(state, event.data.gamerId, event.data.moved, changes);
      return;
    default:
      evolveWithdrawals(state, event, changes);
  }
}

function creditFrom(state: LedgerState, approved: DepositApproved['data'], changes: Changes): void {
  const { depositId, paymentId, gamerId, depositorUntilEpochMs } = approved;
  changes.addTo(state.payments, paymentId);
  // One that credited itself never waited.
  if (state.deposits.has(depositId)) settleDeposit(state, depositId, 'approved', changes);
  if (depositorUntilEpochMs !== null) {
    changes.setEntry(state.gamers, gamerId, { ...placeOf(state, gamerId), depositorUntilEpochMs });
  }
}

function settleDeposit(
  state: LedgerState,
  depositId: DepositId,
  status: 'approved' | 'rejected',
  changes: Changes,
): void {
  changes.deleteEntry(state.deposits, depositId);
  changes.setEntry(state.settled, depositId, { of: 'deposit', status });
}

function evolveWithdrawals(state: LedgerState, event: LedgerEvent, changes: Changes): void {
  switch (event.type) {
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested': {
      const { withdrawalId, amountCents } = event.data;
      const gamerId = event.type === 'WithdrawalRequested' ? event.data.gamerId : null;
      changes.setEntry(state.withdrawals, withdrawalId, { gamerId, amountCents, status: 'pending' });
      return;
    }
    case 'WithdrawalProcessing': {
      const { withdrawalId } = event.data;
      const withdrawal = withdrawalOf(state, withdrawalId);
      changes.setEntry(state.withdrawals, withdrawalId, { ...withdrawal, status: 'processing' });
      return;
    }
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      settleWithdrawal(state, event.data.withdrawalId, 'completed', changes);
      return;
    case 'WithdrawalReturned':
    case 'ProfitWithdrawalReturned':
      settleWithdrawal(state, event.data.withdrawalId, 'returned', changes);
      return;
    default:
      return;
  }
}

function settleWithdrawal(
  state: LedgerState,
  withdrawalId: WithdrawalId,
  status: 'completed' | 'returned',
  changes: Changes,
): void {
  const { gamerId } = withdrawalOf(state, withdrawalId);
  changes.deleteEntry(state.withdrawals, withdrawalId);
  changes.setEntry(state.settled, withdrawalId, { of: gamerId === null ? 'profit' : 'winnings', status });
}

function withdrawalOf(state: LedgerState, withdrawalId: WithdrawalId): Withdrawal {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal) throw new Error(`there is no open withdrawal ${withdrawalId}`);
  return withdrawal;
}
