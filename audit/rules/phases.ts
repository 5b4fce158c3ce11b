import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor } from '../../contracts/events/metadata.js';
import {
  DEFAULT_TIMERS,
  FORCED_LIVE_SECONDS,
  MAX_EXTENSION_SECONDS,
  MAX_TIMER_SECONDS,
  type TimerSettings,
} from '../../contracts/limits.js';
import { faultsOf } from '../replay/finding.js';

/** Checks the length of each phase by the timers in force, and what begins, forces or resets a phase (decisions 18 to 22). */
export class Phases {
  phase: 'idle' | 'pregame' | 'live' | 'downtime' = 'idle';
  timers: TimerSettings = DEFAULT_TIMERS;
  endsAtMs = 0;
  private purchases = 0;
  /** True after a round without a pregame: its countdown must be forced live by the next event. */
  private mustGoLive = false;

  take(event: LedgerEvent, at: number, actor: Actor): string[] {
    const isMissing = this.mustGoLive && !(event.type === 'LiveStarted' && event.data.forced);
    this.mustGoLive = false;
    const faults = this.fold(event, at, actor);
    return isMissing ? ['follows a round that was opened to go live at once', ...faults] : faults;
  }

  private fold({ type, data }: LedgerEvent, at: number, actor: Actor): string[] {
    switch (type) {
      case 'TimersChanged':
        this.timers = data;
        return timerFaults(data);
      case 'GameStarted':
        return this.start(data, at, actor);
      case 'LiveStarted': {
        this.phase = 'live';
        this.endsAtMs = data.endsAtEpochMs;
        const dueSeconds = data.forced ? FORCED_LIVE_SECONDS : this.timers.liveDurationSeconds;
        return lengthFaults('live', data.endsAtEpochMs - at, dueSeconds);
      }
      case 'TokenPurchased':
        this.purchases += 1;
        return [];
      case 'TimeExtended':
      case 'LiveResumed':
        this.endsAtMs = data.endsAtEpochMs;
        return [];
      case 'RoundEnded':
        this.phase = 'downtime';
        this.endsAtMs = data.nextRoundAtEpochMs;
        return lengthFaults('downtime', data.nextRoundAtEpochMs - at, this.timers.downtimeDurationSeconds);
      case 'GameReset':
        return this.reset(at);
      default:
        return [];
    }
  }

  /** The system starts a round when downtime is over, the admin from idle, or at once with a forced countdown. */
  private start(started: LedgerEvents['GameStarted'], at: number, { role }: Actor): string[] {
    const { timers, pregameEndsAtEpochMs } = started;
    const { phase, endsAtMs } = this;
    const isForced = role !== 'system' && pregameEndsAtEpochMs === at;
    const isDue = role === 'system' ? phase === 'downtime' && at >= endsAtMs : isForced || phase === 'idle';
    this.phase = 'pregame';
    this.endsAtMs = pregameEndsAtEpochMs;
    this.purchases = 0;
    this.mustGoLive = isForced;
    return [
      ...faultsOf([
        [!isDue, `starts by the ${role} in ${phase}, which is not over`],
        [!isDeepStrictEqual(timers, this.timers), 'has other timers than those in force'],
      ]),
      ...(isForced ? [] : lengthFaults('pregame', pregameEndsAtEpochMs - at, this.timers.pregameDurationSeconds)),
    ];
  }

  private reset(at: number): string[] {
    const isDecided = this.phase === 'live' && this.purchases > 0 && at >= this.endsAtMs;
    const isIdle = this.phase === 'idle';
    this.phase = 'idle';
    return faultsOf([
      [isDecided, 'resets a round at zero, when its last buyer had won'],
      [isIdle, 'resets a game that was idle'],
    ]);
  }
}

function lengthFaults(phase: string, lengthMs: number, dueSeconds: number): string[] {
  return lengthMs === dueSeconds * 1000 ? [] : [`has a ${phase} of ${lengthMs} ms, and ${dueSeconds} s are in force`];
}

function timerFaults(timers: TimerSettings): string[] {
  const { pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds, tokenExtensionSeconds } = timers;
  const phases = [pregameDurationSeconds, liveDurationSeconds, downtimeDurationSeconds];
  const isWrong = (seconds: number, max: number): boolean => seconds < 1 || seconds > max;
  return faultsOf([
    [phases.some((seconds) => isWrong(seconds, MAX_TIMER_SECONDS)), 'sets a phase that is no second or over a year'],
    [isWrong(tokenExtensionSeconds, MAX_EXTENSION_SECONDS), 'sets an extension over a day, or none'],
  ]);
}
