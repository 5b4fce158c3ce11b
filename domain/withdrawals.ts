import { compareDecimals } from '../contracts/decimal.js';
import type { LedgerEvent, PayoutFailure, PayoutOrder } from '../contracts/events/ledger-events.js';
import type { WithdrawalId } from '../contracts/ids.js';
import { winningsAccount } from '../contracts/ledger-accounts.js';
import type { Refusal } from '../contracts/refusals.js';
import { withdrawalRefusal } from '../contracts/validation.js';
import { versionOf } from '../contracts/versions.js';
import { accept, type BatchPayout, type Decider, refuse, type WithdrawalUpdate } from './ledger/ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger/ledger-state.js';

/*
 * Withdrawals (decision 12). A request reserves the cents at once: from the winnings, or for the admin's own withdrawal from
 * `house:profit`, to `payouts:pending`. The admin pays by hand, or orders the payout from the gateway. A completed withdrawal
 * moves the cents on to `world:crypto`; a returned one gives them back. The gateway sends only payouts whose order is in the
 * log, and while one is ordered nothing else decides its withdrawal.
 */

export const requestWithdrawal: Decider<'RequestWithdrawal'> = (state, { gamerId, request }, { freshId }) => {
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  if (state.staff.has(gamerId)) return refuse({ code: 'staff-cannot-play' });
  const code = withdrawalRefusal(request.amountCents);
  if (code) return refuse({ code });
  if (request.amountCents > balanceOf(state, winningsAccount(gamerId)))
    return refuse({ code: 'withdrawal-exceeds-winnings' });
  return accept({ type: 'WithdrawalRequested', data: { withdrawalId: freshId, gamerId, ...request } });
};

export const cancelWithdrawal: Decider<'CancelWithdrawal'> = (state, { gamerId, withdrawalId }) => {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal) return refuse(notOpenRefusal(state, withdrawalId, 'winnings'));
  if (withdrawal.gamerId !== gamerId) return refuse({ code: 'withdrawal-not-found' });
  if (withdrawal.status !== 'pending') return refuse({ code: 'withdrawal-not-pending' });
  if (state.arePayoutsHeld) return refuse({ code: 'payouts-held' });
  const data = { withdrawalId, gamerId, amountCents: withdrawal.amountCents, adminNotes: null, txid: null };
  return accept({ type: 'WithdrawalReturned', data });
};

export const requestProfitWithdrawal: Decider<'RequestProfitWithdrawal'> = (state, { request }, { freshId }) => {
  const code = withdrawalRefusal(request.amountCents);
  if (code) return refuse({ code });
  const availableCents = balanceOf(state, 'house:profit');
  if (request.amountCents > availableCents)
    return refuse({ code: 'profit-exceeds-available', parameters: { availableCents } });
  return accept({ type: 'ProfitWithdrawalRequested', data: { withdrawalId: freshId, ...request } });
};

export const updateWithdrawal: Decider<'UpdateWithdrawal'> = (state, { withdrawalId, update, expectedVersion }) => {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId === null) return refuse(notOpenRefusal(state, withdrawalId, 'winnings'));
  if (expectedVersion !== undefined && expectedVersion !== versionOf(withdrawal.status))
    return refuse({ code: 'changed-meanwhile', parameters: { by: null } });
  const { gamerId, amountCents } = withdrawal;
  const { status, adminNotes, txid } = update;
  if (mustWait(state, update)) return refuse({ code: 'payouts-held' });
  if (withdrawal.payout !== null) return refuse({ code: 'payout-under-way' });
  if (status === 'processing')
    return accept({ type: 'WithdrawalProcessing', data: { withdrawalId, gamerId, adminNotes } });
  const type = status === 'completed' ? 'WithdrawalCompleted' : 'WithdrawalReturned';
  return accept({ type, data: { withdrawalId, gamerId, amountCents, adminNotes, txid } });
};

export const updateProfitWithdrawal: Decider<'UpdateProfitWithdrawal'> = (state, { withdrawalId, update }) => {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId !== null) return refuse(notOpenRefusal(state, withdrawalId, 'profit'));
  const { status, adminNotes, txid } = update;
  if (status === 'processing') return refuse({ code: 'invalid-withdrawal-status' });
  if (mustWait(state, update)) return refuse({ code: 'payouts-held' });
  const type = status === 'completed' ? 'ProfitWithdrawalCompleted' : 'ProfitWithdrawalReturned';
  return accept({ type, data: { withdrawalId, amountCents: withdrawal.amountCents, adminNotes, txid } });
};

/** An order that is in the log already needs no event: the command is accepted once the log has every order of the batch. */
export const orderPayouts: Decider<'OrderPayouts'> = (state, { batchId, payouts }) => {
  const events: LedgerEvent[] = [];
  const ordered = new Set<WithdrawalId>();
  for (const { withdrawalId, payoutId, amount } of payouts) {
    const { gamerId = null, status, payout } = state.withdrawals.get(withdrawalId) ?? {};
    if (!state.arePayoutsHeld && payout?.batchId === batchId && payout.payoutId === payoutId) continue;
    const refusal = payoutRefusal(state, withdrawalId);
    if (refusal !== null) return refuse(refusal);
    if (gamerId === null || status !== 'processing' || ordered.has(withdrawalId))
      return refuse({ code: 'payout-under-way' });
    ordered.add(withdrawalId);
    events.push({ type: 'PayoutOrdered', data: { withdrawalId, gamerId, batchId, payoutId, amount } });
  }
  return accept(...events);
};

/** Why the gateway cannot be ordered to pay a withdrawal; null when it can. */
export function payoutRefusal(state: LedgerState, withdrawalId: WithdrawalId): Refusal | null {
  const withdrawal = state.withdrawals.get(withdrawalId);
  if (!withdrawal || withdrawal.gamerId === null) return notOpenRefusal(state, withdrawalId, 'winnings');
  if (state.arePayoutsHeld) return { code: 'payouts-held' };
  if (withdrawal.payout !== null) return { code: 'payout-under-way' };
  return withdrawal.failedPayouts.includes('uncertain') ? { code: 'payout-uncertain' } : null;
}

export const openWithdrawal = ({ withdrawals }: LedgerState, id: WithdrawalId) => withdrawals.get(id);

/** The payouts that the gateway was ordered to make, without a recorded outcome. */
export const orderedPayouts = ({ withdrawals }: LedgerState): PayoutOrder[] =>
  [...withdrawals.values()].flatMap(({ payout }) => payout ?? []);

export const openBatches = (state: LedgerState) => [...new Set(orderedPayouts(state).map(({ batchId }) => batchId))];

export const payoutsIn = ({ withdrawals }: LedgerState, batchId: string): BatchPayout[] =>
  [...withdrawals].flatMap(([withdrawalId, { payout }]) =>
    payout?.batchId === batchId ? [{ withdrawalId, payoutId: payout.payoutId, amount: payout.amount }] : [],
  );

/** Completes a paid withdrawal, or records why its payout failed. No event when another node recorded the outcome first. */
export const recordPayoutOutcome: Decider<'RecordPayoutOutcome'> = (state, command) => {
  const { withdrawalId, payoutId, status, paidAmount, txid } = command;
  const { gamerId = null, amountCents, payout } = state.withdrawals.get(withdrawalId) ?? {};
  if (gamerId === null || amountCents === undefined || payout?.payoutId !== payoutId) return accept();
  const failed = (outcome: PayoutFailure['outcome']) =>
    accept({ type: 'PayoutFailed', data: { withdrawalId, gamerId, payoutId, outcome, paidAmount, txid } });
  // A failed payout with a transaction may have been paid.
  if (status !== 'finished') return failed(txid === null ? status : 'uncertain');
  if (paidAmount === null || compareDecimals(paidAmount, payout.amount) !== 0) return failed('uncertain');
  if (mustWait(state, { status: 'completed', txid })) return refuse({ code: 'payouts-held' });
  const data = { withdrawalId, gamerId, amountCents, adminNotes: null, txid };
  return accept({ type: 'WithdrawalCompleted', data });
};

/** While payouts are held, only a completion with a transaction is accepted: that payout was made before. */
const mustWait = (
  { arePayoutsHeld }: LedgerState,
  { status, txid }: Pick<WithdrawalUpdate, 'status' | 'txid'>,
): boolean => arePayoutsHeld && (status !== 'completed' || txid === null);

function notOpenRefusal(state: LedgerState, withdrawalId: WithdrawalId, source: 'winnings' | 'profit'): Refusal {
  const settlement = state.settlements.get(withdrawalId);
  if (settlement?.source !== source) return { code: 'withdrawal-not-found' };
  return { code: 'withdrawal-settled', parameters: { status: settlement.status } };
}
