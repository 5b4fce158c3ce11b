import type { LedgerEvents } from '../contracts/events/ledger-events.js';
import type { DepositId, GamerId, GatewayPaymentId } from '../contracts/ids.js';
import { purchaseAccount } from '../contracts/ledger-accounts.js';
import { DEPOSITOR_STATUS_MS } from '../contracts/limits.js';
import type { Refusal } from '../contracts/refusals.js';
import { quantityRefusal } from '../contracts/validation.js';
import { type Game, roundTerms } from './game.js';
import { accept, type Decider, type DepositMoney, refuse } from './ledger/ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger/ledger-state.js';
import { exceededLimit, exceededPaymentLimit } from './protection-limits.js';
import { closedRefusal, playRefusal, purchaseEvents } from './purchases.js';

/*
 * Each gateway payment is recorded and credited at most once (decision 27). A deposit that was paid in full and in time is credited;
 * any other payment waits for the admin (decision 28), and so does a deposit beyond a limit (decisions 56, 58). A token invoice that
 * may not buy its tokens goes to the purchase balance (decision 29). Only a deposit makes a depositor (decision 8).
 */

export const creditDeposit: Decider<'CreditDeposit'> = (state, { paymentId, gamerId, money }, { atMs, freshId }) => {
  const refusal = paymentRefusal(state, paymentId, money);
  if (refusal) return refuse(refusal);
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  const deposit = { depositId: freshId, paymentId, purpose: 'deposit' as const, gamerId, ...money };
  if (exceededLimit(state, 'deposit', gamerId, money.amountCents, atMs))
    return accept({ type: 'DepositRecorded', data: { ...deposit, reason: 'over-limit' } });
  return accept({ type: 'DepositApproved', data: approvalOf(state, deposit, atMs) });
};

export const recordDeposit: Decider<'RecordDeposit'> = (state, command, { freshId }) => {
  const { paymentId, purpose, gamerId, money, reason } = command;
  const refusal = paymentRefusal(state, paymentId, money);
  if (refusal) return refuse(refusal);
  const data = { depositId: freshId, paymentId, purpose, gamerId, ...money, reason };
  return accept({ type: 'DepositRecorded', data });
};

export const approveDeposit: Decider<'ApproveDeposit'> = (state, command, { atMs }) => {
  const { depositId, gamerId: assigned, reassignmentReason = '' } = command;
  const recorded = state.deposits.get(depositId);
  if (!recorded) return refuse(notPendingRefusal(state, depositId));
  const gamerId = assigned ?? recorded.gamerId;
  if (gamerId === null) return refuse({ code: 'deposit-needs-gamer' });
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  const isReassigned = recorded.gamerId !== null && gamerId !== recorded.gamerId;
  if (isReassigned && reassignmentReason === '') return refuse({ code: 'reassignment-needs-reason' });
  const limit = exceededLimit(state, 'deposit', gamerId, recorded.amountCents, atMs);
  if (limit) return refuse({ code: 'limit-reached', parameters: limit });
  const { reason: _, ...approved } = { ...recorded, gamerId };
  const data = approvalOf(state, approved, atMs, isReassigned ? reassignmentReason : null);
  return accept({ type: 'DepositApproved', data });
};

export const rejectDeposit: Decider<'RejectDeposit'> = (state, { depositId, adminNotes }) => {
  const recorded = state.deposits.get(depositId);
  if (!recorded) return refuse(notPendingRefusal(state, depositId));
  return accept({ type: 'DepositRejected', data: { depositId, paymentId: recorded.paymentId, adminNotes } });
};

export const settleInvoice: Decider<'SettleInvoice'> = (state, command, { atMs, receivedAtMs, freshId }) => {
  const { paymentId, gamerId, quantity, amountCents, roundId, cryptoType } = command;
  if (state.payments.has(paymentId)) return refuse({ code: 'payment-already-recorded' });
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  const code = quantityRefusal(quantity);
  if (code) return refuse({ code });
  const mayPlay =
    playRefusal(state, gamerId, atMs) === null && !exceededPaymentLimit(state, 'tokens', gamerId, amountCents, atMs);
  const isOfOpenRound =
    roundId !== null && roundId === state.game.roundId && closedRefusal(state.game, receivedAtMs) === null;
  if (mayPlay && isOfOpenRound && amountCents === quantity * roundTerms(state.game).tokenPriceCents) {
    const purchase = { purchaseId: freshId, buyerId: gamerId, quantity, receivedAtMs, paymentId };
    return accept(...purchaseEvents(state, purchase, atMs));
  }
  const purchaseBalanceCents = balanceOf(state, purchaseAccount(gamerId)) + amountCents;
  const data = { paymentId, gamerId, quantity, amountCents, cryptoType, purchaseBalanceCents };
  return accept({ type: 'InvoiceCredited', data });
};

export type InvoiceItem = { purpose: 'tokens'; quantity: number } | { purpose: 'deposit'; dollars: number };

/** Why no invoice is created, in the order of `buyTokens`; null when it may be. Only a courtesy: the ledger decides the payment. */
export function invoiceRefusal(state: LedgerState, game: Game, gamerId: GamerId, item: InvoiceItem, atMs: number) {
  const isForTokens = item.purpose === 'tokens';
  if (gamerId === state.adminId) return { code: isForTokens ? 'admin-cannot-buy' : 'admin-is-no-depositor' } as const;
  const refusal = playRefusal(state, gamerId, atMs) ?? (isForTokens ? closedRefusal(game, atMs) : null);
  if (refusal) return refusal;
  const cents = isForTokens ? item.quantity * roundTerms(game).tokenPriceCents : item.dollars * 100;
  const limit = exceededPaymentLimit(state, item.purpose, gamerId, cents, atMs);
  return limit && ({ code: 'limit-reached', parameters: limit } as const);
}

function notPendingRefusal(state: LedgerState, depositId: DepositId): Refusal {
  const settlement = state.settlements.get(depositId);
  if (settlement?.source !== 'deposit') return { code: 'deposit-not-found' };
  return { code: 'deposit-settled', parameters: { status: settlement.status } };
}

function paymentRefusal(state: LedgerState, paymentId: GatewayPaymentId, money: DepositMoney): Refusal | null {
  const { amountCents, feeCents } = money;
  if (state.payments.has(paymentId)) return { code: 'payment-already-recorded' };
  const isValid = [amountCents, feeCents].every(Number.isSafeInteger) && amountCents > 0 && feeCents >= 0;
  return isValid ? null : { code: 'invalid-deposit-amount' };
}

function approvalOf(
  state: LedgerState,
  deposit: Omit<LedgerEvents['DepositRecorded'], 'reason'> & { gamerId: GamerId },
  atMs: number,
  reassignmentReason: string | null = null,
): LedgerEvents['DepositApproved'] {
  const { gamerId, amountCents, purpose } = deposit;
  return {
    ...deposit,
    depositorUntilMs: purpose === 'deposit' ? atMs + DEPOSITOR_STATUS_MS : null,
    purchaseBalanceCents: balanceOf(state, purchaseAccount(gamerId)) + amountCents,
    reassignmentReason,
  };
}
