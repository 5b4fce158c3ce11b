import type { GamerId, PurchaseId, RoundId } from '../ids.js';
import type { TimerSettings, TokenTerms } from '../limits.js';

export type GamePhase = 'idle' | 'pregame' | 'live' | 'downtime';

/** One purchase of the current round. */
export interface GamePurchase {
  purchaseId: PurchaseId;
  buyerId: GamerId;
  buyerGamerTag: string;
  /** Epoch milliseconds. */
  ts: number;
  quantity: number;
  addedSeconds: number;
  /** The jackpot after the purchase, in cents. */
  newJackpot: number;
}

/** Price and split of a token, and its extension of the countdown. */
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
  resumed: { outageSeconds: number; atEpochMs: number } | null;
  /** The result of the last ended round; without a purchase it has no winner. */
  lastResult: RoundResult | null;
}

export interface RoundResult {
  roundId: RoundId;
  winner: { id: GamerId; gamerTag: string } | null;
  jackpotCents: number;
  endedAtEpochMs: number;
  /** Tokens bought in the whole round. */
  tokenCount: number;
}

/** GET /api/state */
export interface StateResponse {
  currentGame: GameState;
}

/** GET /api/purchases/recent: the newest purchases, of any round. */
export interface RecentPurchase extends Omit<GamePurchase, 'ts'> {
  roundId: RoundId;
  timestamp: number;
  /** Whole seconds left after the purchase. */
  newCountdown: number;
}

export interface RecentPurchasesResponse {
  purchases: RecentPurchase[];
}

export interface Winner {
  roundId: RoundId;
  winnerId: GamerId;
  winnerGamerTag: string;
  jackpotCents: number;
  /** Epoch milliseconds. */
  endedAt: number;
}

/** GET /api/winners: newest endedAt first, at most 20 a page. */
export interface WinnersResponse {
  winners: Winner[];
}

/** A purchase of a round that may be over. */
export interface RoundPurchase extends GamePurchase {
  /** Number of the purchase in the ledger. */
  number: number;
}

/** GET /api/rounds/{roundId}?buyer=&page=&pageSize= */
export interface RoundResponse {
  roundId: RoundId;
  /** `unsold`: it ended without a purchase; `reset`: the admin ended it. In both its jackpot is carried to the next round. */
  state: 'open' | 'won' | 'unsold' | 'reset';
  startedAtEpochMs: number;
  /** Null while it is open. */
  endedAtEpochMs: number | null;
  /** Carried over from the rounds before. */
  carriedCents: number;
  /** Paid to the winner, carried to the next round, or so far. */
  jackpotCents: number;
  winner: { id: GamerId; gamerTag: string; purchaseId: PurchaseId } | null;
  /** The admin's reason for a reset; else null. */
  resetReason: string | null;
  /** Purchases in the whole round. */
  purchaseCount: number;
  /** A page of the purchases, of one buyer if the request names one; newest first. */
  purchases: RoundPurchase[];
  /** Purchases on all pages. */
  total: number;
}

/** GET /api/stats */
export interface StatsResponse {
  totalGamers: number;
  /** Dollars with two decimals, e.g. 418236.55. */
  totalWinningsDollars: number;
}

/** POST /api/buy-from-balance */
export interface BuyFromBalanceRequest {
  quantity: number;
  userId: GamerId;
}

/** The receipt of a purchase (decision 40). */
export interface PurchaseReceipt {
  success: true;
  message: string;
  purchaseId: PurchaseId;
  roundId: RoundId;
  quantity: number;
  costCents: number;
  purchaseBalanceCents: number;
  receivedAtEpochMs: number;
  endsAtEpochMs: number;
  /** Position of the purchase in the ledger: its revision in the stream `ledger`. */
  revision: number;
  /** Id of the purchase's event. A client that has it can read the event without a login: GET /api/ledger/events/{revision}. */
  eventId: string;
  /** Chain hash of the purchase's event, which no other history of the ledger can have. */
  chain: string;
}
