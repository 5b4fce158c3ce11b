import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { GamePhase, GameState, StateResponse } from '../../../contracts/http/game.js';
import { BOARD_PURCHASES } from '../../../contracts/limits.js';
import type { ServerToClient } from '../../../contracts/live.js';
import { type PlainRefusalCode, refusalText } from '../../../contracts/refusals.js';
import { get } from './api/api-client.js';
import { addClockSample, serverNow } from './clock.js';
import { emitPageEvent, onPageEvent, usePageEvent } from './live/live-events.js';

const BOARD_EVENTS = [
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

/** `resync`: a message was missed, or no board is known yet, so the whole board must be fetched. */
type Receipt = { kind: 'apply'; board: GameState } | { kind: 'ignore' } | { kind: 'resync' };

export function receive(board: GameState | undefined, { name, message }: BoardMessage): Receipt {
  if (name === 'state:update') {
    const { position: _, ...whole } = message;
    return board && whole.version < board.version ? { kind: 'ignore' } : { kind: 'apply', board: whole };
  }
  if (!board) return { kind: 'resync' };
  if (message.version <= board.version) return { kind: 'ignore' };
  if (message.previousVersion !== board.version) return { kind: 'resync' };
  const changed = change(board, { name, message } as Exclude<BoardMessage, { name: 'state:update' }>);
  return { kind: 'apply', board: { ...board, ...changed, version: message.version } };
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
      return afterPurchase(board, message);
    case 'game:time-extended':
      return { isActive: true, endsAtEpochMs: message.newEndTime, jackpotCents: message.jackpotCents };
  }
}

function afterPurchase(board: GameState, message: Message<'purchase:added'>): Partial<GameState> {
  const { purchaseId, buyerId, buyerGamerTag, timestamp, quantity, addedSeconds, newJackpot } = message;
  const purchase = { purchaseId, buyerId, buyerGamerTag, ts: timestamp, quantity, addedSeconds, newJackpot };
  const others = board.purchases.filter((other) => other.purchaseId !== purchaseId);
  return {
    jackpotCents: newJackpot,
    lastBuyerId: buyerId,
    lastBuyerGamerTag: buyerGamerTag,
    purchases: [purchase, ...others].slice(0, BOARD_PURCHASES),
  };
}

const CLOSED_PHASES: Partial<Record<GamePhase, PlainRefusalCode>> = {
  pregame: 'game-pregame',
  downtime: 'game-downtime',
  idle: 'game-idle',
};

/** Why nothing can be bought in this phase (specification §5, buy tokens); null while the game is live. */
export function cannotBuyText(board: Pick<GameState, 'gameState' | 'isActive'> | null | undefined): string | null {
  if (board?.gameState === 'live' && board.isActive) return null;
  return refusalText({ code: (board && CLOSED_PHASES[board.gameState]) ?? 'no-active-game' });
}

const boardKey = ['/api', 'state'] as const;

const FETCH_TRIES = 3;
const FETCH_GAP_MS = 200;
/** The newest version that a message announced: an older board must be fetched again. */
let announcedVersion = 0;

async function fetchBoard(client: QueryClient, signal: AbortSignal): Promise<GameState> {
  const before = client.getQueryData<GameState>(boardKey);
  let fresh = await requestBoard(signal);
  for (let tries = 1; fresh.version < announcedVersion && tries < FETCH_TRIES; tries += 1) {
    await new Promise((done) => setTimeout(done, FETCH_GAP_MS));
    fresh = await requestBoard(signal);
  }
  announcedVersion = 0;
  // Messages that arrived during the request may have made a newer board than its answer.
  const now = client.getQueryData<GameState>(boardKey);
  return now && now !== before && now.version > fresh.version ? now : fresh;
}

async function requestBoard(signal: AbortSignal): Promise<GameState> {
  const sentAtMs = performance.now();
  const { currentGame } = await get<StateResponse>(boardKey, signal);
  addClockSample(sentAtMs, performance.now(), currentGame.serverTimeEpochMs);
  return currentGame;
}

/** The public state of the game: fetched once, then updated by the socket's messages. */
export const useBoard = () =>
  useQuery({ queryKey: boardKey, queryFn: ({ client, signal }) => fetchBoard(client, signal) });

/** Applies every message to the board. A gap in versions or a new connection refetches the whole board. */
export function useBoardSync(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stops = BOARD_EVENTS.map((name) =>
      onPageEvent(name, (message) => applyMessage(client, { name, message } as BoardMessage)),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  usePageEvent('socket-connected', () => void resyncBoard(client));
  useOverduePhase(client);
}

const OVERDUE_MS = 2_000;
const OVERDUE_CHECKED_EVERY_MS = 5_000;

/** Refetches the board while its phase should have ended but no message has announced the next one. */
function useOverduePhase(client: QueryClient): void {
  const { data: board } = useBoard();
  const endsAtEpochMs = board?.endsAtEpochMs ?? null;
  useEffect(() => {
    if (endsAtEpochMs === null) return;
    const check = () => {
      if (serverNow() > endsAtEpochMs + OVERDUE_MS) void resyncBoard(client);
    };
    const timer = setInterval(check, OVERDUE_CHECKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, endsAtEpochMs]);
}

/** Refetches the board. A running fetch goes on: in a stream of messages, cancelling each one would never show a board. */
function resyncBoard(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: boardKey, exact: true }, { cancelRefetch: false });
}

function applyMessage(client: QueryClient, received: BoardMessage): void {
  const before = client.getQueryData<GameState>(boardKey);
  const receipt = receive(before, received);
  if (receipt.kind === 'resync') {
    announcedVersion = Math.max(announcedVersion, received.message.version);
    void resyncBoard(client);
  }
  if (receipt.kind !== 'apply') return;
  client.setQueryData<GameState>(boardKey, receipt.board);
  const wasLive = before?.gameState === 'live' && before.isActive;
  if (receipt.board.gameState === 'live' && receipt.board.isActive && !wasLive) {
    emitPageEvent('live-started', { roundId: receipt.board.roundId });
  }
  if (received.name === 'game:transition-to-live')
    emitPageEvent('seamless-transition', { message: received.message.message });
}
