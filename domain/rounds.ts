import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { EventOf } from '../contracts/events/metadata.js';
import * as limits from '../contracts/limits.js';
import { instantsOf, isLocalTime, isTimeZone, nextDayAt } from '../contracts/local-times.js';
import { timersVersion } from '../contracts/versions.js';
import { endOf, type Game, isPlanDue, openRound, roundTerms } from './game.js';
import { historyLossAround } from './history-loss.js';
import { accept, type CommandContext, type Decider, type LedgerCommand, refuse } from './ledger/ledger-commands.js';
import type { LedgerState } from './ledger/ledger-state.js';

/*
 * At zero the last buyer of the round wins the jackpot; without a purchase it is carried into the next round (decision 17).
 *
 * A countdown that reached zero during an outage resumes with the time that was left: an outage must not pick the winner (decision
 * 20). An outage is a time of more than three seconds in which no node recorded itself as alive and no event was appended, or whose
 * events were lost; it must contain zero. After a shorter stall the round ends as usual (decisions 46, 66).
 *
 * A planned start that is due while a game runs is skipped: the reset that ends the game ends the plan (decision 62).
 */

export const startGame: Decider<'StartGame'> = ({ game }, _, { atMs }) => {
  if (game.phase !== 'idle') return refuse({ code: 'game-not-idle' });
  return accept(gameStartedEvent(game, atMs));
};

export const forceStartLive: Decider<'ForceStartLive'> = ({ game }, _, { atMs }) => {
  if (game.phase === 'live') return refuse({ code: 'game-already-live' });
  const endsAtEpochMs = atMs + limits.FORCED_LIVE_SECONDS * 1000;
  const started = game.phase === 'pregame' ? [] : [gameStartedEvent(game, atMs, 0)];
  const roundId = started[0]?.data.roundId ?? openRound(game);
  return accept(...started, { type: 'LiveStarted', data: { roundId, endsAtEpochMs, forced: true } });
};

export const resetGame: Decider<'ResetGame'> = ({ game }, { reason }, { atMs }) => {
  if (game.phase === 'idle') return refuse({ code: 'game-already-idle' });
  // The last buyer has won at zero, even before RoundEnded is appended.
  if (game.phase === 'live' && game.purchaseCount > 0 && atMs >= endOf(game))
    return refuse({ code: 'round-being-decided' });
  const roundId = game.phase === 'downtime' ? null : openRound(game);
  const purchaseCount = roundId === null ? 0 : game.purchaseCount;
  const data = { roundId, carriedCents: game.jackpotCents, reason: reason.trim() || limits.NO_REASON, purchaseCount };
  return accept({ type: 'GameReset', data }, ...(isPlanDue(game, atMs) ? nextPlan(game, atMs) : []));
};

export const scheduleGame: Decider<'ScheduleGame'> = ({ game }, { localTime, timeZone, repeat }, { atMs }) => {
  if (!isLocalTime(localTime) || !isTimeZone(timeZone)) return refuse({ code: 'invalid-start-time' });
  if (game.plan !== null) return refuse({ code: 'start-already-planned' });
  // A local time that occurs twice, when summer time ends, means the first one.
  const [startsAtMs] = instantsOf(localTime, timeZone);
  if (startsAtMs === undefined) return refuse({ code: 'start-time-skipped' });
  const isInRange = startsAtMs > atMs && startsAtMs <= atMs + limits.MAX_PLAN_AHEAD_MS;
  if (!isInRange) return refuse({ code: 'start-out-of-range' });
  return accept({ type: 'GameScheduled', data: { startsAtMs, localTime, timeZone, repeat } });
};

export const cancelSchedule: Decider<'CancelSchedule'> = ({ game }, { startsAtMs }) =>
  game.plan?.startsAtMs === startsAtMs
    ? accept({ type: 'ScheduleCancelled', data: { startsAtMs } })
    : refuse({ code: 'start-not-planned' });

/** A daily plan's next day; nothing after a single start. */
function nextPlan({ plan }: Game, atMs: number): LedgerEvent[] {
  if (plan?.repeat !== 'daily') return [];
  return [{ type: 'GameScheduled', data: { ...plan, ...nextDayAt(plan.localTime, plan.timeZone, atMs) } }];
}

export const changeTimers: Decider<'ChangeTimers'> = ({ game }, { timers, expectedVersion }) => {
  if (expectedVersion !== undefined && expectedVersion !== timersVersion(game.timers))
    return refuse({ code: 'changed-meanwhile', parameters: { by: null } });
  const { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds, tokenExtensionSeconds } = timers;
  const phases = { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds };
  const areValid = Object.values(phases).every((seconds) => isWhole(seconds, limits.MAX_TIMER_SECONDS));
  if (!areValid || !isWhole(tokenExtensionSeconds, limits.MAX_EXTENSION_SECONDS))
    return refuse({ code: 'invalid-timers' });
  const data = { ...phases, tokenExtensionSeconds };
  // The public record lists each event.
  if (timersVersion(data) === timersVersion(game.timers)) return accept();
  return accept({ type: 'TimersChanged', data });
};

const isWhole = (value: number, max: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= max;

/** Returns when the current phase is changed at the earliest, epoch ms; null when it does not end by itself. */
export function phaseChangeDueAtMs(game: Game): number | null {
  if (game.phase === 'idle') return game.plan?.startsAtMs ?? null;
  return endOf(game) + (game.phase === 'live' ? roundTerms(game).decidingMs : 0);
}

/** The event of the phase change that is due; no event when none is due. */
export const advanceClock: Decider<'AdvanceClock'> = (state, { lastAliveAtMs }, { atMs }) => {
  const { game } = state;
  const dueAtMs = phaseChangeDueAtMs(game);
  if (dueAtMs === null || atMs < dueAtMs) return accept();
  switch (game.phase) {
    case 'idle': {
      const { type, data } = gameStartedEvent(game, atMs);
      return accept({ type, data: { ...data, plannedAtMs: dueAtMs } }, ...nextPlan(game, atMs));
    }
    case 'pregame': {
      const endsAtEpochMs = atMs + game.timers.liveDurationSeconds * 1000;
      return accept({ type: 'LiveStarted', data: { roundId: openRound(game), endsAtEpochMs, forced: false } });
    }
    case 'downtime':
      return accept(gameStartedEvent(game, atMs));
    case 'live': {
      const loss = historyLossAround(state, endOf(game));
      if (loss) return accept(liveResumedEvent(game, atMs, loss.lastKeptAtMs));
      // A node that appended an event was alive.
      const aliveAtMs = Math.max(lastAliveAtMs, state.atMs);
      const isOutage = aliveAtMs < endOf(game) && atMs - aliveAtMs > limits.MIN_OUTAGE_MS;
      return accept(isOutage ? liveResumedEvent(game, atMs, aliveAtMs) : roundEndedEvent(state.game, atMs));
    }
  }
};

function gameStartedEvent(
  game: Game,
  atMs: number,
  pregameSeconds = game.timers.pregameDurationSeconds,
): EventOf<LedgerEvents, 'GameStarted'> {
  return {
    type: 'GameStarted',
    data: {
      roundId: game.lastRoundId + 1,
      pregameEndsAtMs: atMs + pregameSeconds * 1000,
      timers: game.timers,
      carriedCents: game.jackpotCents,
      terms: limits.TERMS_OF_NEW_ROUNDS,
      decidingMs: limits.DECIDING_MS,
      plannedAtMs: null,
    },
  };
}

const NEVER_WAIT: readonly LedgerCommand['type'][] = ['AdvanceClock', 'AcceptLoss', 'ResetGame'];

/**
 * Whether a command waits until the round is decided: three seconds without an event around zero may be an outage, which the
 * command's event would hide. A purchase that arrived before zero goes first, because it moves zero, until it is three seconds old.
 */
export function waitsForZero(state: LedgerState, { type }: LedgerCommand, { receivedAtMs, atMs }: CommandContext) {
  const { game } = state;
  if (game.phase !== 'live' || NEVER_WAIT.includes(type)) return false;
  const wasInTime = receivedAtMs < endOf(game) && atMs - receivedAtMs <= limits.MIN_OUTAGE_MS;
  if (type === 'BuyTokens' && wasInTime) return false;
  return state.atMs < endOf(game) && atMs >= endOf(game) && atMs - state.atMs > limits.MIN_OUTAGE_MS;
}

function liveResumedEvent(game: Game, atMs: number, lastAliveAtMs: number): LedgerEvent {
  const leftMs = Math.max(endOf(game) - lastAliveAtMs, limits.RESUMED_LIVE_MIN_SECONDS * 1000);
  const outageSeconds = Math.ceil((atMs - lastAliveAtMs) / 1000);
  const endsAtEpochMs = atMs + leftMs;
  return { type: 'LiveResumed', data: { roundId: openRound(game), outageSeconds, endsAtEpochMs, lastAliveAtMs } };
}

function roundEndedEvent(game: Game, atMs: number): LedgerEvent {
  const last = game.purchases[0];
  return {
    type: 'RoundEnded',
    data: {
      roundId: openRound(game),
      winner: last ? { gamerId: last.buyerId, purchaseId: last.purchaseId } : null,
      jackpotCents: game.jackpotCents,
      endedAtMs: endOf(game),
      nextRoundAtMs: atMs + game.timers.downtimeDurationSeconds * 1000,
      purchaseCount: game.purchaseCount,
    },
  };
}
