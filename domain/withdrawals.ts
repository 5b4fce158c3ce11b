import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId, WithdrawalId } from '../contracts/ids.js';
import { winningsAccount } from '../contracts/ledger-accounts.js';
import { MIN_WITHDRAWAL_CENTS } from '../contracts/limits.js';
import type { Refusal } from '../contracts/messages.js';
import {
  accept,
  type CommandContext,
  type Decision,
  type LedgerCommand,
  type Payout,
  refuse,
  type WithdrawalUpdate,
} from './ledger-commands.js';
import { balanceOf, type LedgerState, type Withdrawal } from './ledger-state.js';

/*
 * Withdrawals (decision 12).
 *
 * A request of at least $10.00 and at most what is there reserves the cents at once: winnings (or, for the admin's own,
 * house profit) to `payouts:pending`. The admin pays by hand and sets it completed (the cents leave) or returned (they
 * come back); between, a gamer's may be set processing. Completed and returned are final. A gamer cannot cancel.
 */

export function requestWithdrawal(
  state: LedgerState,
  { gamerId, payout }: Extract<LedgerCommand, { type: 'RequestWithdrawal' }>,
  { freshId }: CommandContext,
): Decision {
  if (!state.gamers.has(gamerId) || gamerId === state.houseId) return refuse({ code: 'gamer-not-found' });
  const unfit = whyUnfit(payout);
  if (unfit) return unfit;
  if (payout.amountCents > balanceOf(state, winningsAccount(gamerId))) {
    return refuse({ code: 'withdrawal-exceeds-winnings' });
  }
  return accept({ type: 'WithdrawalRequested', data: { withdrawalId: freshId, gamerId, ...payout } });
}

export function requestProfitWithdrawal(
  state: LedgerState,
  { payout }: Extract<LedgerCommand, { type: 'RequestProfitWithdrawal' }>,
  { freshId }: CommandContext,
): Decision {
  const unfit = whyUnfit(payout);
  if (unfit) return unfit;
  const availableCents = balanceOf(state, 'house:profit');
  if (payout.amountCents > availableCents) {
    return refuse({ code: 'profit-exceeds-available', parameters: { availableCents } });
  }
  return accept({ type: 'ProfitWithdrawalRequested', data: { withdrawalId: freshId, ...payout } });
}

function whyUnfit({ amountCents }: Payout): Decision | null {
  if (!Number.isSafeInteger(amountCents) || amountCents < 1) return refuse({ code: 'invalid-withdrawal-amount' });
  return amountCents < MIN_WITHDRAWAL_CENTS ? refuse({ code: 'withdrawal-below-minimum' }) : null;
}

export function updateWithdrawal(
  state: LedgerState,
  { withdrawalId, update }: Extract<LedgerCommand, { type: 'UpdateWithdrawal' }>,
): Decision {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId === null) return refuse(whyNotOpen(state, withdrawalId, 'winnings'));
  return accept(updateOf(withdrawalId, withdrawal, withdrawal.gamerId, update));
}

export function updateProfitWithdrawal(
  state: LedgerState,
  { withdrawalId, update }: Extract<LedgerCommand, { type: 'UpdateProfitWithdrawal' }>,
): Decision {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId !== null) return refuse(whyNotOpen(state, withdrawalId, 'profit'));
  const { status, adminNotes, txid } = update;
  if (status === 'processing') return refuse({ code: 'invalid-withdrawal-status' });
  const type = status === 'completed' ? 'ProfitWithdrawalCompleted' : 'ProfitWithdrawalReturned';
  const { amountCents } = withdrawal;
  return accept({ type, data: { withdrawalId, amountCents, adminNotes, txid } });
}

function whyNotOpen(state: LedgerState, withdrawalId: WithdrawalId, of: 'winnings' | 'profit'): Refusal {
  const settled = state.settled.get(withdrawalId);
  if (settled?.of !== of) return { code: 'withdrawal-not-found' };
  return { code: 'withdrawal-settled', parameters: { status: settled.status } };
}

function updateOf(
  withdrawalId: string,
  { amountCents }: Withdrawal,
  gamerId: GamerId,
  { status, adminNotes, txid }: WithdrawalUpdate,
): LedgerEvent {
  switch (status) {
    case 'processing':
      return { type: 'WithdrawalProcessing', data: { withdrawalId, gamerId, adminNotes } };
    case 'completed':
      return { type: 'WithdrawalCompleted', data: { withdrawalId, gamerId, amountCents, adminNotes, txid } };
    case 'returned':
      return { type: 'WithdrawalReturned', data: { withdrawalId, gamerId, amountCents, adminNotes, txid } };
  }
}
