import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GamePhase, GameState, GameTerms, StateResponse } from '../../../contracts/http/game.js';
import {
  DEFAULT_TIMERS,
  MAX_BOARD_PURCHASES,
  TERMS_OF_NEW_ROUNDS,
  type TimerSettings,
} from '../../../contracts/limits.js';
import { type PlainRefusalCode, refusalText } from '../../../contracts/refusals.js';
import { get } from './api/api-client.js';
import { addClockSample } from './clock.js';
import * as live from './live/live-events.js';

/** The events that change the board. `state:update` follows the others about a phase in the same tick. */
type BoardEventName = 'state:update' | 'purchase:added' | 'game:time-extended';
export type BoardMessage = { [N in BoardEventName]: { name: N; message: live.LiveMessage<N> } }[BoardEventName];

/** `resync`: a message was missed, or no board is known yet, so the whole board must be fetched. */
type BoardUpdate = { kind: 'apply'; board: GameState } | { kind: 'ignore' | 'resync' };

export function boardUpdate(board: GameState | undefined, { name, message }: BoardMessage): BoardUpdate {
  if (name === 'state:update') {
    const { position: _, ...whole } = message;
    return board && whole.version < board.version ? { kind: 'ignore' } : { kind: 'apply', board: whole };
  }
  if (!board) return { kind: 'resync' };
  if (message.version <= board.version) return { kind: 'ignore' };
  if (message.previousVersion !== board.version) return { kind: 'resync' };
  const changed = name === 'purchase:added' ? withPurchase(board, message) : withExtension(board, message);
  return { kind: 'apply', board: { ...board, ...changed, version: message.version } };
}

function withPurchase(board: GameState, message: live.LiveMessage<'purchase:added'>): Partial<GameState> {
  const { purchaseId, buyerId, buyerGamerTag, timestamp, quantity, addedSeconds, newJackpot } = message;
  const purchase = { purchaseId, buyerId, buyerGamerTag, ts: timestamp, quantity, addedSeconds, newJackpot };
  const others = board.purchases.filter((other) => other.purchaseId !== purchaseId);
  const purchases = [purchase, ...others].slice(0, MAX_BOARD_PURCHASES);
  return { jackpotCents: newJackpot, lastBuyerId: buyerId, lastBuyerGamerTag: buyerGamerTag, purchases };
}

/** The board may have been fetched between a purchase and its extension. Its newest purchase then lacks the seconds. */
function withExtension(board: GameState, message: live.LiveMessage<'game:time-extended'>): Partial<GameState> {
  const { newEndTime: endsAtEpochMs, timeAddedSeconds: addedSeconds, jackpotCents } = message;
  const purchases = board.purchases.map((purchase, index) => (index === 0 ? { ...purchase, addedSeconds } : purchase));
  return { isActive: true, endsAtEpochMs, jackpotCents, purchases };
}

const CLOSED_PHASES: Partial<Record<GamePhase, PlainRefusalCode>> = {
  pregame: 'game-pregame',
  downtime: 'game-downtime',
  idle: 'game-idle',
};

/** Says why nothing can be bought in this phase (specification §5, buy tokens); null while the game is live. */
export function cannotBuyText(board: Pick<GameState, 'gameState' | 'isActive'> | null | undefined): string | null {
  if (board?.gameState === 'live' && board.isActive) return null;
  return refusalText({ code: (board && CLOSED_PHASES[board.gameState]) ?? 'no-active-game' });
}

const labels: Record<GamePhase, string> = {
  idle: 'Ready — Click Start to Begin',
  pregame: 'Game starting in:',
  live: 'Live Game Now Active',
  downtime: 'Downtime — Next game in:',
};

/** The phase's label in the admin panel and the guide (specification §4). */
export const phaseLabel = (phase: GamePhase): string => labels[phase] ?? 'Game Status Unknown';

export const TIMERS: readonly (readonly [keyof TimerSettings, string])[] = [
  ['pregameDurationSeconds', 'Pregame'],
  ['liveDurationSeconds', 'Live'],
  ['downtimeDurationSeconds', 'Downtime'],
  ['tokenExtensionSeconds', 'Time per token'],
];

export const boardKey = ['/api', 'state'] as const;

/** The request names the last message's position: an older response is requested again (stale-responses.ts). */
async function fetchBoard(client: QueryClient, signal: AbortSignal): Promise<GameState> {
  const before = newestBoard(client);
  const sentAtMonotonicMs = performance.now();
  let { currentGame: fresh } = await get<StateResponse>(boardKey, signal);
  addClockSample(sentAtMonotonicMs, performance.now(), fresh.serverTimeEpochMs);
  // A message that arrived before the first board was not applied. The second request names its position.
  if (fresh.version < newestVersion) fresh = (await get<StateResponse>(boardKey, signal)).currentGame;
  // Messages that arrived during the request may have made a newer board than its response.
  const now = newestBoard(client);
  const newest = now && now.version !== before?.version && now.version > fresh.version ? now : fresh;
  unshown = null;
  return newest;
}

const boardQuery = queryOptions<GameState, Error, GameState, typeof boardKey>({
  queryKey: boardKey,
  queryFn: ({ client, signal }) => fetchBoard(client, signal),
});

/** The public state of the game: fetched once, then updated by the socket's messages: a phase at once, purchases at most four times a second. */
export const useBoard = () => useQuery(boardQuery);

/** A part of the board. Only a change of this part renders the component again. Undefined until the board is known. */
export const useBoardPart = <Part>(select: (board: GameState) => Part): Part | undefined =>
  useQuery({ ...boardQuery, select }).data;

/** Says why nothing can be bought now, in this phase or without a connection; null while purchases are possible. */
export function useCannotBuyText(): string | null {
  const closed = useBoardPart(cannotBuyText);
  if (live.isDown(live.useConnection())) return 'You can buy again once the connection is back.';
  return closed === undefined ? cannotBuyText(null) : closed;
}

export const runningRound = ({ gameState, roundId }: GameState) => (gameState === 'live' ? roundId : null);

export const useTimers = (): TimerSettings => useBoardPart(({ timers }) => timers) ?? DEFAULT_TIMERS;

export const useTerms = (): GameTerms => useBoardPart(({ terms }) => terms) ?? UNKNOWN_TERMS;
const UNKNOWN_TERMS: GameTerms = { ...TERMS_OF_NEW_ROUNDS, ...DEFAULT_TIMERS };

export const shownBoard = (client: QueryClient): GameState | undefined => client.getQueryData<GameState>(boardKey);

/** Applies every message to the board. A gap in versions or a new connection refetches the whole board. */
export function useBoardSync(): void {
  const client = useQueryClient();
  live.usePageEvent('state:update', (message) => applyMessage(client, { name: 'state:update', message }));
  live.usePageEvent('purchase:added', (message) => applyMessage(client, { name: 'purchase:added', message }));
  live.usePageEvent('game:time-extended', (message) => applyMessage(client, { name: 'game:time-extended', message }));
  live.usePageEvent('game:transition-to-live', ({ message }) => live.emitPageEvent('seamless-transition', { message }));
  live.usePageEvent('socket-connected', () => void resyncBoard(client));
  // Keeps the board fetched on every page, and renders nothing when it changes.
  useQuery({ ...boardQuery, notifyOnChangeProps: [] });
}

/** Refetches the board. A running fetch goes on: in a stream of messages, cancelling each one would never show a board. */
const resyncBoard = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: boardKey, exact: true }, { cancelRefetch: false });

let newestVersion = 0;
/** The board of the last message, until the next batch shows it; null when it is shown. */
let unshown: GameState | null = null;

const newestBoard = (client: QueryClient): GameState | undefined => unshown ?? shownBoard(client);

function showBoard(client: QueryClient): void {
  if (unshown !== null) client.setQueryData<GameState>(boardKey, unshown);
  unshown = null;
}

function applyMessage(client: QueryClient, received: BoardMessage): void {
  newestVersion = Math.max(newestVersion, received.message.version);
  const before = newestBoard(client);
  const update = boardUpdate(before, received);
  if (update.kind === 'resync') void resyncBoard(client);
  if (update.kind !== 'apply') return;
  unshown = update.board;
  live.batchUpdate('board', () => showBoard(client));
  // A phase is shown at once; purchases share an update.
  const { gameState, roundId, isActive } = update.board;
  if (before?.gameState !== gameState || before.roundId !== roundId || before.isActive !== isActive)
    live.flushUpdates();
  const wasLive = before?.gameState === 'live' && before.isActive;
  if (gameState === 'live' && isActive && !wasLive) live.emitPageEvent('live-started', { roundId });
}
