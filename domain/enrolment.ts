import type { GamerId } from '../contracts/ids.js';
import { accept, type Decision, refuse } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';
import { freeSlotUnder } from './matrix.js';

/*
 * Enrolment: a gamer's place in the matrix.
 *
 * The first to enrol is the house (the admin), the root. Everyone else is placed in the sponsor's subtree, or, without
 * a sponsor, under the root (decision 4). The sponsor stays who it is wherever the newcomer is placed.
 */

export function enrolHouse(state: LedgerState, gamerId: GamerId): Decision {
  if (state.houseId !== null) return refuse({ code: 'gamer-already-enrolled' });
  return accept({ type: 'GamerEnrolled', data: { gamerId, sponsorId: null, parentId: null, slot: null } });
}

export function enrolGamer(state: LedgerState, gamerId: GamerId, sponsorId: GamerId | null): Decision {
  if (state.gamers.has(gamerId)) return refuse({ code: 'gamer-already-enrolled' });
  if (state.houseId === null) throw new Error('the house enrols first');
  if (sponsorId !== null && !state.gamers.has(sponsorId)) return refuse({ code: 'referral-code-not-found' });
  const { parentId, slot } = freeSlotUnder(state, sponsorId ?? state.houseId);
  return accept({ type: 'GamerEnrolled', data: { gamerId, sponsorId, parentId, slot } });
}
