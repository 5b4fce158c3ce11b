import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { GameState, StateResponse } from '../../../../contracts/http/game.js';
import { get } from '../api/api-client.js';
import { addClockSample, serverNow } from '../clock/server-clock.js';
import { onPageEvent, sayInPage, usePageEvent } from '../live/live-events.js';
import { BOARD_EVENTS, type BoardMessage, receive } from './receive.js';

const boardKey = ['/api', 'state'] as const;

const FETCH_TRIES = 3;
const FETCH_GAP_MS = 200;
/** The newest version a message spoke of: a board older than this has to be asked for again. */
let wantedVersion = 0;

async function fetchBoard(client: QueryClient, signal: AbortSignal): Promise<GameState> {
  const before = client.getQueryData<GameState>(boardKey);
  let fresh = await askForBoard(signal);
  for (let tries = 1; fresh.version < wantedVersion && tries < FETCH_TRIES; tries += 1) {
    await new Promise((done) => setTimeout(done, FETCH_GAP_MS));
    fresh = await askForBoard(signal);
  }
  wantedVersion = 0;
  // Messages that came meanwhile may have made a newer board than the answer.
  const now = client.getQueryData<GameState>(boardKey);
  return now && now !== before && now.version > fresh.version ? now : fresh;
}

async function askForBoard(signal: AbortSignal): Promise<GameState> {
  const sentAtMs = performance.now();
  const { currentGame } = await get<StateResponse>(boardKey, signal);
  addClockSample(sentAtMs, performance.now(), currentGame.serverTimeEpochMs);
  return currentGame;
}

/** The game as everyone sees it: asked for once, then kept by the messages of the socket. */
export const boardQuery = queryOptions({
  queryKey: boardKey,
  queryFn: ({ client, signal }) => fetchBoard(client, signal),
});

export const useBoard = () => useQuery(boardQuery);

/** Applies every message to the board; a gap in versions, or a new connection, asks for the whole board again. */
export function useBoardSync(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stops = BOARD_EVENTS.map((name) =>
      onPageEvent(name, (message) => take(client, { name, message } as BoardMessage)),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
  usePageEvent('socket-connected', () => void resyncBoard(client));
  useOverduePhase(client);
}

const OVERDUE_MS = 2_000;
const ASKED_AGAIN_EVERY_MS = 5_000;

/** A phase that ended without a word from the server: what came of it is asked for, until it is known. */
function useOverduePhase(client: QueryClient): void {
  const { data: board } = useBoard();
  const endsAtEpochMs = board?.endsAtEpochMs ?? null;
  useEffect(() => {
    if (endsAtEpochMs === null) return;
    const check = () => {
      if (serverNow() > endsAtEpochMs + OVERDUE_MS) void resyncBoard(client);
    };
    const timer = setInterval(check, ASKED_AGAIN_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, endsAtEpochMs]);
}

/** A fetch under way is left to finish: under a stream of messages, cancelling it would put the board off for ever. */
export function resyncBoard(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: boardKey, exact: true }, { cancelRefetch: false });
}

function take(client: QueryClient, received: BoardMessage): void {
  const before = client.getQueryData<GameState>(boardKey);
  const receipt = receive(before, received);
  if (receipt.kind === 'resync') {
    wantedVersion = Math.max(wantedVersion, received.message.version);
    void resyncBoard(client);
  }
  if (receipt.kind !== 'apply') return;
  client.setQueryData<GameState>(boardKey, receipt.board);
  const wasLive = before?.gameState === 'live' && before.isActive;
  if (receipt.board.gameState === 'live' && receipt.board.isActive && !wasLive) {
    sayInPage('live-started', { roundId: receipt.board.roundId });
  }
  if (received.name === 'game:transition-to-live')
    sayInPage('seamless-transition', { message: received.message.message });
}
