import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { WIDTH_BEFORE_ROUNDS } from '../../contracts/limits.js';
import { faultsOf } from '../replay/finding.js';

export interface Seat {
  readonly gamerId: GamerId;
  readonly sponsorId: GamerId | null;
  parent: Seat | null;
  slot: number;
  /** By slot. */
  readonly children: (Seat | undefined)[];
  /** Levels from here down to the nearest free slot; 0 when a slot of this seat is free. */
  distance: number;
  depositorUntilMs: number | null;
}

/** Checks places: first free slot, breadth-first from the left, below sponsor or grandparent (decisions 4, 6, 14). */
export class Matrix {
  root: Seat | null = null;
  width = WIDTH_BEFORE_ROUNDS;
  /** With the root. */
  readonly seats = new Map<GamerId, Seat>();

  of(gamerId: GamerId): Seat | undefined {
    return this.seats.get(gamerId);
  }

  enrol({ gamerId, sponsorId, parentId, slot }: LedgerEvents['GamerEnrolled']): string[] {
    if (this.seats.has(gamerId)) return [`${gamerId} has a place already`];
    const seat: Seat = {
      gamerId,
      sponsorId,
      parent: null,
      slot: slot ?? 0,
      children: [],
      distance: 0,
      depositorUntilMs: null,
    };
    const { root } = this;
    this.seats.set(gamerId, seat);
    if (root === null) {
      this.root = seat;
      return faultsOf([
        [parentId !== null || slot !== null || sponsorId !== null, 'is the root, and stands below somebody'],
      ]);
    }
    const sponsor = sponsorId === null ? root : this.seats.get(sponsorId);
    const faults = sponsor === undefined ? [`the sponsor ${sponsorId} is not there`] : [];
    const due = this.firstFree(sponsor ?? root);
    this.seat(seat, due.parent, due.slot);
    return [...faults, ...placeFaults(gamerId, { parentId, slot }, due)];
  }

  /** The first child takes the place that became vacant, the others go breadth-first to free slots under the grandparent. */
  remove({ gamerId, moved }: LedgerEvents['GamerRemoved']): string[] {
    const removed = this.seats.get(gamerId);
    const parent = removed?.parent ?? null;
    if (removed === undefined || parent === null) return [`${gamerId} cannot be removed`];
    this.seats.delete(gamerId);
    parent.children[removed.slot] = undefined;
    this.updateDistances(parent);
    const faults: string[] = [];
    let place = { parent, slot: removed.slot };
    const children = removed.children.filter((child) => child !== undefined);
    children.forEach((child, index) => {
      if (index > 0) place = this.firstFree(parent);
      this.seat(child, place.parent, place.slot);
      const stated = moved[index];
      if (stated?.gamerId !== child.gamerId) faults.push(`${child.gamerId} did not move`);
      else faults.push(...placeFaults(child.gamerId, stated, place));
    });
    if (moved.length > children.length)
      faults.push(`moves ${moved.length} gamers, and ${children.length} stood below ${gamerId}`);
    return faults;
  }

  /** A round's terms may make the matrix wider, never narrower. */
  setWidth(width: number): string[] {
    const before = this.width;
    this.width = width;
    if (width > before) for (const seat of this.seats.values()) seat.distance = 0;
    return faultsOf([[width < before, `narrows the matrix from ${before} to ${width}`]]);
  }

  private firstFree(top: Seat): { parent: Seat; slot: number } {
    let parent = top;
    while (parent.distance > 0) {
      const { distance } = parent;
      parent = parent.children.find((child) => child?.distance === distance - 1) as Seat;
    }
    let slot = 0;
    while (parent.children[slot] !== undefined) slot += 1;
    return { parent, slot };
  }

  private seat(seat: Seat, parent: Seat, slot: number): void {
    seat.parent = parent;
    seat.slot = slot;
    parent.children[slot] = seat;
    this.updateDistances(parent);
  }

  private updateDistances(from: Seat): void {
    for (let seat: Seat | null = from; seat !== null; seat = seat.parent) {
      const distance = this.distanceOf(seat);
      if (distance === seat.distance) return;
      seat.distance = distance;
    }
  }

  private distanceOf({ children }: Seat): number {
    let nearest = Number.POSITIVE_INFINITY;
    for (let slot = 0; slot < this.width; slot += 1) {
      const child = children[slot];
      if (child === undefined) return 0;
      nearest = Math.min(nearest, child.distance);
    }
    return nearest + 1;
  }
}

interface StatedPlace {
  parentId: GamerId | null;
  slot: number | null;
}

function placeFaults(gamerId: GamerId, stated: StatedPlace, due: { parent: Seat; slot: number }): string[] {
  const isDue = stated.parentId === due.parent.gamerId && stated.slot === due.slot;
  const text = `${gamerId} stands in slot ${stated.slot} of ${stated.parentId}, and slot ${due.slot} of ${due.parent.gamerId} was the first free one`;
  return faultsOf([[!isDue, text]]);
}
