import type { GamerId } from '../contracts/ids.js';
import { purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import { accept, type Decision, refuse } from './ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger-state.js';
import { tryMoves } from './matrix.js';
import { UndoJournal } from './undo-journal.js';

/*
 * Removing a gamer (decision 14).
 *
 * Refused for the house, while a withdrawal is pending, and while they are the live round's last buyer. The balances go
 * to `house:forfeited`. The first child takes the vacated slot with its subtree; the others move breadth-first to free
 * slots under the grandparent, subtrees intact. Gamers they referred keep their sponsor id, which then earns nothing.
 */
export function removeGamer(state: LedgerState, gamerId: GamerId): Decision {
  if (gamerId === state.houseId) return refuse({ code: 'admin-cannot-be-removed' });
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (hasPendingWithdrawal(state, gamerId)) return refuse({ code: 'gamer-has-pending-withdrawal' });
  const { phase, purchases } = state.game;
  if (phase === 'live' && purchases[0]?.buyerId === gamerId) return refuse({ code: 'gamer-is-last-buyer' });
  const trial = new UndoJournal();
  const moved = tryMoves(state, gamerId, trial);
  trial.undo();
  return accept({
    type: 'GamerRemoved',
    data: {
      gamerId,
      moved,
      forfeitedPurchaseCents: balanceOf(state, purchaseAccount(gamerId)),
      forfeitedWinningsCents: balanceOf(state, winningsAccount(gamerId)),
    },
  });
}

function hasPendingWithdrawal(state: LedgerState, gamerId: GamerId): boolean {
  for (const { gamerId: owner } of state.withdrawals.values()) if (owner === gamerId) return true;
  return false;
}
