import type { GamePurchase, GameState } from '../../../../contracts/http/game.js';
import { BOARD_PURCHASES, TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import type { ServerToClient } from '../../../../contracts/live.js';

/** The messages that change the board. */
export const BOARD_EVENTS = [
  'state:update',
  'game:transition-to-live',
  'round:started',
  'round:ended',
  'purchase:added',
  'game:time-extended',
] as const;
type BoardEventName = (typeof BOARD_EVENTS)[number];
type Message<N extends BoardEventName> = Parameters<ServerToClient[N]>[0];
export type BoardMessage = { [N in BoardEventName]: { name: N; message: Message<N> } }[BoardEventName];

/** `resync`: something was missed, or nothing was known yet; the whole board must be asked for. */
export type Receipt = { kind: 'apply'; board: GameState } | { kind: 'ignore' } | { kind: 'resync' };

export function receive(board: GameState | undefined, { name, message }: BoardMessage): Receipt {
  if (name === 'state:update') {
    if (board && message.version < board.version) return { kind: 'ignore' };
    return { kind: 'apply', board: withoutPosition(message) };
  }
  if (!board) return { kind: 'resync' };
  if (message.version <= board.version) return { kind: 'ignore' };
  if (message.previousVersion !== board.version) return { kind: 'resync' };
  const changed = change(board, { name, message } as Exclude<BoardMessage, { name: 'state:update' }>);
  return { kind: 'apply', board: { ...board, ...changed, version: message.version } };
}

function withoutPosition({ position: _, ...board }: Message<'state:update'>): GameState {
  return board;
}

function change(
  board: GameState,
  { name, message }: Exclude<BoardMessage, { name: 'state:update' }>,
): Partial<GameState> {
  switch (name) {
    case 'round:started':
      return {
        gameState: message.gameState,
        isActive: message.gameState === 'live',
        roundId: message.roundId,
        endsAtEpochMs: message.endsAtEpochMs,
        lastBuyerId: null,
        lastBuyerGamerTag: null,
        purchases: [],
        resumed: null,
      };
    case 'game:transition-to-live':
      return { gameState: 'live', isActive: true, roundId: message.roundId, endsAtEpochMs: message.endsAtEpochMs };
    case 'round:ended':
      return {
        gameState: 'downtime',
        isActive: false,
        roundId: message.roundId,
        endsAtEpochMs: message.nextRoundAtEpochMs,
        jackpotCents: message.winner ? 0 : message.jackpotCents,
        resumed: null,
        lastResult: {
          roundId: message.roundId,
          winner: message.winner ?? null,
          jackpotCents: message.jackpotCents,
          endedAtEpochMs: board.endsAtEpochMs ?? message.nextRoundAtEpochMs,
          tokenCount: board.purchases.reduce((sum, purchase) => sum + purchase.quantity, 0),
        },
      };
    case 'purchase:added':
      return bought(board, message);
    case 'game:time-extended':
      return extended(board, message);
  }
}

function bought(board: GameState, message: Message<'purchase:added'>): Partial<GameState> {
  const quantity = tokensOf(message);
  const purchase: GamePurchase = {
    purchaseId: message.purchaseId,
    buyerId: message.buyerId,
    buyerGamerTag: message.buyerGamerTag,
    ts: message.timestamp,
    quantity,
    addedSeconds: message.addedSeconds ?? quantity * board.timers.tokenExtensionSeconds,
    newJackpot: message.newJackpot,
  };
  return {
    jackpotCents: message.newJackpot,
    lastBuyerId: message.buyerId,
    lastBuyerGamerTag: message.buyerGamerTag,
    purchases: [purchase, ...board.purchases.filter((p) => p.purchaseId !== purchase.purchaseId)].slice(
      0,
      BOARD_PURCHASES,
    ),
  };
}

/** The server says the true jackpot; the specification's 30 cents stand in for a message that does not (decision 23). */
function extended(board: GameState, message: Message<'game:time-extended'>): Partial<GameState> {
  return {
    isActive: true,
    endsAtEpochMs: message.newEndTime,
    jackpotCents: message.jackpotCents ?? board.jackpotCents + TOKEN_PRICE_CENTS,
  };
}

/** The true quantity; without one, what the specification computes: the jackpot over 30, at least 1 (decision 23). */
export function tokensOf(purchase: { quantity?: number; newJackpot: number }): number {
  return purchase.quantity ?? Math.max(1, Math.round(purchase.newJackpot / TOKEN_PRICE_CENTS));
}
