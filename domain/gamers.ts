import { purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import { isLastBuyer } from './game.js';
import { accept, type CommandOf, type Decision, refuse } from './ledger/ledger-commands.js';
import { balanceOf, type LedgerState } from './ledger/ledger-state.js';
import { UndoJournal } from './ledger/undo-journal.js';
import { freeSlotUnder, tryMoves } from './matrix.js';

/*
 * Enrolment: a gamer's place in the matrix.
 *
 * The admin enrols first and is the root. Every gamer is placed in the sponsor's subtree, or under the root without a
 * sponsor (decision 4). The place does not change who the sponsor is.
 */

export function enrolAdmin(state: LedgerState, { gamerId }: CommandOf<'EnrolAdmin'>): Decision {
  if (state.adminId !== null) return refuse({ code: 'gamer-already-enrolled' });
  return accept({ type: 'GamerEnrolled', data: { gamerId, sponsorId: null, parentId: null, slot: null } });
}

export function enrolGamer(state: LedgerState, { gamerId, sponsorId }: CommandOf<'EnrolGamer'>): Decision {
  if (state.gamers.has(gamerId)) return refuse({ code: 'gamer-already-enrolled' });
  if (state.adminId === null) throw new Error('the admin enrols first');
  if (sponsorId !== null && !state.gamers.has(sponsorId)) return refuse({ code: 'referral-code-not-found' });
  const { parentId, slot } = freeSlotUnder(state, sponsorId ?? state.adminId);
  return accept({ type: 'GamerEnrolled', data: { gamerId, sponsorId, parentId, slot } });
}

/*
 * Removing a gamer (decision 14).
 *
 * Refused for the admin, for a gamer with a pending withdrawal, and for the live round's last buyer. The balances go to
 * `house:forfeited`. The first child takes the vacated slot with its subtree; the others move breadth-first to free slots
 * under the grandparent, with their subtrees. Referred gamers keep the removed gamer as sponsor, who earns nothing.
 */
export function removeGamer(state: LedgerState, { gamerId }: CommandOf<'RemoveGamer'>): Decision {
  if (gamerId === state.adminId) return refuse({ code: 'admin-cannot-be-removed' });
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  const hasPendingWithdrawal = [...state.withdrawals.values()].some((withdrawal) => withdrawal.gamerId === gamerId);
  if (hasPendingWithdrawal) return refuse({ code: 'gamer-has-pending-withdrawal' });
  if (isLastBuyer(state.game, gamerId)) return refuse({ code: 'gamer-is-last-buyer' });
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
