import type { GameStarted, LedgerEvent } from '../contracts/events/ledger-events.js';
import {
  FORCED_LIVE_SECONDS,
  MAX_EXTENSION_SECONDS,
  MAX_TIMER_SECONDS,
  RESUMED_LIVE_MIN_SECONDS,
  type TimerSettings,
} from '../contracts/limits.js';
import type { Game } from './game.js';
import { accept, type Decision, refuse } from './ledger-commands.js';
import type { LedgerState } from './ledger-state.js';
import { rootOf } from './merkle.js';
import { endOf, openRound } from './purchases.js';

/*
 * Rounds.
 *
 * idle → (start) → pregame → live → downtime → pregame … by themselves. At zero the last buyer of the round wins the
 * jackpot; when nobody bought there is no winner and the jackpot stays for the next round (decision 17).
 * Force Start Live opens a round if none is in pregame and makes it live for 300 seconds (decision 18).
 * Reset voids an open round: its jackpot is carried, the other shares stand (decision 19). A countdown that somebody
 * has won is not open any more.
 * A countdown that ran out while nobody could buy goes on with what was left, at least 30 seconds: downtime must not
 * pick the winner (decision 20). A pregame or downtime that ran out meanwhile is simply over.
 * Edited timers hold from the next phase on, the extension from the next round on (decision 21).
 */

export function startGame({ game }: LedgerState, at: number): Decision {
  if (game.phase !== 'idle') return refuse({ code: 'game-not-idle' });
  return accept(openingOf(game, at));
}

export function forceStartLive({ game }: LedgerState, at: number): Decision {
  if (game.phase === 'live') return refuse({ code: 'game-already-live' });
  const endsAtEpochMs = at + FORCED_LIVE_SECONDS * 1000;
  if (game.phase === 'pregame') {
    return accept({ type: 'LiveStarted', data: { roundId: openRound(game), endsAtEpochMs, forced: true } });
  }
  const opening = openingOf(game, at, 0);
  const { roundId } = opening.data;
  return accept(opening, { type: 'LiveStarted', data: { roundId, endsAtEpochMs, forced: true } });
}

export function resetGame({ game }: LedgerState, reason: string, at: number): Decision {
  if (game.phase === 'idle') return refuse({ code: 'game-already-idle' });
  // At zero the last buyer has won, whether or not the log says so yet.
  if (game.phase === 'live' && game.purchaseCount > 0 && at >= endOf(game))
    return refuse({ code: 'round-being-decided' });
  const roundId = game.phase === 'downtime' ? null : openRound(game);
  return accept({ type: 'GameReset', data: { roundId, carriedCents: game.jackpotCents, reason } });
}

export function changeTimers(timers: TimerSettings): Decision {
  const { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds, tokenExtensionSeconds } = timers;
  const phases = [pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds];
  const valid =
    phases.every((seconds) => isWhole(seconds, MAX_TIMER_SECONDS)) &&
    isWhole(tokenExtensionSeconds, MAX_EXTENSION_SECONDS);
  if (!valid) return refuse({ code: 'invalid-timers' });
  const data = { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds, tokenExtensionSeconds };
  return accept({ type: 'TimersChanged', data });
}

const isWhole = (value: number, max: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= max;

/** Does the one thing that is due at `at`; nothing when nothing is. */
export function advanceClock(state: LedgerState, at: number, lastAliveAtEpochMs: number): Decision {
  const { game } = state;
  if (game.phase === 'idle' || at < endOf(game)) return accept();
  switch (game.phase) {
    case 'pregame': {
      const endsAtEpochMs = at + game.timers.liveDurationSeconds * 1000;
      return accept({ type: 'LiveStarted', data: { roundId: openRound(game), endsAtEpochMs, forced: false } });
    }
    case 'downtime':
      return accept(openingOf(game, at));
    case 'live':
      return accept(lastAliveAtEpochMs < endOf(game) ? resumption(game, at, lastAliveAtEpochMs) : ending(state, at));
  }
}

function openingOf(game: Game, at: number, pregameSeconds = game.timers.pregameDurationSeconds): GameStarted {
  return {
    type: 'GameStarted',
    data: {
      roundId: game.lastRoundId + 1,
      pregameEndsAtEpochMs: at + pregameSeconds * 1000,
      timers: game.timers,
      carriedCents: game.jackpotCents,
    },
  };
}

function resumption(game: Game, at: number, lastAliveAtEpochMs: number): LedgerEvent {
  const leftMs = Math.max(endOf(game) - lastAliveAtEpochMs, RESUMED_LIVE_MIN_SECONDS * 1000);
  const outageSeconds = Math.ceil((at - lastAliveAtEpochMs) / 1000);
  return { type: 'LiveResumed', data: { roundId: openRound(game), outageSeconds, endsAtEpochMs: at + leftMs } };
}

function ending({ game, purchaseTree }: LedgerState, at: number): LedgerEvent {
  const last = game.purchases[0];
  return {
    type: 'RoundEnded',
    data: {
      roundId: openRound(game),
      winner: last ? { gamerId: last.buyerId, purchaseId: last.purchaseId } : null,
      jackpotCents: game.jackpotCents,
      endedAtEpochMs: endOf(game),
      nextRoundAtEpochMs: at + game.timers.downtimeDurationSeconds * 1000,
      purchaseCount: game.purchaseCount,
      merkleRoot: rootOf(purchaseTree),
    },
  };
}
