import type { CommunityPost } from './http/community.js';
import type { GameState } from './http/game.js';
import type { RecentPurchase } from './http/purchases.js';
import type { NamedGamer, RoundId } from './ids.js';

/** Path of Socket.IO: polling first, then websocket. */
export const SOCKET_PATH = '/ws';

/**
 * Every message has its `position` in the log, for `X-After-Position` in the refetch that it causes.
 * A message that changes the board has the board's `version` after it, and the version sent before it. A client with
 * another version than `previousVersion` has missed a message and refetches /api/state.
 *
 * Messages are sent in ticks, at most one in 16 ms (in the last ten seconds of a round, and when a phase changes, at once). In
 * a tick with more than ten purchases, the ten last have messages of their own, and `state:update` follows. A client that
 * reads too slowly gets no messages until it has read all that was sent, then `state:update` and the last missed message
 * of each kind that has no version; after ten seconds it is disconnected.
 */
type MessageBody = { position: string };

interface BoardMessage extends MessageBody {
  version: number;
  previousVersion: number;
}

interface RoundStarted extends BoardMessage, Pick<GameState, 'gameState' | 'terms'> {
  roundId: RoundId;
  endsAtEpochMs: number;
}

interface TransitionToLive extends Omit<RoundStarted, 'terms'> {
  gameState: 'live';
  message: string;
  timestamp: number;
}

interface RoundEndedMessage extends BoardMessage {
  roundId: RoundId;
  /** Absent when nobody bought. */
  winner?: NamedGamer;
  jackpotCents: number;
  nextRoundAtMs: number;
}

export type PurchaseAdded = RecentPurchase & BoardMessage;

export interface TimeExtendedMessage extends BoardMessage {
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

type TicketChangedMessage = MessageBody & { ticketId: string };

/**
 * Messages to everyone; `winnings:…`, `balanceUpdated` and `support:…` to the gamer concerned, `admin:…ticket…` to the admin and
 * operators with the power support.
 */
export interface ServerToClient {
  'state:update': (message: GameState & MessageBody) => void;
  'game:transition-to-live': (message: TransitionToLive) => void;
  'round:started': (message: RoundStarted) => void;
  'round:ended': (message: RoundEndedMessage) => void;
  'purchase:added': (message: PurchaseAdded) => void;
  'game:time-extended': (message: TimeExtendedMessage) => void;
  'stats:updated': (message: MessageBody) => void;
  'winnings:updated': (message: MessageBody) => void;
  balanceUpdated: (message: MessageBody & { purchaseBalanceCents: number }) => void;
  'community:new_post': (message: CommunityPost & MessageBody) => void;
  'admin:new_ticket': (message: TicketChangedMessage) => void;
  'admin:ticket_updated': (message: TicketChangedMessage) => void;
  /** A deposit or withdrawal came or was decided. To the admin, and to operators with the power money. */
  'admin:money_updated': (message: MessageBody) => void;
  'support:ticket_updated': (message: TicketChangedMessage) => void;
}

/** The response is the server's clock, epoch milliseconds; the client measures its offset with it. */
export interface ClientToServer {
  'time:sync': (respond: (serverTimeEpochMs: number) => void) => void;
}
