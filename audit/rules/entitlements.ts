import { isDeepStrictEqual } from 'node:util';
import type { Allocation, LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import { MATRIX_DEPTH, type RoundTerms } from '../../contracts/limits.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';
import { Matrix, type Seat } from './matrix.js';

type DueAllocation = Omit<Allocation, 'level'> & { level: number | null };

/** Checks the split of each purchase and the uplines who are paid (decisions 1 to 3, 7 and 47), by a matrix of its own. */
export class Entitlements {
  readonly matrix: Matrix;
  readonly staff = new Set<GamerId>();
  readonly powers = new Map<GamerId, readonly string[]>();
  /** Terms of the newest round; null before the first. */
  terms: RoundTerms | null = null;

  constructor(private readonly fault: FaultReporter) {
    this.matrix = new Matrix(fault);
  }

  get adminId(): GamerId | null {
    return this.matrix.root?.gamerId ?? null;
  }

  /** True for an enrolled gamer who is not the admin. */
  isGamer(gamerId: GamerId): boolean {
    return gamerId !== this.adminId && this.matrix.of(gamerId) !== undefined;
  }

  /** Checks an event against the earlier ones, and folds it. @param isExcluded at this time */
  take(event: LedgerEvent, at: number, isExcluded: (gamerId: GamerId) => boolean) {
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
        return this.checkSplit(event.data, at, isExcluded);
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

  /** Powers are of staff, and each event must change them. */
  private setPowers({ gamerId, powers }: LedgerEvents['PowersSet']): void {
    const before = this.powersOf(gamerId);
    if (powers.length === before.length && powers.every((one) => before.includes(one)))
      this.fault(`gives ${gamerId} the powers that they have`);
    if (new Set(powers).size !== powers.length) this.fault('gives a power twice');
    if (!this.staff.has(gamerId)) this.fault(`gives powers to ${gamerId}, who is not staff`);
    if (powers.length === 0) this.powers.delete(gamerId);
    else this.powers.set(gamerId, powers);
  }

  /** Each event must change something, and nobody has powers without being staff. */
  private setStaff({ gamerId, isStaff }: LedgerEvents['StaffStatusSet']): void {
    if (this.staff.has(gamerId) === isStaff) this.fault(`sets ${gamerId} to what they are already`);
    if (!isStaff && this.powersOf(gamerId).length > 0) this.fault(`ends the status of ${gamerId}, who has powers`);
    if (isStaff) this.staff.add(gamerId);
    else this.staff.delete(gamerId);
  }

  private checkSplit(bought: LedgerEvents['TokenPurchased'], at: number, isExcluded: (gamerId: GamerId) => boolean) {
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
      (depositorUntilMs ?? 0) >= at && !this.staff.has(gamerId) && !isExcluded(gamerId);
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
  if (sponsor !== undefined && earns(sponsor)) {
    due.push({ gamerId: sponsor.gamerId, level: null, direct: true, cents: quantity * terms.directBonusCents });
  }
  return due;
}

const allocationText = ({ gamerId, level, direct }: DueAllocation): string =>
  `${gamerId} at ${level === null ? 'no level' : `level ${level}`}${direct ? ', direct' : ''}`;
