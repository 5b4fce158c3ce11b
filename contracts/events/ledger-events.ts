import type { GamerId, PurchaseId, RoundId } from '../ids.js';
import type { TimerSettings } from '../limits.js';
import type { Cents } from '../money.js';

/**
 * The events of the stream `ledger`: play and money, in one order. Gamers are known by id only.
 * Times are epoch milliseconds, amounts integer cents.
 */

/** A gamer took a place in the matrix. The first one enrolled is the house (the admin): the root, without parent or slot. */
export interface GamerEnrolled {
  type: 'GamerEnrolled';
  data: { gamerId: GamerId; sponsorId: GamerId | null; parentId: GamerId | null; slot: 0 | 1 | 2 | null };
}

/** A round was opened, in pregame. `carriedCents` is the jackpot it starts with (decisions 17, 19). */
export interface GameStarted {
  type: 'GameStarted';
  data: { roundId: RoundId; pregameEndsAtEpochMs: number; timers: TimerSettings; carriedCents: Cents };
}

export interface LiveStarted {
  type: 'LiveStarted';
  data: { roundId: RoundId; endsAtEpochMs: number; forced: boolean };
}

/** Who was paid for a token: `level` 1..7, or null for a sponsor deeper than seven levels up; `direct` adds the sponsor's cent. */
export interface Allocation {
  gamerId: GamerId;
  level: 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
  direct: boolean;
  cents: Cents;
}

export interface TokenPurchased {
  type: 'TokenPurchased';
  data: {
    purchaseId: PurchaseId;
    roundId: RoundId;
    buyerId: GamerId;
    quantity: number;
    costCents: Cents;
    source: 'balance' | 'invoice';
    jackpotShareCents: Cents;
    houseShareCents: Cents;
    allocations: Allocation[];
    /** What no upline was entitled to (decision 3). costCents = jackpot + house + allocations + unclaimed. */
    unclaimedCents: Cents;
    /** The round's jackpot after this purchase. */
    jackpotCents: Cents;
    /** The buyer's purchase balance after it. */
    purchaseBalanceCents: Cents;
  };
}

export interface TimeExtended {
  type: 'TimeExtended';
  data: { roundId: RoundId; purchaseId: PurchaseId; buyerId: GamerId; addedSeconds: number; endsAtEpochMs: number };
}

export interface RoundEnded {
  type: 'RoundEnded';
  data: {
    roundId: RoundId;
    winner: { gamerId: GamerId; purchaseId: PurchaseId } | null;
    /** Paid to the winner, or carried into the next round when there is none. */
    jackpotCents: Cents;
    endedAtEpochMs: number;
    nextRoundAtEpochMs: number;
    purchaseCount: number;
    /** RFC 6962 tree hash over the round's purchases in order (see domain/merkle.ts), lower-case hex. */
    merkleRoot: string;
  };
}

/** Nobody could buy when the countdown reached zero: the round goes on with the time that was left (decision 20). */
export interface LiveResumed {
  type: 'LiveResumed';
  data: { roundId: RoundId; outageSeconds: number; endsAtEpochMs: number };
}

/** Back to idle. A round that was open is void and its jackpot is carried (decision 19). */
export interface GameReset {
  type: 'GameReset';
  data: { roundId: RoundId | null; carriedCents: Cents; reason: string };
}

export interface TimersChanged {
  type: 'TimersChanged';
  data: TimerSettings;
}

export interface DepositorStatusSet {
  type: 'DepositorStatusSet';
  data: { gamerId: GamerId; untilEpochMs: number | null };
}

export interface WinningsTransferred {
  type: 'WinningsTransferred';
  data: {
    gamerId: GamerId;
    amountCents: Cents;
    /** The gamer's purchase balance after it. */
    purchaseBalanceCents: Cents;
  };
}

/** Signed changes made by an admin against `house:adjustments`. */
export interface BalanceAdjusted {
  type: 'BalanceAdjusted';
  data: {
    gamerId: GamerId;
    purchaseCents: Cents;
    winningsCents: Cents;
    reason: string;
    /** The gamer's purchase balance after it. */
    purchaseBalanceCents: Cents;
  };
}

export type LedgerEvent =
  | GamerEnrolled
  | GameStarted
  | LiveStarted
  | TokenPurchased
  | TimeExtended
  | RoundEnded
  | LiveResumed
  | GameReset
  | TimersChanged
  | DepositorStatusSet
  | WinningsTransferred
  | BalanceAdjusted;

export type LedgerEventType = LedgerEvent['type'];
