import { accept, type CommandOf, type Decision, refuse } from './ledger/ledger-commands.js';
import type { LedgerState } from './ledger/ledger-state.js';
import { freeSlotUnder } from './matrix.js';

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
