import type { GamerEnrolled, GamerRemoved, LedgerEvent, TokenPurchased } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import {
  DIRECT_BONUS_CENTS,
  HOUSE_SHARE_CENTS,
  JACKPOT_SHARE_CENTS,
  LEVEL_SHARE_CENTS,
  MATRIX_DEPTH,
  MATRIX_WIDTH,
  TOKEN_PRICE_CENTS,
} from '../contracts/limits.js';
import { cents } from './finding.js';

interface Place {
  sponsorId: GamerId | null;
  parentId: GamerId | null;
  slot: number | null;
  depositorUntilEpochMs: number | null;
}

/**
 * Who stands where in the matrix, and so who must be paid for a token (decisions 1 to 3 and 7). Kept apart from the
 * deciders' own matrix on purpose: it shares only the product's numbers with it.
 */
export class Entitlements {
  private readonly places = new Map<GamerId, Place>();
  /** `parentId/slot` of every gamer below the house. */
  private readonly taken = new Set<string>();
  private houseId: GamerId | null = null;

  /** Folds an event, after checking it against what came before; says what is wrong with it. */
  take(event: LedgerEvent, at: number): string[] {
    switch (event.type) {
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

  private enrol({ gamerId, sponsorId, parentId, slot }: GamerEnrolled['data']): string[] {
    const said: string[] = [];
    if (this.places.has(gamerId)) said.push(`${gamerId} has a place already`);
    if (this.houseId === null) this.houseId = gamerId;
    else said.push(...this.occupy(gamerId, parentId, slot));
    if (sponsorId !== null && !this.places.has(sponsorId)) said.push(`the sponsor ${sponsorId} is not there`);
    this.places.set(gamerId, { sponsorId, parentId, slot, depositorUntilEpochMs: null });
    return said;
  }

  /** The children of who leaves move one after another (decision 14). */
  private remove({ gamerId, moved }: GamerRemoved['data']): string[] {
    const left = this.places.get(gamerId);
    if (left === undefined || gamerId === this.houseId) return [`${gamerId} cannot be removed`];
    const said: string[] = [];
    this.places.delete(gamerId);
    this.taken.delete(`${left.parentId}/${left.slot}`);
    const children = [...this.places].filter(([, { parentId }]) => parentId === gamerId).map(([id]) => id);
    for (const { gamerId: child, parentId, slot } of moved) {
      const place = this.places.get(child);
      if (place?.parentId !== gamerId) said.push(`${child} moved, but is no child of ${gamerId}`);
      else {
        this.taken.delete(`${gamerId}/${place.slot}`);
        said.push(...this.occupy(child, parentId, slot));
        this.places.set(child, { ...place, parentId, slot });
      }
    }
    const lost = children.filter((child) => this.places.get(child)?.parentId === gamerId);
    return lost.length > 0 ? [...said, `${lost.join(', ')} did not move`] : said;
  }

  private occupy(gamerId: GamerId, parentId: GamerId | null, slot: number | null): string[] {
    if (parentId === null || !this.places.has(parentId)) return [`${gamerId} stands below nobody who is there`];
    if (slot === null || slot < 0 || slot >= MATRIX_WIDTH) return [`${gamerId} stands in slot ${slot}`];
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

  private checkSplit(bought: TokenPurchased['data'], at: number): string[] {
    const { buyerId, quantity, costCents, jackpotShareCents, houseShareCents } = bought;
    const said: string[] = [];
    const share = (name: string, stated: number, each: number): void => {
      if (stated !== quantity * each) said.push(`${name} ${cents(stated)} for ${quantity} tokens at ${each} cents`);
    };
    share('costs', costCents, TOKEN_PRICE_CENTS);
    share('gives the jackpot', jackpotShareCents, JACKPOT_SHARE_CENTS);
    share('gives the house', houseShareCents, HOUSE_SHARE_CENTS);
    if (buyerId === this.houseId || !this.places.has(buyerId)) return [...said, `${buyerId} may not buy`];
    const paid = new Map<string, number>();
    for (const { gamerId, level, direct, cents: amount } of bought.allocations) {
      paid.set(`${gamerId} at level ${level}${direct ? ', direct' : ''}`, amount);
    }
    const due = this.dueFor(buyerId, quantity, at);
    if (paid.size !== bought.allocations.length) said.push('pays somebody twice');
    for (const [whom, amount] of due) {
      if (paid.get(whom) !== amount)
        said.push(`owes ${cents(amount)} to ${whom}, and pays ${cents(paid.get(whom) ?? 0)}`);
    }
    for (const [whom, amount] of paid)
      if (!due.has(whom)) said.push(`pays ${cents(amount)} to ${whom}, and owes nothing`);
    return said;
  }

  private dueFor(buyerId: GamerId, quantity: number, at: number): Map<string, number> {
    const due = new Map<string, number>();
    const sponsorId = this.places.get(buyerId)?.sponsorId ?? null;
    let sponsorIsUpline = false;
    let above = this.places.get(buyerId)?.parentId ?? null;
    for (let level = 1; level <= MATRIX_DEPTH && above !== null; level += 1) {
      const direct = above === sponsorId;
      sponsorIsUpline ||= direct;
      const each = LEVEL_SHARE_CENTS + (direct ? DIRECT_BONUS_CENTS : 0);
      if (this.earns(above, at)) due.set(`${above} at level ${level}${direct ? ', direct' : ''}`, quantity * each);
      above = this.places.get(above)?.parentId ?? null;
    }
    if (sponsorId !== null && !sponsorIsUpline && this.earns(sponsorId, at)) {
      due.set(`${sponsorId} at level null, direct`, quantity * DIRECT_BONUS_CENTS);
    }
    return due;
  }

  private earns(gamerId: GamerId, at: number): boolean {
    const until = this.places.get(gamerId)?.depositorUntilEpochMs ?? null;
    return gamerId !== this.houseId && until !== null && until >= at;
  }
}
