import { purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import { DEPOSITOR_STATUS_MS, MAX_ADJUSTMENT_CENTS } from '../contracts/limits.js';
import { accept, type Decision, type LedgerCommand, refuse } from './ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger-state.js';

/*
 * A gamer's two balances, and the depositor status.
 *
 * Winnings can be moved to the purchase balance, never back. An admin adjusts either by signed cents against
 * `house:adjustments`; no balance may end below zero (decision 13). The admin's switch makes a depositor for 30 days
 * from now, or ends it at once (decision 8). The house has no balances and is never a depositor.
 */

export function transferWinnings(
  state: LedgerState,
  { gamerId, amountCents }: Extract<LedgerCommand, { type: 'TransferWinnings' }>,
): Decision {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (!Number.isSafeInteger(amountCents) || amountCents < 1) return refuse({ code: 'invalid-transfer-amount' });
  if (amountCents > balanceOf(state, winningsAccount(gamerId))) return refuse({ code: 'transfer-exceeds-winnings' });
  const purchaseBalanceCents = balanceOf(state, purchaseAccount(gamerId)) + amountCents;
  return accept({ type: 'WinningsTransferred', data: { gamerId, amountCents, purchaseBalanceCents } });
}

export function adjustBalance(
  state: LedgerState,
  { gamerId, purchaseCents, winningsCents, reason }: Extract<LedgerCommand, { type: 'AdjustBalance' }>,
): Decision {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (gamerId === state.houseId) return refuse({ code: 'admin-has-no-balances' });
  const valid = [purchaseCents, winningsCents].every(
    (cents) => Number.isSafeInteger(cents) && Math.abs(cents) <= MAX_ADJUSTMENT_CENTS,
  );
  if (!valid || (purchaseCents === 0 && winningsCents === 0)) return refuse({ code: 'invalid-adjustment' });
  const purchaseBalanceCents = balanceOf(state, purchaseAccount(gamerId)) + purchaseCents;
  const winningsBalanceCents = balanceOf(state, winningsAccount(gamerId)) + winningsCents;
  if (purchaseBalanceCents < 0 || winningsBalanceCents < 0) return refuse({ code: 'adjustment-below-zero' });
  const data = { gamerId, purchaseCents, winningsCents, reason, purchaseBalanceCents, winningsBalanceCents };
  return accept({ type: 'BalanceAdjusted', data });
}

export function setDepositorStatus(
  state: LedgerState,
  { gamerId, isDepositor }: Extract<LedgerCommand, { type: 'SetDepositorStatus' }>,
  at: number,
): Decision {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (gamerId === state.houseId) return refuse({ code: 'admin-is-no-depositor' });
  const untilEpochMs = isDepositor ? at + DEPOSITOR_STATUS_MS : null;
  return accept({ type: 'DepositorStatusSet', data: { gamerId, untilEpochMs } });
}
