import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamePhase, RoundResult } from '../contracts/http/game.js';
import type { GamerId, RoundId } from '../contracts/ids.js';
import * as limits from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';

/**
 * The public game, evolved from the ledger in the same way by deciders, read model and sockets: idle → pregame → live → downtime →
 * pregame … The jackpot of a round without a winner, or of a void round, is carried into the next round.
 */
export interface Game {
  phase: GamePhase;
  /** The round of this phase; null before the first and after a reset. */
  roundId: RoundId | null;
  /** The highest round number so far; 0 before the first. */
  lastRoundId: RoundId;
  /** End of the phase, epoch ms; null when idle. */
  endsAtEpochMs: number | null;
  jackpotCents: Cents;
  /** The newest settings: they apply from the next phase on (decision 21). */
  timers: limits.TimerSettings;
  /** Price and split of the newest round, fixed when it was opened (decision 43); null before the first. */
  terms: limits.RoundTerms | null;
  /** Extension per token, fixed when the round was opened (decision 21). */
  roundExtensionSeconds: number;
  /** Purchases of this round, newest first, at most 24. */
  purchases: readonly BoardPurchase[];
  purchaseCount: number;
  tokenCount: number;
  resumed: { outageSeconds: number; atMs: number } | null;
  /** The planned start. It stands until the game starts by it, is reset after its time, or the plan is cancelled. */
  plan: StartPlan | null;
  /** How late the round's planned start was, if it was late; else 0. */
  lateSeconds: number;
  lastResult: GameResult | null;
  /** Grows by one with every event that changes the board. */
  version: number;
}

type StartPlan = LedgerEvents['GameScheduled'];

export interface BoardPurchase
  extends Pick<LedgerEvents['TokenPurchased'], 'purchaseId' | 'buyerId' | 'quantity' | 'jackpotCents'>,
    Pick<LedgerEvents['TimeExtended'], 'addedSeconds' | 'endsAtEpochMs'> {
  atMs: number;
}

type GameResult = Omit<RoundResult, 'winner'> & { winnerId: GamerId | null };

const noPurchases = { purchases: [], purchaseCount: 0, tokenCount: 0, resumed: null, lateSeconds: 0 };

export const initialGame: Game = {
  phase: 'idle',
  roundId: null,
  lastRoundId: 0,
  endsAtEpochMs: null,
  jackpotCents: 0,
  timers: limits.DEFAULT_TIMERS,
  terms: null,
  roundExtensionSeconds: limits.DEFAULT_TIMERS.tokenExtensionSeconds,
  ...noPurchases,
  plan: null,
  lastResult: null,
  version: 0,
};

/** The game after an event; the same object if the event does not change the board. @param atMs the event's ledger time */
export function evolveGame(game: Game, event: LedgerEvent, atMs: number): Game {
  const change = changeOf(game, event, atMs);
  return change ? { ...game, ...change, version: game.version + 1 } : game;
}

function changeOf(game: Game, { type, data }: LedgerEvent, atMs: number): Partial<Game> | null {
  switch (type) {
    case 'GameStarted':
      return {
        ...noPurchases,
        phase: 'pregame',
        roundId: data.roundId,
        lastRoundId: data.roundId,
        endsAtEpochMs: data.pregameEndsAtMs,
        terms: { ...data.terms, decidingMs: data.decidingMs },
        roundExtensionSeconds: data.timers.tokenExtensionSeconds,
        plan: data.plannedAtMs === null ? game.plan : null,
        lateSeconds: lateSeconds(data.plannedAtMs ?? atMs, atMs),
      };
    case 'LiveStarted':
      return { phase: 'live', endsAtEpochMs: data.endsAtEpochMs };
    case 'LiveResumed':
      return { endsAtEpochMs: data.endsAtEpochMs, resumed: { outageSeconds: data.outageSeconds, atMs } };
    case 'TokenPurchased':
      return withPurchase(game, data, atMs);
    case 'TimeExtended':
      return withExtension(game, data);
    case 'RoundEnded':
      return {
        phase: 'downtime',
        endsAtEpochMs: data.nextRoundAtMs,
        jackpotCents: data.winner ? 0 : game.jackpotCents,
        resumed: null,
        lastResult: {
          roundId: data.roundId,
          winnerId: data.winner?.gamerId ?? null,
          jackpotCents: data.jackpotCents,
          endedAtMs: data.endedAtMs,
          tokenCount: game.tokenCount,
        },
      };
    case 'GameReset':
      return { ...noPurchases, phase: 'idle', roundId: null, endsAtEpochMs: null, plan: planAfterReset(game, atMs) };
    case 'GameScheduled':
      return { plan: data };
    case 'ScheduleCancelled':
      return { plan: null };
    case 'TimersChanged':
      return { timers: data };
    default:
      return null;
  }
}

export const isLastBuyer = ({ phase, purchases }: Game, gamerId: GamerId): boolean =>
  phase === 'live' && purchases[0]?.buyerId === gamerId;

export const isPlanDue = ({ plan }: Game, atMs: number): boolean => plan !== null && plan.startsAtMs <= atMs;

/** A start that was planned for a time of play is skipped. */
const planAfterReset = (game: Game, atMs: number): StartPlan | null => (isPlanDue(game, atMs) ? null : game.plan);

const lateSeconds = (plannedAtMs: number, atMs: number): number =>
  atMs - plannedAtMs < limits.LATE_START_MS ? 0 : Math.floor((atMs - plannedAtMs) / 1000);

function withPurchase(game: Game, data: LedgerEvents['TokenPurchased'], atMs: number): Partial<Game> {
  const { purchaseId, buyerId, quantity, jackpotCents } = data;
  const endsAtEpochMs = game.endsAtEpochMs ?? atMs;
  const purchase = { purchaseId, buyerId, atMs, quantity, addedSeconds: 0, jackpotCents, endsAtEpochMs };
  return {
    jackpotCents,
    purchases: [purchase, ...game.purchases.slice(0, limits.MAX_BOARD_PURCHASES - 1)],
    purchaseCount: game.purchaseCount + 1,
    tokenCount: game.tokenCount + quantity,
  };
}

function withExtension(game: Game, { purchaseId, addedSeconds, endsAtEpochMs }: LedgerEvents['TimeExtended']) {
  const [last, ...earlier] = game.purchases;
  if (last?.purchaseId !== purchaseId) {
    throw new Error(`TimeExtended names purchase ${purchaseId}, the last one is ${last?.purchaseId}`);
  }
  return { endsAtEpochMs, purchases: [{ ...last, addedSeconds, endsAtEpochMs }, ...earlier] };
}

export function openRound(game: Game): number {
  if (game.roundId === null) throw new Error(`no round is open in phase ${game.phase}`);
  return game.roundId;
}

export function endOf(game: Game): number {
  if (game.endsAtEpochMs === null) throw new Error(`phase ${game.phase} has no end`);
  return game.endsAtEpochMs;
}

export function roundTerms(game: Game): limits.RoundTerms {
  if (game.terms === null) throw new Error('no round was ever opened');
  return game.terms;
}
