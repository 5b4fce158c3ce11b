import type { GamerEnrolled } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { MATRIX_DEPTH } from '../contracts/limits.js';
import type { GamerPlace, LedgerState } from './ledger-state.js';
import type { Changes } from './undo-journal.js';

/**
 * The forced matrix, three wide. A newcomer takes the first free slot of the sponsor's subtree, breadth-first, left to
 * right (decision 6). Nothing is walked to find it: each place knows how deep below it the nearest free slot is, so the
 * way down is as long as that depth, and depth d means 3^d places above it are full: 13 steps for a million gamers.
 * Keeping those depths true costs as little: a place's depth rises only when a whole level below it is full.
 */
export function freeSlotUnder(state: LedgerState, sponsorId: GamerId): { parentId: GamerId; slot: 0 | 1 | 2 } {
  let parentId = sponsorId;
  let parent = placeOf(state, parentId);
  while (parent.openDepth > 0) {
    const depth = parent.openDepth - 1;
    const next = parent.children.find((child) => child !== null && placeOf(state, child).openDepth === depth);
    if (!next) throw new Error(`no child of ${parentId} is open at depth ${depth}`);
    parentId = next;
    parent = placeOf(state, parentId);
  }
  return { parentId, slot: parent.children.indexOf(null) as 0 | 1 | 2 };
}

/** Up to seven gamers above, nearest first. */
export function uplinesOf(state: LedgerState, gamerId: GamerId): GamerId[] {
  const uplines: GamerId[] = [];
  let above = placeOf(state, gamerId).parentId;
  while (above !== null && uplines.length < MATRIX_DEPTH) {
    uplines.push(above);
    above = placeOf(state, above).parentId;
  }
  return uplines;
}

export function enrol(state: LedgerState, enrolled: GamerEnrolled['data'], changes: Changes): void {
  const { gamerId, sponsorId, parentId, slot } = enrolled;
  changes.setEntry(state.gamers, gamerId, {
    sponsorId,
    parentId,
    slot,
    children: [null, null, null],
    openDepth: 0,
    depositorUntilEpochMs: null,
  });
  if (parentId === null || slot === null) {
    changes.setField(state, 'houseId', gamerId);
    return;
  }
  seat(state, parentId, slot, gamerId, changes);
}

/** One gamer's new seat. */
export interface Move {
  gamerId: GamerId;
  parentId: GamerId;
  slot: 0 | 1 | 2;
}

/** Takes a gamer out and its children along to their new seats, subtrees intact, in the order given. */
export function remove(state: LedgerState, gamerId: GamerId, moved: readonly Move[], changes: Changes): void {
  const { parentId, slot } = placeOf(state, gamerId);
  if (parentId === null || slot === null) throw new Error('the root of the matrix cannot be removed');
  seat(state, parentId, slot, null, changes);
  changes.deleteEntry(state.gamers, gamerId);
  for (const move of moved) {
    const place = placeOf(state, move.gamerId);
    changes.setEntry(state.gamers, move.gamerId, { ...place, parentId: move.parentId, slot: move.slot });
    seat(state, move.parentId, move.slot, move.gamerId, changes);
  }
}

/**
 * Where the children of a removed gamer go (decision 14): the first takes the vacated slot, the others move
 * breadth-first to free slots under the grandparent. Tried out on `state` through `changes`, for the caller to undo.
 */
export function tryMoves(state: LedgerState, gamerId: GamerId, changes: Changes): Move[] {
  const { parentId, slot, children } = placeOf(state, gamerId);
  if (parentId === null || slot === null) throw new Error('the root of the matrix cannot be removed');
  const [first, ...others] = children.filter((child) => child !== null);
  if (first === undefined) return [];
  const moved: Move[] = [{ gamerId: first, parentId, slot }];
  remove(state, gamerId, moved, changes);
  for (const child of others) {
    const move = { gamerId: child, ...freeSlotUnder(state, parentId) };
    changes.setEntry(state.gamers, child, { ...placeOf(state, child), parentId: move.parentId, slot: move.slot });
    seat(state, move.parentId, move.slot, child, changes);
    moved.push(move);
  }
  return moved;
}

function seat(state: LedgerState, parentId: GamerId, slot: 0 | 1 | 2, gamerId: GamerId | null, changes: Changes): void {
  const parent = placeOf(state, parentId);
  if (gamerId !== null && parent.children[slot] !== null) throw new Error(`slot ${slot} of ${parentId} is taken`);
  const children = parent.children.with(slot, gamerId) as unknown as GamerPlace['children'];
  changes.setEntry(state.gamers, parentId, { ...parent, children });
  settleOpenDepths(state, parentId, changes);
}

/** Makes openDepth true again from a changed place upwards, as far as it changes anything. */
function settleOpenDepths(state: LedgerState, from: GamerId, changes: Changes): void {
  let gamerId: GamerId | null = from;
  while (gamerId !== null) {
    const place: GamerPlace = placeOf(state, gamerId);
    const openDepth = openDepthOf(state, place);
    if (openDepth === place.openDepth) return;
    changes.setEntry(state.gamers, gamerId, { ...place, openDepth });
    gamerId = place.parentId;
  }
}

function openDepthOf(state: LedgerState, place: GamerPlace): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const child of place.children) {
    if (child === null) return 0;
    nearest = Math.min(nearest, placeOf(state, child).openDepth);
  }
  return nearest + 1;
}

export function placeOf(state: LedgerState, gamerId: GamerId): GamerPlace {
  const place = state.gamers.get(gamerId);
  if (!place) throw new Error(`${gamerId} has no place in the matrix`);
  return place;
}
