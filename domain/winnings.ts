import { purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import { DEPOSITOR_STATUS_MS, MAX_ADJUSTMENT_CENTS, NO_REASON } from '../contracts/limits.js';
import { transferRefusal } from '../contracts/validation.js';
import { accept, type Decider, refuse } from './ledger/ledger-commands.js';
import { balanceOf, exclusionOf } from './ledger/ledger-state.js';

/* A gamer's two balances (decision 13), and the depositor status (decision 8). */

export const transferWinnings: Decider<'TransferWinnings'> = (state, { gamerId, amountCents }, { atMs }) => {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  const exclusion = exclusionOf(state, gamerId, atMs);
  if (exclusion) return refuse({ code: 'gamer-excluded', parameters: exclusion });
  const code = transferRefusal(amountCents, balanceOf(state, winningsAccount(gamerId)));
  if (code) return refuse({ code });
  const purchaseBalanceCents = balanceOf(state, purchaseAccount(gamerId)) + amountCents;
  return accept({ type: 'WinningsTransferred', data: { gamerId, amountCents, purchaseBalanceCents } });
};

export const adjustBalance: Decider<'AdjustBalance'> = (state, command) => {
  const { gamerId, purchaseCents, winningsCents, reason: given } = command;
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (gamerId === state.adminId) return refuse({ code: 'admin-has-no-balances' });
  const areValid = [purchaseCents, winningsCents].every(
    (cents) => Number.isSafeInteger(cents) && Math.abs(cents) <= MAX_ADJUSTMENT_CENTS,
  );
  if (!areValid || (purchaseCents === 0 && winningsCents === 0)) return refuse({ code: 'invalid-adjustment' });
  const purchaseBalanceCents = balanceOf(state, purchaseAccount(gamerId)) + purchaseCents;
  const winningsBalanceCents = balanceOf(state, winningsAccount(gamerId)) + winningsCents;
  if (purchaseBalanceCents < 0 || winningsBalanceCents < 0) return refuse({ code: 'adjustment-below-zero' });
  const reason = given.trim() || NO_REASON;
  const data = { gamerId, purchaseCents, winningsCents, reason, purchaseBalanceCents, winningsBalanceCents };
  return accept({ type: 'BalanceAdjusted', data });
};

export const setDepositorStatus: Decider<'SetDepositorStatus'> = (state, { gamerId, isDepositor }, { atMs }) => {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (gamerId === state.adminId) return refuse({ code: 'admin-is-no-depositor' });
  const untilMs = isDepositor ? atMs + DEPOSITOR_STATUS_MS : null;
  return accept({ type: 'DepositorStatusSet', data: { gamerId, untilMs } });
};
