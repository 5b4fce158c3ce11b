import { purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import { isLastBuyer } from './game.js';
import { accept, type Decider, refuse } from './ledger/ledger-commands.js';
import { balanceOf } from './ledger/ledger-state.js';
import { UndoLog } from './ledger/undo-log.js';
import { freeSlotUnder, tryMoves } from './matrix.js';

/* Every gamer is placed in the sponsor's subtree, or under the admin, the root (decision 4). The place does not change the sponsor. */

export const enrolAdmin: Decider<'EnrolAdmin'> = (state, { gamerId }) => {
  if (state.adminId !== null) return refuse({ code: 'gamer-already-enrolled' });
  return accept({ type: 'GamerEnrolled', data: { gamerId, sponsorId: null, parentId: null, slot: null } });
};

export const enrolGamer: Decider<'EnrolGamer'> = (state, { gamerId, sponsorId }) => {
  if (state.gamers.has(gamerId)) return refuse({ code: 'gamer-already-enrolled' });
  if (state.adminId === null) throw new Error('the admin enrols first');
  if (sponsorId !== null && !state.gamers.has(sponsorId)) return refuse({ code: 'referral-code-not-found' });
  const { parentId, slot } = freeSlotUnder(state, sponsorId ?? state.adminId);
  return accept({ type: 'GamerEnrolled', data: { gamerId, sponsorId, parentId, slot } });
};

/* Removing a gamer (decision 14). Referred gamers keep the removed gamer as sponsor, who earns nothing. */
export const removeGamer: Decider<'RemoveGamer'> = (state, { gamerId }) => {
  if (gamerId === state.adminId) return refuse({ code: 'admin-cannot-be-removed' });
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  const hasPendingWithdrawal = [...state.withdrawals.values()].some((withdrawal) => withdrawal.gamerId === gamerId);
  if (hasPendingWithdrawal) return refuse({ code: 'gamer-has-pending-withdrawal' });
  if (isLastBuyer(state.game, gamerId)) return refuse({ code: 'gamer-is-last-buyer' });
  const trial = new UndoLog();
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
};
