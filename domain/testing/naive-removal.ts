import type { GamerRemoved } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import type { LedgerState } from '../ledger-state.js';

type Move = GamerRemoved['data']['moved'][number];

/** Decision 14 as it says itself, and nothing clever: trees that hold trees, and a walk for every free slot. */
export interface Tree {
  id: GamerId;
  below: (Tree | null)[];
}

export function treeOf(state: LedgerState, id: GamerId): Tree {
  const below = (state.gamers.get(id)?.children ?? []).map((child) => (child === null ? null : treeOf(state, child)));
  return { id, below };
}

/** Whose id it is, at the top or below. */
export function findIn(tree: Tree, id: GamerId): Tree | null {
  return tree.id === id ? tree : (parentIn(tree, id)?.below.find((child) => child?.id === id) ?? null);
}

function parentIn(tree: Tree, id: GamerId): Tree | null {
  if (tree.below.some((child) => child?.id === id)) return tree;
  for (const child of tree.below) {
    const found = child && parentIn(child, id);
    if (found) return found;
  }
  return null;
}

export function seatFirstFree(under: Tree, child: Tree): Move {
  const queue = [under];
  for (const parent of queue) {
    const slot = parent.below.indexOf(null);
    if (slot >= 0) {
      parent.below[slot] = child;
      return { gamerId: child.id, parentId: parent.id, slot: slot as 0 | 1 | 2 };
    }
    queue.push(...parent.below.filter((next) => next !== null));
  }
  throw new Error('a finite tree has a free slot');
}

/** Takes a gamer out of the tree; says who moved where. */
export function removeNaively(top: Tree, id: GamerId): Move[] {
  const parent = parentIn(top, id) as Tree;
  const slot = parent.below.findIndex((child) => child?.id === id);
  const [first, ...others] = (parent.below[slot] as Tree).below.filter((child) => child !== null);
  parent.below[slot] = first ?? null;
  if (!first) return [];
  const moved: Move = { gamerId: first.id, parentId: parent.id, slot: slot as 0 | 1 | 2 };
  return [moved, ...others.map((child) => seatFirstFree(parent, child))];
}

export function idsBelow({ below }: Tree): Set<GamerId> {
  const ids = new Set<GamerId>();
  for (const child of below) {
    if (!child) continue;
    ids.add(child.id);
    for (const id of idsBelow(child)) ids.add(id);
  }
  return ids;
}
