import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamePhase } from '../contracts/http/game.js';
import type { GamerId, PurchaseId, RoundId } from '../contracts/ids.js';
import { BOARD_PURCHASES, DEFAULT_TIMERS, type TimerSettings } from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';

/**
 * The game as everyone sees it, folded from the ledger. One fold for the deciders, the table and the sockets.
 *
 * idle → pregame → live → downtime → pregame …; the admin may force live from any phase but live, and reset to idle.
 * A jackpot that nobody won, or whose round was voided, stays in the pot and is the next round's start.
 */
export interface Game {
  phase: GamePhase;
  /** The round of this phase; null before the first and after a reset. */
  roundId: RoundId | null;
  /** The highest round number so far; 0 before the first. */
  lastRoundId: RoundId;
  /** End of the phase, epoch ms; null when idle. */
  endsAtEpochMs: number | null;
  /** What the next winner gets. Equals the account `jackpot`. */
  jackpotCents: Cents;
  /** The settings as last changed: they hold from the next phase on (decision 21). */
  timers: TimerSettings;
  /** What a token adds in this round: fixed when the round was opened (decision 21). */
  roundExtensionSeconds: number;
  /** This round's, newest first, at most 24. */
  purchases: readonly BoardPurchase[];
  /** This round's, in all. */
  purchaseCount: number;
  tokenCount: number;
  resumed: { outageSeconds: number; atEpochMs: number } | null;
  lastResult: GameResult | null;
  /** Grows by one with every event that changes the board. */
  version: number;
}

export interface BoardPurchase {
  purchaseId: PurchaseId;
  buyerId: GamerId;
  atEpochMs: number;
  quantity: number;
  addedSeconds: number;
  /** The jackpot after it. */
  jackpotCents: Cents;
  /** The end of the countdown after it. */
  endsAtEpochMs: number;
}

export interface GameResult {
  roundId: RoundId;
  winnerId: GamerId | null;
  jackpotCents: Cents;
  endedAtEpochMs: number;
  tokenCount: number;
}

export const initialGame: Game = {
  phase: 'idle',
  roundId: null,
  lastRoundId: 0,
  endsAtEpochMs: null,
  jackpotCents: 0,
  timers: DEFAULT_TIMERS,
  roundExtensionSeconds: DEFAULT_TIMERS.tokenExtensionSeconds,
  purchases: [],
  purchaseCount: 0,
  tokenCount: 0,
  resumed: null,
  lastResult: null,
  version: 0,
};

/** The game after an event. `at` is the event's ledger time. Events that do not concern the board return it unchanged. */
export function evolveGame(game: Game, event: LedgerEvent, at: number): Game {
  const change = changeOf(game, event, at);
  return change ? { ...game, ...change, version: game.version + 1 } : game;
}

function changeOf(game: Game, event: LedgerEvent, at: number): Partial<Game> | null {
  switch (event.type) {
    case 'GameStarted':
      return {
        ...noPurchases,
        phase: 'pregame',
        roundId: event.data.roundId,
        lastRoundId: event.data.roundId,
        endsAtEpochMs: event.data.pregameEndsAtEpochMs,
        roundExtensionSeconds: event.data.timers.tokenExtensionSeconds,
      };
    case 'LiveStarted':
      return { phase: 'live', endsAtEpochMs: event.data.endsAtEpochMs };
    case 'LiveResumed':
      return {
        endsAtEpochMs: event.data.endsAtEpochMs,
        resumed: { outageSeconds: event.data.outageSeconds, atEpochMs: at },
      };
    case 'TokenPurchased':
      return withPurchase(game, event.data, at);
    case 'TimeExtended':
      return withExtension(game, event.data);
    case 'RoundEnded':
      return {
        phase: 'downtime',
        endsAtEpochMs: event.data.nextRoundAtEpochMs,
        jackpotCents: event.data.winner ? 0 : game.jackpotCents,
        resumed: null,
        lastResult: {
          roundId: event.data.roundId,
          winnerId: event.data.winner?.gamerId ?? null,
          jackpotCents: event.data.jackpotCents,
          endedAtEpochMs: event.data.endedAtEpochMs,
          tokenCount: game.tokenCount,
        },
      };
    case 'GameReset':
      return { ...noPurchases, phase: 'idle', roundId: null, endsAtEpochMs: null };
    case 'TimersChanged':
      return { timers: event.data };
    default:
      return null;
  }
}

const noPurchases = { purchases: [], purchaseCount: 0, tokenCount: 0, resumed: null } satisfies Partial<Game>;

function withPurchase(
  game: Game,
  bought: { purchaseId: PurchaseId; buyerId: GamerId; quantity: number; jackpotCents: Cents },
  at: number,
): Partial<Game> {
  const purchase: BoardPurchase = {
    purchaseId: bought.purchaseId,
    buyerId: bought.buyerId,
    atEpochMs: at,
    quantity: bought.quantity,
    addedSeconds: 0,
    jackpotCents: bought.jackpotCents,
    endsAtEpochMs: game.endsAtEpochMs ?? at,
  };
  return {
    jackpotCents: bought.jackpotCents,
    purchases: [purchase, ...game.purchases.slice(0, BOARD_PURCHASES - 1)],
    purchaseCount: game.purchaseCount + 1,
    tokenCount: game.tokenCount + bought.quantity,
  };
}

function withExtension(
  game: Game,
  extension: { purchaseId: PurchaseId; addedSeconds: number; endsAtEpochMs: number },
): Partial<Game> {
  const { addedSeconds, endsAtEpochMs } = extension;
  const [last, ...earlier] = game.purchases;
  if (last?.purchaseId !== extension.purchaseId) {
    throw new Error(`TimeExtended names purchase ${extension.purchaseId}, the last one is ${last?.purchaseId}`);
  }
  return { endsAtEpochMs, purchases: [{ ...last, addedSeconds, endsAtEpochMs }, ...earlier] };
}
