import type { LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { WIDTH_BEFORE_ROUNDS } from '../contracts/limits.js';
import type { GamerPlace, LedgerState } from './ledger/ledger-state.js';
import type { Changes } from './ledger/undo-log.js';

/**
 * The first free slot of the sponsor's subtree, breadth-first, left to right (decision 6). Each place stores the depth of the nearest
 * free slot below it, and the search only descends by this depth: 13 steps for a million gamers.
 */
export function freeSlotUnder(state: LedgerState, sponsorId: GamerId): { parentId: GamerId; slot: number } {
  let parentId = sponsorId;
  let parent = placeOf(state, parentId);
  while (parent.openDepth > 0) {
    const depth = parent.openDepth - 1;
    const next = parent.children.find((child) => child !== null && placeOf(state, child).openDepth === depth);
    if (!next) throw new Error(`no child of ${parentId} is open at depth ${depth}`);
    parentId = next;
    parent = placeOf(state, parentId);
  }
  return { parentId, slot: parent.children.indexOf(null) };
}

export function uplinesOf(state: LedgerState, gamerId: GamerId, maxCount: number): GamerId[] {
  const uplines: GamerId[] = [];
  let above = placeOf(state, gamerId).parentId;
  while (above !== null && uplines.length < maxCount) {
    uplines.push(above);
    above = placeOf(state, above).parentId;
  }
  return uplines;
}

export function enrol(state: LedgerState, enrolled: LedgerEvents['GamerEnrolled'], changes: Changes): void {
  const { gamerId, sponsorId, parentId, slot } = enrolled;
  changes.setEntry(state.gamers, gamerId, {
    sponsorId,
    parentId,
    slot,
    children: new Array(widthOf(state)).fill(null),
    openDepth: 0,
    depositorUntilMs: null,
  });
  if (parentId === null || slot === null) changes.setField(state, 'adminId', gamerId);
  else setChild(state, parentId, slot, gamerId, changes);
}

const widthOf = ({ game }: LedgerState): number => game.terms?.matrixWidth ?? WIDTH_BEFORE_ROUNDS;

/** Gives every place the slots that a new round's terms add. All places are open then. */
export function widen(state: LedgerState, width: number, changes: Changes): void {
  const added = width - widthOf(state);
  if (added === 0) return;
  if (added < 0) throw new Error(`the matrix cannot become narrower: ${width} slots`);
  for (const [gamerId, place] of state.gamers) {
    const children = [...place.children, ...new Array(added).fill(null)];
    changes.setEntry(state.gamers, gamerId, { ...place, children, openDepth: 0 });
  }
}

type Move = LedgerEvents['GamerRemoved']['moved'][number];

/** Removes a gamer and moves the children with their subtrees to their new places, in this order. */
export function remove(state: LedgerState, gamerId: GamerId, moved: readonly Move[], changes: Changes): void {
  const { parentId, slot } = placeOf(state, gamerId);
  if (parentId === null || slot === null) throw new Error('the root of the matrix cannot be removed');
  setChild(state, parentId, slot, null, changes);
  changes.deleteEntry(state.gamers, gamerId);
  for (const one of moved) move(state, one, changes);
}

function move(state: LedgerState, { gamerId, parentId, slot }: Move, changes: Changes): void {
  changes.setEntry(state.gamers, gamerId, { ...placeOf(state, gamerId), parentId, slot });
  setChild(state, parentId, slot, gamerId, changes);
}

/** The moves of a removed gamer's children (decision 14). Changes `state` through `changes`; the caller must undo that. */
export function tryMoves(state: LedgerState, gamerId: GamerId, changes: Changes): Move[] {
  const { parentId, slot, children } = placeOf(state, gamerId);
  if (parentId === null || slot === null) throw new Error('the root of the matrix cannot be removed');
  const [first, ...others] = children.filter((child) => child !== null);
  if (first === undefined) return [];
  const moved: Move[] = [{ gamerId: first, parentId, slot }];
  remove(state, gamerId, moved, changes);
  for (const child of others) {
    const due = { gamerId: child, ...freeSlotUnder(state, parentId) };
    move(state, due, changes);
    moved.push(due);
  }
  return moved;
}

function setChild(state: LedgerState, parentId: GamerId, slot: number, gamerId: GamerId | null, changes: Changes) {
  const parent = placeOf(state, parentId);
  if (gamerId !== null && parent.children[slot] !== null) throw new Error(`slot ${slot} of ${parentId} is taken`);
  const children = parent.children.with(slot, gamerId);
  changes.setEntry(state.gamers, parentId, { ...parent, children });
  updateOpenDepths(state, parentId, changes);
}

/** Updates openDepth from a changed place upwards, until a place's depth stays the same. */
function updateOpenDepths(state: LedgerState, from: GamerId, changes: Changes): void {
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
