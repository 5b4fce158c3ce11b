import { isDeepStrictEqual } from 'node:util';
import type { Allocation, LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { MATRIX_DEPTH, type RoundTerms, WIDTH_BEFORE_ROUNDS } from '../../contracts/limits.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';

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

type DueAllocation = Omit<Allocation, 'level'> & { level: number | null };

/** Checks the split of each purchase and the uplines who are paid (decisions 1 to 3, 7 and 47), by a matrix of its own. */
export class Entitlements {
  readonly matrix: Matrix;
  readonly staff = new Set<GamerId>();
  readonly powers = new Map<GamerId, readonly string[]>();
  terms: RoundTerms | null = null;

  constructor(private readonly fault: FaultReporter) {
    this.matrix = new Matrix(fault);
  }

  get adminId(): GamerId | null {
    return this.matrix.root?.gamerId ?? null;
  }

  isGamer(gamerId: GamerId): boolean {
    return gamerId !== this.adminId && this.matrix.of(gamerId) !== undefined;
  }

  /** Checks an event against the earlier ones, and evolves by it. @param isExcluded at this time */
  take(event: LedgerEvent, atMs: number, isExcluded: (gamerId: GamerId) => boolean) {
    switch (event.type) {
      case 'GameStarted':
        return this.begin({ ...event.data.terms, decidingMs: event.data.decidingMs });
      case 'GamerEnrolled':
        return this.matrix.enrol(event.data);
      case 'GamerRemoved':
        this.staff.delete(event.data.gamerId);
        this.powers.delete(event.data.gamerId);
        return this.matrix.remove(event.data);
      case 'DepositorStatusSet':
        return this.setDepositor(event.data.gamerId, event.data.untilMs);
      case 'DepositApproved': {
        const { gamerId, depositorUntilMs } = event.data;
        if (depositorUntilMs !== null) this.setDepositor(gamerId, depositorUntilMs);
        return;
      }
      case 'StaffStatusSet':
        return this.setStaff(event.data);
      case 'PowersSet':
        return this.setPowers(event.data);
      case 'WithdrawalRequested':
        if (this.staff.has(event.data.gamerId)) this.fault(`is for ${event.data.gamerId}, who is staff`);
        return;
      case 'TokenPurchased':
        return this.checkSplit(event.data, atMs, isExcluded);
    }
  }

  /** A round's terms must split the whole price, and never make the matrix narrower. */
  private begin(terms: RoundTerms): void {
    const { tokenPriceCents, jackpotShareCents, houseShareCents, levelShareCents, directBonusCents } = terms;
    const shares = [jackpotShareCents, houseShareCents, directBonusCents, ...levelShareCents];
    const split = shares.reduce((sum, share) => sum + share, 0);
    this.terms = terms;
    if (split !== tokenPriceCents)
      this.fault(`has terms that split ${formatCents(split)} of ${formatCents(tokenPriceCents)}`);
    if (levelShareCents.length > MATRIX_DEPTH) this.fault(`has terms for ${levelShareCents.length} levels`);
    this.matrix.setWidth(terms.matrixWidth);
  }

  private setDepositor(gamerId: GamerId, untilMs: number | null): void {
    const seat = this.matrix.of(gamerId);
    if (seat !== undefined) seat.depositorUntilMs = untilMs;
  }

  readonly powersOf = (gamerId: GamerId): readonly string[] => this.powers.get(gamerId) ?? [];

  private setPowers({ gamerId, powers }: LedgerEvents['PowersSet']): void {
    const before = this.powersOf(gamerId);
    if (powers.length === before.length && powers.every((one) => before.includes(one)))
      this.fault(`gives ${gamerId} the powers that they have`);
    if (new Set(powers).size !== powers.length) this.fault('gives a power twice');
    if (!this.staff.has(gamerId)) this.fault(`gives powers to ${gamerId}, who is not staff`);
    if (powers.length === 0) this.powers.delete(gamerId);
    else this.powers.set(gamerId, powers);
  }

  private setStaff({ gamerId, isStaff }: LedgerEvents['StaffStatusSet']): void {
    if (this.staff.has(gamerId) === isStaff) this.fault(`sets ${gamerId} to what they are already`);
    if (!isStaff && this.powersOf(gamerId).length > 0) this.fault(`ends the status of ${gamerId}, who has powers`);
    if (isStaff) this.staff.add(gamerId);
    else this.staff.delete(gamerId);
  }

  private checkSplit(bought: LedgerEvents['TokenPurchased'], atMs: number, isExcluded: (gamerId: GamerId) => boolean) {
    const { buyerId, quantity, costCents, jackpotShareCents, houseShareCents, allocations } = bought;
    const { terms } = this;
    if (terms === null) return this.fault('is bought before the first round');
    const share = (name: string, stated: number, each: number): void => {
      if (stated !== quantity * each)
        this.fault(`${name} ${formatCents(stated)} for ${quantity} tokens at ${each} cents`);
    };
    share('costs', costCents, terms.tokenPriceCents);
    share('gives the jackpot', jackpotShareCents, terms.jackpotShareCents);
    share('gives the operator', houseShareCents, terms.houseShareCents);
    const buyer = this.matrix.of(buyerId);
    if (buyer === undefined || buyer === this.matrix.root) return this.fault(`${buyerId} may not buy`);
    if (this.staff.has(buyerId)) this.fault(`${buyerId} is staff and may not buy`);
    const earns = ({ gamerId, depositorUntilMs }: Seat): boolean =>
      (depositorUntilMs ?? 0) >= atMs && !this.staff.has(gamerId) && !isExcluded(gamerId);
    const due = dueFor(terms, buyer, quantity, earns, this.matrix);
    if (!isDeepStrictEqual(due, allocations)) this.compare(due, allocations);
  }

  /** Reports how allocations, in any order, differ from those due. */
  private compare(due: readonly DueAllocation[], allocations: readonly DueAllocation[]): void {
    const owed = new Map(due.map((one) => [allocationText(one), one.cents]));
    const paid = new Map(allocations.map((one) => [allocationText(one), one.cents]));
    if (paid.size !== allocations.length) this.fault('pays somebody twice');
    for (const [whom, amount] of owed)
      if (paid.get(whom) !== amount)
        this.fault(`owes ${formatCents(amount)} to ${whom}, and pays ${formatCents(paid.get(whom) ?? 0)}`);
    for (const [whom, amount] of paid)
      if (!owed.has(whom)) this.fault(`pays ${formatCents(amount)} to ${whom}, and owes nothing`);
  }
}

/** Returns the shares due by level, and then the direct bonus of a sponsor above the seven uplines. */
function dueFor(
  terms: RoundTerms,
  { sponsorId, parent }: Seat,
  quantity: number,
  earns: (seat: Seat) => boolean,
  matrix: Matrix,
): DueAllocation[] {
  const due: DueAllocation[] = [];
  let sponsorIsUpline = false;
  let above = parent;
  for (let level = 1; level <= terms.levelShareCents.length && above !== null; level += 1) {
    const { gamerId } = above;
    const direct = gamerId === sponsorId;
    sponsorIsUpline ||= direct;
    const each = (terms.levelShareCents[level - 1] ?? 0) + (direct ? terms.directBonusCents : 0);
    if (earns(above)) due.push({ gamerId, level, direct, cents: quantity * each });
    above = above.parent;
  }
  const sponsor = sponsorId === null || sponsorIsUpline ? undefined : matrix.of(sponsorId);
  if (sponsor !== undefined && earns(sponsor))
    due.push({ gamerId: sponsor.gamerId, level: null, direct: true, cents: quantity * terms.directBonusCents });
  return due;
}

const allocationText = ({ gamerId, level, direct }: DueAllocation): string =>
  `${gamerId} at ${level === null ? 'no level' : `level ${level}`}${direct ? ', direct' : ''}`;
