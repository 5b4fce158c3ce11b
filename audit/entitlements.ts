import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import { termsOf, WIDTH_BEFORE_ROUNDS } from '../contracts/events/upcast.js';
import type { GamerId } from '../contracts/ids.js';
import { MATRIX_DEPTH, type RoundTerms } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { cents } from './finding.js';

interface Place {
  sponsorId: GamerId | null;
  parentId: GamerId | null;
  slot: number | null;
  depositorUntilEpochMs: number | null;
}

/** An allocation of a purchase. */
interface Due {
  gamerId: GamerId;
  /** Null for a sponsor who is no upline. */
  level: number | null;
  direct: boolean;
  cents: Cents;
}

/**
 * A second matrix, to check the places of gamers and the payments of each purchase (decisions 1 to 3 and 7). It shares
 * only the product's numbers with the deciders' matrix, so that a bug in one is found by the other.
 */
export class Entitlements {
  private readonly places = new Map<GamerId, Place>();
  /** `parentId/slot` of every gamer below the admin. */
  private readonly taken = new Set<string>();
  private adminId: GamerId | null = null;
  /** Terms of the newest round; null before the first. */
  private terms: RoundTerms | null = null;

  /** Checks an event against the earlier ones, folds it and returns its faults. */
  take(event: LedgerEvent, at: number): string[] {
    switch (event.type) {
      case 'GameStarted':
        return this.begin(termsOf(event.data));
      case 'GamerEnrolled':
        return this.enrol(event.data);
      case 'GamerRemoved':
        return this.remove(event.data);
      case 'DepositorStatusSet':
        return this.setDepositor(event.data.gamerId, event.data.untilEpochMs);
      case 'DepositApproved': {
        const { gamerId, depositorUntilEpochMs } = event.data;
        return depositorUntilEpochMs === null ? [] : this.setDepositor(gamerId, depositorUntilEpochMs);
      }
      case 'TokenPurchased':
        return this.checkSplit(event.data, at);
      default:
        return [];
    }
  }

  /** A round's terms must split the whole price, and never make the matrix narrower. */
  private begin(terms: RoundTerms): string[] {
    const { tokenPriceCents, jackpotShareCents, houseShareCents, levelShareCents, directBonusCents } = terms;
    const shares = [jackpotShareCents, houseShareCents, directBonusCents, ...levelShareCents];
    const split = shares.reduce((sum, share) => sum + share, 0);
    const widthBefore = this.width;
    this.terms = terms;
    return [
      ...(split === tokenPriceCents ? [] : [`has terms that split ${cents(split)} of ${cents(tokenPriceCents)}`]),
      ...(levelShareCents.length <= MATRIX_DEPTH ? [] : [`has terms for ${levelShareCents.length} levels`]),
      ...(shares.every((share) => Number.isSafeInteger(share) && share >= 0) ? [] : ['has a share that is no amount']),
      ...(this.width >= widthBefore ? [] : [`narrows the matrix from ${widthBefore} to ${this.width}`]),
    ];
  }

  private get width(): number {
    return this.terms?.matrixWidth ?? WIDTH_BEFORE_ROUNDS;
  }

  private enrol({ gamerId, sponsorId, parentId, slot }: LedgerEvents['GamerEnrolled']): string[] {
    const faults: string[] = [];
    if (this.places.has(gamerId)) faults.push(`${gamerId} has a place already`);
    if (this.adminId === null) this.adminId = gamerId;
    else faults.push(...this.occupy(gamerId, parentId, slot));
    if (sponsorId !== null && !this.places.has(sponsorId)) faults.push(`the sponsor ${sponsorId} is not there`);
    this.places.set(gamerId, { sponsorId, parentId, slot, depositorUntilEpochMs: null });
    return faults;
  }

  /** The children of the removed gamer move one after another (decision 14). */
  private remove({ gamerId, moved }: LedgerEvents['GamerRemoved']): string[] {
    const left = this.places.get(gamerId);
    if (left === undefined || gamerId === this.adminId) return [`${gamerId} cannot be removed`];
    const faults: string[] = [];
    this.places.delete(gamerId);
    this.taken.delete(`${left.parentId}/${left.slot}`);
    const children = [...this.places].filter(([, { parentId }]) => parentId === gamerId).map(([id]) => id);
    for (const { gamerId: child, parentId, slot } of moved) {
      const place = this.places.get(child);
      if (place?.parentId !== gamerId) faults.push(`${child} moved, but is no child of ${gamerId}`);
      else {
        this.taken.delete(`${gamerId}/${place.slot}`);
        faults.push(...this.occupy(child, parentId, slot));
        this.places.set(child, { ...place, parentId, slot });
      }
    }
    const lost = children.filter((child) => this.places.get(child)?.parentId === gamerId);
    return lost.length > 0 ? [...faults, `${lost.join(', ')} did not move`] : faults;
  }

  private occupy(gamerId: GamerId, parentId: GamerId | null, slot: number | null): string[] {
    if (parentId === null || !this.places.has(parentId)) return [`${gamerId} stands below nobody who is there`];
    if (slot === null || slot < 0 || slot >= this.width) return [`${gamerId} stands in slot ${slot}`];
    const place = `${parentId}/${slot}`;
    if (this.taken.has(place)) return [`${gamerId} stands in slot ${slot} of ${parentId}, which is taken`];
    this.taken.add(place);
    return [];
  }

  private setDepositor(gamerId: GamerId, depositorUntilEpochMs: number | null): string[] {
    const place = this.places.get(gamerId);
    if (place === undefined) return [`${gamerId} has no place`];
    this.places.set(gamerId, { ...place, depositorUntilEpochMs });
    return [];
  }

  private checkSplit(bought: LedgerEvents['TokenPurchased'], at: number): string[] {
    const { buyerId, quantity, costCents, jackpotShareCents, houseShareCents } = bought;
    const { terms } = this;
    if (terms === null) return ['is bought before the first round'];
    const faults: string[] = [];
    const share = (name: string, stated: number, each: number): void => {
      if (stated !== quantity * each) faults.push(`${name} ${cents(stated)} for ${quantity} tokens at ${each} cents`);
    };
    share('costs', costCents, terms.tokenPriceCents);
    share('gives the jackpot', jackpotShareCents, terms.jackpotShareCents);
    share('gives the operator', houseShareCents, terms.houseShareCents);
    if (buyerId === this.adminId || !this.places.has(buyerId)) return [...faults, `${buyerId} may not buy`];
    const due = this.dueFor(terms, buyerId, quantity, at);
    const { allocations } = bought;
    const isPaid = due.length === allocations.length && due.every((one, index) => isSame(one, allocations[index]));
    return isPaid ? faults : [...faults, ...differences(due, allocations)];
  }

  /** By level, and then the direct bonus of a sponsor who is no upline. */
  private dueFor(terms: RoundTerms, buyerId: GamerId, quantity: number, at: number): Due[] {
    const due: Due[] = [];
    const sponsorId = this.places.get(buyerId)?.sponsorId ?? null;
    let sponsorIsUpline = false;
    let above = this.places.get(buyerId)?.parentId ?? null;
    for (let level = 1; level <= terms.levelShareCents.length && above !== null; level += 1) {
      const direct = above === sponsorId;
      sponsorIsUpline ||= direct;
      const each = (terms.levelShareCents[level - 1] ?? 0) + (direct ? terms.directBonusCents : 0);
      const place = this.places.get(above);
      if (this.earns(above, place, at)) due.push({ gamerId: above, level, direct, cents: quantity * each });
      above = place?.parentId ?? null;
    }
    if (sponsorId !== null && !sponsorIsUpline && this.earns(sponsorId, this.places.get(sponsorId), at)) {
      due.push({ gamerId: sponsorId, level: null, direct: true, cents: quantity * terms.directBonusCents });
    }
    return due;
  }

  private earns(gamerId: GamerId, place: Place | undefined, at: number): boolean {
    const until = place?.depositorUntilEpochMs ?? null;
    return gamerId !== this.adminId && until !== null && until >= at;
  }
}

const isSame = (one: Due, other: Due | undefined): boolean =>
  one.gamerId === other?.gamerId &&
  one.level === other.level &&
  one.direct === other.direct &&
  one.cents === other.cents;

const whomOf = ({ gamerId, level, direct }: Due): string => `${gamerId} at level ${level}${direct ? ', direct' : ''}`;

/** Faults of allocations, in any order, that differ from those due. */
function differences(due: readonly Due[], allocations: readonly Due[]): string[] {
  const faults: string[] = [];
  const owed = new Map(due.map((one) => [whomOf(one), one.cents]));
  const paid = new Map(allocations.map((one) => [whomOf(one), one.cents]));
  if (paid.size !== allocations.length) faults.push('pays somebody twice');
  for (const [whom, amount] of owed) {
    if (paid.get(whom) !== amount)
      faults.push(`owes ${cents(amount)} to ${whom}, and pays ${cents(paid.get(whom) ?? 0)}`);
  }
  for (const [whom, amount] of paid) {
    if (!owed.has(whom)) faults.push(`pays ${cents(amount)} to ${whom}, and owes nothing`);
  }
  return faults;
}
