import type { GamePhase, GameState, RecentPurchase } from './http/game.js';
import type { GamerId, RoundId } from './ids.js';

/** Socket.IO is served here, polling first, then websocket. */
export const SOCKET_PATH = '/ws';

/**
 * On every message: `position` in the log, for `X-After-Position` on the refetch it causes.
 * On messages that change the board: `version` after it and `previousVersion`, the last one sent before;
 * a client whose version is not `previousVersion` has missed something and refetches /api/state.
 */
export interface Positioned {
  position: string;
}

export interface Versioned extends Positioned {
  version: number;
  previousVersion: number;
}

export interface RoundStarted extends Versioned {
  roundId: RoundId;
  gameState: GamePhase;
  endsAtEpochMs: number;
}

export interface TransitionToLive extends Versioned {
  gameState: 'live';
  message: string;
  timestamp: number;
  roundId: RoundId;
  endsAtEpochMs: number;
}

export interface RoundEndedMessage extends Versioned {
  roundId: RoundId;
  /** Absent when nobody bought. */
  winner?: { id: GamerId; gamerTag: string };
  jackpotCents: number;
  /** Epoch milliseconds. */
  nextRoundAtEpochMs: number;
}

export type PurchaseAdded = RecentPurchase & Versioned;

export interface TimeExtendedMessage extends Versioned {
  /** Whole seconds left. */
  newCountdown: number;
  /** Epoch milliseconds. */
  newEndTime: number;
  buyerGamerTag: string;
  timeAddedSeconds: number;
  message: string;
  timestamp: number;
  /** The true jackpot (decision 23). */
  jackpotCents: number;
}

export interface BalanceUpdated extends Positioned {
  purchaseBalanceCents: number;
}

export interface CommunityNewPost extends Positioned {
  id: string;
  gamerTag: string;
  message: string;
  createdAt: number;
}

export interface TicketMessage extends Positioned {
  ticketId: string;
}

/** What the server sends. Rooms: everyone unless said otherwise. */
export interface ServerToClient {
  'state:update': (message: GameState & Positioned) => void;
  'game:transition-to-live': (message: TransitionToLive) => void;
  'round:started': (message: RoundStarted) => void;
  'round:ended': (message: RoundEndedMessage) => void;
  'purchase:added': (message: PurchaseAdded) => void;
  'game:time-extended': (message: TimeExtendedMessage) => void;
  'stats:updated': (message: Positioned) => void;
  /** To the gamer concerned. */
  'winnings:updated': (message: Positioned) => void;
  /** To the gamer concerned. */
  balanceUpdated: (message: BalanceUpdated) => void;
  'community:new_post': (message: CommunityNewPost) => void;
  /** To the admin. */
  'admin:new_ticket': (message: TicketMessage) => void;
  /** To the admin. */
  'admin:ticket_updated': (message: TicketMessage) => void;
  /** To the gamer concerned. */
  'support:ticket_updated': (message: TicketMessage) => void;
}

/** Answered with the server's clock, epoch milliseconds: the client measures its offset with it. */
export interface ClientToServer {
  'time:sync': (answer: (serverTimeEpochMs: number) => void) => void;
}
