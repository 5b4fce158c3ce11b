import type { LedgerEvents } from '../events/ledger-events.js';
import type { GamerId, NamedGamer, PurchaseId, RoundId } from '../ids.js';
import type { TimerSettings, TokenTerms } from '../limits.js';
import type { MessageResponse } from './headers.js';

export type GamePhase = 'idle' | 'pregame' | 'live' | 'downtime';

export interface GamePurchase {
  purchaseId: PurchaseId;
  buyerId: GamerId;
  buyerGamerTag: string;
  ts: number;
  quantity: number;
  addedSeconds: number;
  /** The jackpot after the purchase, in cents. */
  newJackpot: number;
}

export type GameTerms = Pick<TokenTerms, 'tokenPriceCents' | 'jackpotShareCents' | 'houseShareCents'> &
  Pick<TimerSettings, 'tokenExtensionSeconds'>;

export interface GameState {
  gameState: GamePhase;
  /** True only while tokens can be bought. */
  isActive: boolean;
  /** Whole seconds, rounded up, floor 0; for clients that do not use endsAtEpochMs. 0 when idle. */
  countdownSecondsRemaining: number;
  roundId: RoundId | null;
  /** End of the current phase (pregame, live or downtime); null when idle. */
  endsAtEpochMs: number | null;
  jackpotCents: number;
  lastBuyerId: GamerId | null;
  lastBuyerGamerTag: string | null;
  /** Newest first, at most 24. */
  purchases: GamePurchase[];
  /** The server's clock, for the client's estimate of its offset. */
  serverTimeEpochMs: number;
  /** Grows by one with every event that changes the board. */
  version: number;
  /** The settings of this round, or of the next one when idle. */
  timers: TimerSettings;
  /** The terms of the round in pregame or live, fixed when it was opened (decision 43); else of the next round. */
  terms: GameTerms;
  /** Set when the round resumed after an outage (decision 20). */
  resumed: { outageSeconds: number; atMs: number } | null;
  /** The planned start, in every phase; null when none is planned. It is skipped if a game runs then (decision 62). */
  plan: LedgerEvents['GameScheduled'] | null;
  /** How late the round's planned start was, if it was late; else 0. */
  lateSeconds: number;
  /** The round that the admin reset, until another begins; else null. */
  resetRoundId: RoundId | null;
  /** The result of the last ended round; without a purchase it has no winner. */
  lastResult: RoundResult | null;
}

export interface RoundResult {
  roundId: RoundId;
  winner: NamedGamer | null;
  jackpotCents: number;
  endedAtMs: number;
  /** Tokens bought in the whole round. */
  tokenCount: number;
}

/** GET /api/state */
export type StateResponse = { currentGame: GameState };

/** GET /api/stats */
export interface StatsResponse {
  totalGamers: number;
  /** Dollars with two decimals, e.g. 418236.55. */
  totalWinningsDollars: number;
}

/** GET and POST /api/admin/timers */
export type TimersBody = TimerSettings;

/** POST /api/admin/game/start-live */
export interface StartLiveResponse extends MessageResponse {
  roundId: RoundId;
}

/** POST /api/admin/game/schedule: a start at this time of the zone's clocks. */
export type ScheduleRequest = Pick<LedgerEvents['GameScheduled'], 'localTime' | 'timeZone' | 'repeat'>;

/** POST /api/admin/game/schedule/cancel: the plan for this time. */
export type CancelScheduleRequest = LedgerEvents['ScheduleCancelled'];

/** POST /api/admin/game/reset */
export type ResetRequest = { reason?: string };
