import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { WIDTH_BEFORE_ROUNDS } from '../../contracts/limits.js';
import type { FaultReporter } from '../replay/finding.js';

export interface Seat {
  readonly gamerId: GamerId;
  readonly sponsorId: GamerId | null;
  parent: Seat | null;
  slot: number;
  /** Children by slot. */
  readonly children: (Seat | undefined)[];
  /** Levels from here down to the nearest free slot; 0 when a slot of this seat is free. */
  distance: number;
  depositorUntilMs: number | null;
}

type Place = { parent: Seat; slot: number };

/** Checks places: first free slot, breadth-first from the left, below sponsor or grandparent (decisions 4, 6, 14). */
export class Matrix {
  root: Seat | null = null;
  width = WIDTH_BEFORE_ROUNDS;
  /** All seats, with the root's. */
  readonly seats = new Map<GamerId, Seat>();

  constructor(private readonly fault: FaultReporter) {}

  of(gamerId: GamerId): Seat | undefined {
    return this.seats.get(gamerId);
  }

  enrol({ gamerId, sponsorId, parentId, slot }: LedgerEvents['GamerEnrolled']) {
    if (this.seats.has(gamerId)) return this.fault(`${gamerId} has a place already`);
    const free = { parent: null, slot: 0, children: [], distance: 0, depositorUntilMs: null };
    const seat: Seat = { gamerId, sponsorId, ...free };
    const { root } = this;
    this.seats.set(gamerId, seat);
    if (root === null) {
      this.root = seat;
      if (parentId !== null || slot !== null || sponsorId !== null)
        this.fault('is the root, and stands below somebody');
      return;
    }
    const sponsor = sponsorId === null ? root : this.seats.get(sponsorId);
    if (sponsor === undefined) this.fault(`the sponsor ${sponsorId} is not there`);
    this.seat(seat, this.firstFree(sponsor ?? root), { parentId, slot });
  }

  /** The first child takes the place that became vacant, the others go breadth-first to free slots under the grandparent. */
  remove({ gamerId, moved }: LedgerEvents['GamerRemoved']) {
    const removed = this.seats.get(gamerId);
    if (!removed?.parent) return this.fault(`${gamerId} cannot be removed`);
    const { parent } = removed;
    this.seats.delete(gamerId);
    parent.children[removed.slot] = undefined;
    this.updateDistances(parent);
    const children = removed.children.filter((child) => child !== undefined);
    for (const [index, child] of children.entries()) {
      const isMoved = moved[index]?.gamerId === child.gamerId;
      if (!isMoved) this.fault(`${child.gamerId} did not move`);
      const expected = index === 0 ? { parent, slot: removed.slot } : this.firstFree(parent);
      this.seat(child, expected, isMoved ? moved[index] : undefined);
    }
    if (moved.length > children.length)
      this.fault(`moves ${moved.length} gamers, and ${children.length} stood below ${gamerId}`);
  }

  /** A round's terms may make the matrix wider, never narrower. */
  setWidth(width: number): void {
    if (width < this.width) this.fault(`narrows the matrix from ${this.width} to ${width}`);
    if (width > this.width) for (const seat of this.seats.values()) seat.distance = 0;
    this.width = width;
  }

  private firstFree(top: Seat): Place {
    let parent = top;
    while (parent.distance > 0) {
      const { distance } = parent;
      parent = parent.children.find((child) => child?.distance === distance - 1) as Seat;
    }
    let slot = 0;
    while (parent.children[slot] !== undefined) slot += 1;
    return { parent, slot };
  }

  /** Seats a gamer at the expected place. @param stated the place in the event, which must be the same */
  private seat(seat: Seat, { parent, slot }: Place, stated?: { parentId: GamerId | null; slot: number | null }): void {
    const { gamerId } = seat;
    if (stated && (stated.parentId !== parent.gamerId || stated.slot !== slot))
      this.fault(
        `${gamerId} stands in slot ${stated.slot} of ${stated.parentId}, and slot ${slot} of ${parent.gamerId} was the first free one`,
      );
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
