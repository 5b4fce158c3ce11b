import { isLastBuyer } from './game.js';
import { accept, type CommandOf, type Decision, refuse } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';

/*
 * Staff (decision 47).
 *
 * An auditor sees rivals' balances while the clock runs, so a gamer who is staff neither buys nor withdraws, and earns
 * nothing in the matrix: those cents go to `house:unclaimed`. A token invoice that settles then goes to the purchase
 * balance. The live round's last buyer cannot become staff, because the jackpot may be theirs. The balances stay.
 */
export function setStaffStatus(state: LedgerState, { gamerId, isStaff }: CommandOf<'SetStaffStatus'>): Decision {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  if (gamerId === state.adminId) return refuse({ code: 'admin-role-is-fixed' });
  if (state.staff.has(gamerId) === isStaff) return accept();
  if (isStaff && isLastBuyer(state.game, gamerId)) return refuse({ code: 'gamer-is-last-buyer' });
  return accept({ type: 'StaffStatusSet', data: { gamerId, isStaff } });
}
