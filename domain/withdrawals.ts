import type { WithdrawalId } from '../contracts/ids.js';
import { winningsAccount } from '../contracts/ledger-accounts.js';
import type { Refusal } from '../contracts/refusals.js';
import { withdrawalRefusal } from '../contracts/validation.js';
import { versionOf } from '../contracts/versions.js';
import { accept, type Decider, refuse, type WithdrawalUpdate } from './ledger/ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger/ledger-state.js';

/*
 * Withdrawals (decision 12). A request reserves the cents at once: from the winnings, or for the admin's own withdrawal from
 * `house:profit`, to `payouts:pending`. The admin pays by hand; then they leave, or come back.
 */

export const requestWithdrawal: Decider<'RequestWithdrawal'> = (state, { gamerId, request }, { freshId }) => {
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  if (state.staff.has(gamerId)) return refuse({ code: 'staff-cannot-play' });
  const code = withdrawalRefusal(request.amountCents);
  if (code) return refuse({ code });
  if (request.amountCents > balanceOf(state, winningsAccount(gamerId))) {
    return refuse({ code: 'withdrawal-exceeds-winnings' });
  }
  return accept({ type: 'WithdrawalRequested', data: { withdrawalId: freshId, gamerId, ...request } });
};

export const cancelWithdrawal: Decider<'CancelWithdrawal'> = (state, { gamerId, withdrawalId }) => {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal) return refuse(whyNotOpen(state, withdrawalId, 'winnings'));
  if (withdrawal.gamerId !== gamerId) return refuse({ code: 'withdrawal-not-found' });
  if (withdrawal.status !== 'pending') return refuse({ code: 'withdrawal-not-pending' });
  if (state.arePayoutsHeld) return refuse({ code: 'payouts-held' });
  const { amountCents } = withdrawal;
  return accept({
    type: 'WithdrawalReturned',
    data: { withdrawalId, gamerId, amountCents, adminNotes: null, txid: null },
  });
};

export const requestProfitWithdrawal: Decider<'RequestProfitWithdrawal'> = (state, { request }, { freshId }) => {
  const code = withdrawalRefusal(request.amountCents);
  if (code) return refuse({ code });
  const availableCents = balanceOf(state, 'house:profit');
  if (request.amountCents > availableCents) {
    return refuse({ code: 'profit-exceeds-available', parameters: { availableCents } });
  }
  return accept({ type: 'ProfitWithdrawalRequested', data: { withdrawalId: freshId, ...request } });
};

export const updateWithdrawal: Decider<'UpdateWithdrawal'> = (state, { withdrawalId, update, readAs }) => {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId === null) return refuse(whyNotOpen(state, withdrawalId, 'winnings'));
  if (readAs !== undefined && readAs !== versionOf(withdrawal.status))
    return refuse({ code: 'changed-meanwhile', parameters: { by: null } });
  const { gamerId, amountCents } = withdrawal;
  const { status, adminNotes, txid } = update;
  if (mustWait(state, update)) return refuse({ code: 'payouts-held' });
  if (status === 'processing') {
    return accept({ type: 'WithdrawalProcessing', data: { withdrawalId, gamerId, adminNotes } });
  }
  const type = status === 'completed' ? 'WithdrawalCompleted' : 'WithdrawalReturned';
  return accept({ type, data: { withdrawalId, gamerId, amountCents, adminNotes, txid } });
};

export const updateProfitWithdrawal: Decider<'UpdateProfitWithdrawal'> = (state, { withdrawalId, update }) => {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId !== null) return refuse(whyNotOpen(state, withdrawalId, 'profit'));
  const { status, adminNotes, txid } = update;
  if (status === 'processing') return refuse({ code: 'invalid-withdrawal-status' });
  if (mustWait(state, update)) return refuse({ code: 'payouts-held' });
  const type = status === 'completed' ? 'ProfitWithdrawalCompleted' : 'ProfitWithdrawalReturned';
  return accept({ type, data: { withdrawalId, amountCents: withdrawal.amountCents, adminNotes, txid } });
};

/** After a loss nothing is paid or given back for now. A payout with its transaction was paid before. */
const mustWait = ({ arePayoutsHeld }: LedgerState, { status, txid }: WithdrawalUpdate): boolean =>
  arePayoutsHeld && (status !== 'completed' || txid === null);

function whyNotOpen(state: LedgerState, withdrawalId: WithdrawalId, of: 'winnings' | 'profit'): Refusal {
  const settled = state.settled.get(withdrawalId);
  if (settled?.of !== of) return { code: 'withdrawal-not-found' };
  return { code: 'withdrawal-settled', parameters: { status: settled.status } };
}
