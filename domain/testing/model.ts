import { Treasury, type TreasuryCommand } from './model-treasury.js';

/*
 * The game once more, as the decisions tell it and as plainly as can be: it walks where the ledger computes, adds up where
 * the ledger folds, and shares not a line with it. Generated commands are held against it.
 */

export interface ModelTimers {
  pregameDurationSeconds: number;
  liveDurationSeconds: number;
  downtimeDurationSeconds: number;
  tokenExtensionSeconds: number;
}

export type ModelCommand =
  | { type: 'EnrolHouse'; gamerId: string }
  | { type: 'EnrolGamer'; gamerId: string; sponsorId: string | null }
  | { type: 'StartGame' }
  | { type: 'ForceStartLive' }
  | { type: 'ResetGame'; reason: string }
  | { type: 'ChangeTimers'; timers: ModelTimers }
  | { type: 'AdvanceClock'; lastAliveAtEpochMs: number }
  | { type: 'BuyTokens'; buyerId: string; quantity: number }
  | { type: 'TransferWinnings'; gamerId: string; amountCents: number }
  | { type: 'AdjustBalance'; gamerId: string; purchaseCents: number; winningsCents: number; reason: string }
  | { type: 'SetDepositorStatus'; gamerId: string; isDepositor: boolean }
  | { type: 'RemoveGamer'; gamerId: string }
  | TreasuryCommand;

export interface ModelGamer {
  sponsor: string | null;
  parent: string | null;
  children: (string | null)[];
  depositorUntil: number | null;
  purchase: number;
  winnings: number;
}

const THIRTY_DAYS_MS = 2_592_000_000;
const isCount = (value: number, most: number): boolean => Number.isInteger(value) && value > 0 && value <= most;

export class Model {
  readonly gamers = new Map<string, ModelGamer>();
  /** How many ever enrolled. */
  enrolled = 0;
  readonly treasury = new Treasury(this);
  house: string | null = null;
  phase: 'idle' | 'pregame' | 'live' | 'downtime' = 'idle';
  round = 0;
  endsAt = 0;
  jackpot = 0;
  profit = 0;
  unclaimed = 0;
  adjustments = 0;
  forfeited = 0;
  timers: ModelTimers = {
    pregameDurationSeconds: 180,
    liveDurationSeconds: 120,
    downtimeDurationSeconds: 14_400,
    tokenExtensionSeconds: 30,
  };
  lastBuyer: string | null = null;
  lastWinner: string | null = null;
  tokensOfRound = 0;
  private extensionOfRound = 30;

  /** Every reason for which a command must be refused; it must be accepted when there is none. */
  reasonsAgainst(command: ModelCommand, at: number): string[] {
    const reasons: (string | false)[] = [];
    switch (command.type) {
      case 'EnrolHouse':
        reasons.push(this.house !== null && 'gamer-already-enrolled');
        break;
      case 'EnrolGamer':
        reasons.push(this.gamers.has(command.gamerId) && 'gamer-already-enrolled');
        reasons.push(command.sponsorId !== null && !this.gamers.has(command.sponsorId) && 'referral-code-not-found');
        break;
      case 'StartGame':
        reasons.push(this.phase !== 'idle' && 'game-not-idle');
        break;
      case 'ForceStartLive':
        reasons.push(this.phase === 'live' && 'game-already-live');
        break;
      case 'ResetGame':
        reasons.push(this.phase === 'idle' && 'game-already-idle');
        reasons.push(this.phase === 'live' && at >= this.endsAt && this.lastBuyer !== null && 'round-being-decided');
        break;
      case 'ChangeTimers': {
        const { tokenExtensionSeconds, ...phases } = command.timers;
        const fine = Object.values(phases).every((seconds) => isCount(seconds, 365 * 86_400));
        reasons.push(!(fine && isCount(tokenExtensionSeconds, 86_400)) && 'invalid-timers');
        break;
      }
      case 'AdvanceClock':
        break;
      case 'BuyTokens':
        reasons.push(...this.reasonsAgainstPurchase(command.buyerId, command.quantity, at));
        break;
      case 'TransferWinnings': {
        const { amountCents, gamerId } = command;
        reasons.push(!this.gamers.has(gamerId) && 'gamer-not-found');
        reasons.push(!isCount(amountCents, 2 ** 53 - 1) && 'invalid-transfer-amount');
        reasons.push(amountCents > (this.gamers.get(gamerId)?.winnings ?? 0) && 'transfer-exceeds-winnings');
        break;
      }
      case 'AdjustBalance': {
        const { gamerId, purchaseCents, winningsCents } = command;
        const gamer = this.gamers.get(gamerId);
        const both = [purchaseCents, winningsCents];
        reasons.push(!gamer && 'gamer-not-found', gamerId === this.house && 'admin-has-no-balances');
        reasons.push(
          !both.every((cents) => cents === 0 || isCount(Math.abs(cents), 100_000_000)) && 'invalid-adjustment',
        );
        reasons.push(both.every((cents) => cents === 0) && 'invalid-adjustment');
        const below = (gamer?.purchase ?? 0) + purchaseCents < 0 || (gamer?.winnings ?? 0) + winningsCents < 0;
        reasons.push(below && 'adjustment-below-zero');
        break;
      }
      case 'SetDepositorStatus':
        reasons.push(!this.gamers.has(command.gamerId) && 'gamer-not-found');
        reasons.push(command.gamerId === this.house && 'admin-is-no-depositor');
        break;
      case 'RemoveGamer': {
        const { gamerId } = command;
        reasons.push(gamerId === this.house && 'admin-cannot-be-removed');
        reasons.push(!this.gamers.has(gamerId) && 'gamer-not-found');
        reasons.push(this.treasury.hasOpenWithdrawal(gamerId) && 'gamer-has-pending-withdrawal');
        reasons.push(this.phase === 'live' && this.lastBuyer === gamerId && 'gamer-is-last-buyer');
        break;
      }
      default:
        reasons.push(...this.treasury.reasonsAgainst(command));
    }
    return reasons.filter((reason) => reason !== false);
  }

  private reasonsAgainstPurchase(buyerId: string, quantity: number, at: number): string[] {
    const reasons: string[] = [];
    if (!Number.isInteger(quantity) || quantity < 1) reasons.push('invalid-quantity');
    if (quantity > 10_000) reasons.push('too-many-tokens');
    if (buyerId === this.house) reasons.push('admin-cannot-buy');
    const buyer = this.gamers.get(buyerId);
    if (!buyer) reasons.push('gamer-not-found');
    if (this.phase !== 'live') reasons.push(`game-${this.phase}`);
    if (this.phase === 'live' && at >= this.endsAt) reasons.push('game-downtime');
    if (quantity * 30 > (buyer?.purchase ?? 0)) reasons.push('insufficient-balance');
    return reasons;
  }

  /** Carries out a command against which there is no reason; what it may create is called `freshId`. */
  carryOut(command: ModelCommand, at: number, freshId: string): void {
    switch (command.type) {
      case 'EnrolHouse':
        this.house = command.gamerId;
        this.enrolled += 1;
        this.gamers.set(command.gamerId, newcomer(null));
        return;
      case 'EnrolGamer':
        this.enrolled += 1;
        this.gamers.set(command.gamerId, newcomer(command.sponsorId));
        this.place(command.gamerId, command.sponsorId ?? (this.house as string));
        return;
      case 'StartGame':
        this.openRound(at);
        return;
      case 'ForceStartLive':
        if (this.phase !== 'pregame') this.openRound(at);
        this.phase = 'live';
        this.endsAt = at + 300_000;
        return;
      case 'ResetGame':
        this.phase = 'idle';
        this.lastBuyer = null;
        return;
      case 'ChangeTimers':
        this.timers = command.timers;
        return;
      case 'AdvanceClock':
        this.advance(at, command.lastAliveAtEpochMs);
        return;
      case 'BuyTokens':
        this.buy(command.buyerId, command.quantity, at);
        return;
      case 'TransferWinnings': {
        const gamer = this.gamer(command.gamerId);
        gamer.winnings -= command.amountCents;
        gamer.purchase += command.amountCents;
        return;
      }
      case 'AdjustBalance': {
        const gamer = this.gamer(command.gamerId);
        gamer.purchase += command.purchaseCents;
        gamer.winnings += command.winningsCents;
        this.adjustments -= command.purchaseCents + command.winningsCents;
        return;
      }
      case 'SetDepositorStatus':
        this.gamer(command.gamerId).depositorUntil = command.isDepositor ? at + THIRTY_DAYS_MS : null;
        return;
      case 'RemoveGamer':
        this.remove(command.gamerId);
        return;
      default:
        this.treasury.carryOut(command, at, freshId);
    }
  }

  /** What every account holds, but those that hold nothing. */
  accounts(): Record<string, number> {
    const { treasury } = this;
    const all: [string, number][] = [
      ['jackpot', this.jackpot],
      ['house:profit', this.profit],
      ['house:unclaimed', this.unclaimed],
      ['house:adjustments', this.adjustments],
      ['house:forfeited', this.forfeited],
      ['house:deposit-fees', treasury.fees],
      ['payouts:pending', treasury.pending],
      ['world:crypto', treasury.world],
    ];
    for (const [id, { purchase, winnings }] of this.gamers) {
      all.push([`gamer:${id}:purchase`, purchase], [`gamer:${id}:winnings`, winnings]);
    }
    return Object.fromEntries(all.filter(([, cents]) => cents !== 0));
  }

  /** Level by level, left to right. */
  private place(gamerId: string, under: string): void {
    const queue = [under];
    for (const parent of queue) {
      const { children } = this.gamer(parent);
      const free = children.indexOf(null);
      if (free >= 0) {
        children[free] = gamerId;
        this.gamer(gamerId).parent = parent;
        return;
      }
      queue.push(...(children as string[]));
    }
  }

  private remove(gamerId: string): void {
    const { parent, children, purchase, winnings } = this.gamer(gamerId);
    const above = this.gamer(parent as string);
    const [first = null, ...others] = children.filter((child) => child !== null);
    this.forfeited += purchase + winnings;
    this.gamers.delete(gamerId);
    above.children[above.children.indexOf(gamerId)] = first;
    if (first !== null) this.gamer(first).parent = parent;
    for (const child of others) this.place(child, parent as string);
  }

  private openRound(at: number): void {
    this.round += 1;
    this.phase = 'pregame';
    this.endsAt = at + this.timers.pregameDurationSeconds * 1000;
    this.extensionOfRound = this.timers.tokenExtensionSeconds;
    this.lastBuyer = null;
    this.tokensOfRound = 0;
  }

  private advance(at: number, lastAliveAt: number): void {
    if (this.phase === 'idle' || at < this.endsAt) return;
    if (this.phase === 'downtime') {
      this.openRound(at);
    } else if (this.phase === 'pregame') {
      this.phase = 'live';
      this.endsAt = at + this.timers.liveDurationSeconds * 1000;
    } else if (lastAliveAt < this.endsAt) {
      this.endsAt = at + Math.max(30_000, this.endsAt - lastAliveAt);
    } else {
      this.endRound(at);
    }
  }

  private endRound(at: number): void {
    this.lastWinner = this.lastBuyer;
    if (this.lastBuyer !== null) {
      this.gamer(this.lastBuyer).winnings += this.jackpot;
      this.jackpot = 0;
    }
    this.phase = 'downtime';
    this.endsAt = at + this.timers.downtimeDurationSeconds * 1000;
  }

  /** Token by token: 13 to the jackpot, 2 to the house, 2 to each of seven above, 1 to the sponsor. */
  buy(buyerId: string, quantity: number, at: number): void {
    const earns = (id: string | null): boolean => {
      // A sponsor may be gone.
      const until = id === null || id === this.house ? null : this.gamers.get(id)?.depositorUntil;
      return typeof until === 'number' && until >= at;
    };
    const pay = (id: string | null, cents: number): void => {
      if (id !== null && earns(id)) this.gamer(id).winnings += cents * quantity;
      else this.unclaimed += cents * quantity;
    };
    const buyer = this.gamer(buyerId);
    buyer.purchase -= 30 * quantity;
    this.jackpot += 13 * quantity;
    this.profit += 2 * quantity;
    let above = buyer.parent;
    for (let level = 1; level <= 7; level += 1) {
      pay(above, 2);
      above = above === null ? null : this.gamer(above).parent;
    }
    pay(buyer.sponsor, 1);
    this.lastBuyer = buyerId;
    this.tokensOfRound += quantity;
    this.endsAt += quantity * this.extensionOfRound * 1000;
  }

  private gamer(gamerId: string): ModelGamer {
    const gamer = this.gamers.get(gamerId);
    if (!gamer) throw new Error(`the model has no gamer ${gamerId}`);
    return gamer;
  }
}

const newcomer = (sponsor: string | null): ModelGamer => ({
  sponsor,
  parent: null,
  children: [null, null, null],
  depositorUntil: null,
  purchase: 0,
  winnings: 0,
});
