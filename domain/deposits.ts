import type { DepositApproved } from '../contracts/events/ledger-events.js';
import type { DepositId } from '../contracts/ids.js';
import { purchaseAccount } from '../contracts/ledger-accounts.js';
import { DEPOSITOR_STATUS_MS, MAX_TOKENS_PER_PURCHASE, TOKEN_PRICE_CENTS } from '../contracts/limits.js';
import type { Refusal } from '../contracts/messages.js';
import {
  accept,
  type CommandContext,
  type Decision,
  type DepositMoney,
  type LedgerCommand,
  refuse,
} from './ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger-state.js';
import { boughtBy, isOpenFor } from './purchases.js';

/*
 * Money from outside.
 *
 * Each gateway payment is recorded, and credited, at most once, whatever arrives in whatever order (decision 27). A
 * deposit paid in full and in time credits itself; any other payment waits for the admin (decision 28). The deposit goes
 * to the purchase balance, its 5 % fee to `house:deposit-fees`, and the gamer is a depositor for 30 days from then
 * (decision 8). A token invoice buys its tokens while its own round is live, else its value goes to the purchase balance
 * (decision 29); it makes nobody a depositor.
 */

export function creditDeposit(
  state: LedgerState,
  { paymentId, gamerId, money }: Extract<LedgerCommand, { type: 'CreditDeposit' }>,
  { at, freshId }: CommandContext,
): Decision {
  const unfit = whyUnfit(state, paymentId, money);
  if (unfit) return refuse(unfit);
  if (!state.gamers.has(gamerId) || gamerId === state.houseId) return refuse({ code: 'gamer-not-found' });
  const deposit = { depositId: freshId, paymentId, purpose: 'deposit' as const, gamerId, ...money };
  return accept({ type: 'DepositApproved', data: approvalOf(state, deposit, at) });
}

export function recordDeposit(
  state: LedgerState,
  { paymentId, purpose, gamerId, money, reason }: Extract<LedgerCommand, { type: 'RecordDeposit' }>,
  { freshId }: CommandContext,
): Decision {
  const unfit = whyUnfit(state, paymentId, money);
  if (unfit) return refuse(unfit);
  return accept({
    type: 'DepositRecorded',
    data: { depositId: freshId, paymentId, purpose, gamerId, ...money, reason },
  });
}

export function approveDeposit(
  state: LedgerState,
  command: Extract<LedgerCommand, { type: 'ApproveDeposit' }>,
  { at }: CommandContext,
): Decision {
  const recorded = state.deposits.get(command.depositId);
  if (!recorded) return refuse(whyNotPending(state, command.depositId));
  const gamerId = command.gamerId ?? recorded.gamerId;
  if (gamerId === null) return refuse({ code: 'deposit-needs-gamer' });
  if (!state.gamers.has(gamerId) || gamerId === state.houseId) return refuse({ code: 'gamer-not-found' });
  const { reason: _, ...approved } = { ...recorded, gamerId };
  return accept({ type: 'DepositApproved', data: approvalOf(state, approved, at) });
}

export function rejectDeposit(
  state: LedgerState,
  { depositId, adminNotes }: Extract<LedgerCommand, { type: 'RejectDeposit' }>,
): Decision {
  const recorded = state.deposits.get(depositId);
  if (!recorded) return refuse(whyNotPending(state, depositId));
  return accept({ type: 'DepositRejected', data: { depositId, paymentId: recorded.paymentId, adminNotes } });
}

export function settleInvoice(
  state: LedgerState,
  { paymentId, gamerId, quantity, roundId, cryptoType }: Extract<LedgerCommand, { type: 'SettleInvoice' }>,
  { at, freshId }: CommandContext,
): Decision {
  if (state.payments.has(paymentId)) return refuse({ code: 'payment-already-recorded' });
  if (!state.gamers.has(gamerId) || gamerId === state.houseId) return refuse({ code: 'gamer-not-found' });
  if (!Number.isSafeInteger(quantity) || quantity < 1) return refuse({ code: 'invalid-quantity' });
  if (quantity > MAX_TOKENS_PER_PURCHASE) return refuse({ code: 'too-many-tokens' });
  if (roundId !== null && roundId === state.game.roundId && isOpenFor(state.game, at)) {
    return accept(...boughtBy(state, { purchaseId: freshId, buyerId: gamerId, quantity, paymentId }, at));
  }
  const amountCents = quantity * TOKEN_PRICE_CENTS;
  const purchaseBalanceCents = balanceOf(state, purchaseAccount(gamerId)) + amountCents;
  return accept({
    type: 'InvoiceCredited',
    data: { paymentId, gamerId, quantity, amountCents, cryptoType, purchaseBalanceCents },
  });
}

function whyNotPending(state: LedgerState, depositId: DepositId): Refusal {
  const settled = state.settled.get(depositId);
  if (settled?.of !== 'deposit') return { code: 'deposit-not-found' };
  return { code: 'deposit-settled', parameters: { status: settled.status } };
}

function whyUnfit(state: LedgerState, paymentId: string, { amountCents, feeCents }: DepositMoney): Refusal | null {
  if (state.payments.has(paymentId)) return { code: 'payment-already-recorded' };
  const valid = Number.isSafeInteger(amountCents) && amountCents > 0 && Number.isSafeInteger(feeCents) && feeCents >= 0;
  return valid ? null : { code: 'invalid-deposit-amount' };
}

type Approving = Omit<DepositApproved['data'], 'depositorUntilEpochMs' | 'purchaseBalanceCents'>;

function approvalOf(state: LedgerState, deposit: Approving, at: number): DepositApproved['data'] {
  const { gamerId, amountCents, purpose } = deposit;
  return {
    ...deposit,
    depositorUntilEpochMs: purpose === 'deposit' ? at + DEPOSITOR_STATUS_MS : null,
    purchaseBalanceCents: balanceOf(state, purchaseAccount(gamerId)) + amountCents,
  };
}
