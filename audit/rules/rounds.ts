import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor, EventOf } from '../../contracts/events/metadata.js';
import type { GamerId, PurchaseId, RoundId } from '../../contracts/ids.js';
import * as limits from '../../contracts/limits.js';
import type { Cents } from '../../contracts/money.js';
import { cents, DAY_MS, faultsOf } from '../replay/finding.js';

export interface EndedRound {
  roundId: RoundId;
  winnerId: GamerId | null;
  jackpotCents: Cents;
  endedAtEpochMs: number;
}

interface OpenRound {
  roundId: RoundId;
  secondsPerToken: number;
  tokenPriceCents: Cents;
  decidingMs: number;
  purchases: number;
  last: { gamerId: GamerId; purchaseId: PurchaseId; quantity: number } | null;
}

type RoundEvent = EventOf<
  LedgerEvents,
  'LiveStarted' | 'TokenPurchased' | 'TimeExtended' | 'LiveResumed' | 'RoundEnded'
>;

/**
 * Replays the rounds: the last buyer before the end wins, and nobody else. Checks the length of each phase by the timers in
 * force, and what begins, forces or resets a phase (decisions 18 to 22).
 */
export class Rounds {
  phase: 'idle' | 'pregame' | 'live' | 'downtime' = 'idle';
  timers: limits.TimerSettings = limits.DEFAULT_TIMERS;
  /** The end of the phase. */
  endsAtMs = 0;
  readonly ended: EndedRound[] = [];
  private open: OpenRound | null = null;
  lastRoundId = 0;
  /** True after a round without a pregame: its countdown must be forced live by the next event. */
  private mustGoLive = false;
  /** The planned start. */
  plan: LedgerEvents['GameScheduled'] | null = null;
  /** A daily plan that has just ended: the next event must plan its next day. */
  private mustRepeat: Rounds['plan'] = null;
  /** Ledger time of the event before, epoch ms. */
  private lastEventAtMs = 0;
  /** The times whose events were lost: from the last event that is left to the acceptance of the loss. */
  private readonly lost: { fromMs: number; toMs: number }[] = [];

  /** The last buyer of the live round: the winner unless somebody buys again. */
  get leaderId(): GamerId | null {
    return this.phase === 'live' ? (this.open?.last?.gamerId ?? null) : null;
  }

  /** The round in which a token can be bought at this time; null when there is none. */
  openAt(at: number): { roundId: RoundId; tokenPriceCents: Cents } | null {
    return this.phase === 'live' && at < this.endsAtMs ? this.open : null;
  }

  /** Folds an event and returns its faults. @param jackpotCents balance of the jackpot before the event */
  take(event: LedgerEvent, at: number, actor: Actor, jackpotCents: Cents): string[] {
    const { mustGoLive, mustRepeat } = this;
    this.mustGoLive = false;
    this.mustRepeat = null;
    const faults = faultsOf([
      [
        mustGoLive && !(event.type === 'LiveStarted' && event.data.forced),
        'follows a round that was opened to go live at once',
      ],
      [mustRepeat !== null && event.type !== 'GameScheduled', 'follows a daily start whose next day was not planned'],
    ]);
    if (event.type === 'GameScheduled') faults.push(...this.schedule(event.data, at, actor, mustRepeat));
    else faults.push(...this.fold(event, at, actor, jackpotCents));
    this.lastEventAtMs = at;
    return faults;
  }

  private fold(event: LedgerEvent, at: number, actor: Actor, jackpotCents: Cents): string[] {
    switch (event.type) {
      case 'HistoryLost':
        this.lost.push({ fromMs: event.data.lastKeptAtEpochMs, toMs: at });
        return faultsOf([
          [event.data.lastKeptAtEpochMs !== this.lastEventAtMs, 'says another time of the event before it'],
        ]);
      case 'TimersChanged':
        this.timers = event.data;
        return timerFaults(event.data);
      case 'ScheduleCancelled': {
        const planned = this.plan?.startsAtEpochMs;
        this.plan = null;
        return faultsOf([[planned !== event.data.startsAtEpochMs, 'cancels a start that was not planned']]);
      }
      case 'GameStarted':
        return [...this.startFaults(event.data, at, actor), ...this.begin(event.data, jackpotCents)];
      case 'GameReset':
        return this.reset(event.data, at, jackpotCents);
      case 'LiveStarted':
      case 'TokenPurchased':
      case 'TimeExtended':
      case 'LiveResumed':
      case 'RoundEnded': {
        const { open } = this;
        if (open === null) return [`${event.type} while no round is open`];
        const isOther = event.data.roundId !== open.roundId;
        const faults = this.play(open, event, at, jackpotCents);
        return isOther ? [`is of round ${event.data.roundId}, and ${open.roundId} is open`, ...faults] : faults;
      }
      default:
        return [];
    }
  }

  /** A person plans one start at a time, the system the next day of a daily one that has just begun or was skipped. */
  private schedule(plan: NonNullable<Rounds['plan']>, at: number, { role }: Actor, repeated: Rounds['plan']) {
    const { startsAtEpochMs, localTime, timeZone, repeat } = plan;
    const planned = this.plan;
    this.plan = plan;
    const isNextDay =
      repeated !== null &&
      startsAtEpochMs <= at + 2 * DAY_MS &&
      isDeepStrictEqual(
        [localTime.slice(10), timeZone, repeat],
        [repeated.localTime.slice(10), repeated.timeZone, 'daily'],
      );
    return faultsOf([
      [planned !== null, 'plans a second start'],
      [
        startsAtEpochMs <= at || startsAtEpochMs > at + limits.MAX_PLAN_AHEAD_MS,
        'plans a start that is past, or too far ahead',
      ],
      // Offsets from UTC are shorter than a day.
      [
        !(Math.abs(Date.parse(`${localTime}Z`) - startsAtEpochMs) < DAY_MS),
        `plans a start at another time than ${localTime}`,
      ],
      [repeated === null ? role === 'system' : !isNextDay, 'plans a start that is not the next day of a daily one'],
    ]);
  }

  /** A start by the plan, or a reset after its time, ends the plan. */
  private endPlan(): void {
    if (this.plan?.repeat === 'daily') this.mustRepeat = this.plan;
    this.plan = null;
  }

  /** The system starts a round by plan or when downtime is over, the admin from idle, or at once with a forced countdown. */
  private startFaults(started: LedgerEvents['GameStarted'], at: number, { role }: Actor): string[] {
    const { timers, pregameEndsAtEpochMs, plannedAtEpochMs } = started;
    const { phase, endsAtMs, plan } = this;
    const isForced = role !== 'system' && pregameEndsAtEpochMs === at;
    const isPlanned = plannedAtEpochMs !== undefined;
    const isDue =
      role === 'system' ? isPlanned || (phase === 'downtime' && at >= endsAtMs) : isForced || phase === 'idle';
    this.mustGoLive = isForced;
    if (isPlanned) this.endPlan();
    return [
      ...faultsOf([
        [
          isPlanned && (role !== 'system' || phase !== 'idle' || plannedAtEpochMs !== plan?.startsAtEpochMs),
          'starts by a plan that does not stand',
        ],
        [isPlanned && at < plannedAtEpochMs, 'starts before its planned time'],
        [!isDue, `starts by the ${role} in ${phase}, which is not over`],
        [!isDeepStrictEqual(timers, this.timers), 'has other timers than those in force'],
      ]),
      ...(isForced ? [] : lengthFaults('pregame', pregameEndsAtEpochMs - at, this.timers.pregameDurationSeconds)),
    ];
  }

  private begin(started: LedgerEvents['GameStarted'], jackpotCents: Cents): string[] {
    const { roundId, carriedCents, timers, terms, decidingMs, pregameEndsAtEpochMs } = started;
    const faults = faultsOf([
      [this.open !== null, `begins while round ${this.open?.roundId} is open`],
      [roundId !== this.lastRoundId + 1, `begins round ${roundId} after round ${this.lastRoundId}`],
      [carriedCents !== jackpotCents, `carries ${cents(carriedCents)} of ${cents(jackpotCents)}`],
    ]);
    const { tokenPriceCents } = terms;
    this.phase = 'pregame';
    this.endsAtMs = pregameEndsAtEpochMs;
    this.lastRoundId = roundId;
    const secondsPerToken = timers.tokenExtensionSeconds;
    this.open = { roundId, secondsPerToken, tokenPriceCents, decidingMs, purchases: 0, last: null };
    return faults;
  }

  private reset(reset: LedgerEvents['GameReset'], at: number, jackpotCents: Cents): string[] {
    const { roundId, carriedCents, purchaseCount, reason } = reset;
    const { phase, endsAtMs } = this;
    const openId = this.open?.roundId ?? null;
    const dueCount = this.open?.purchases ?? 0;
    this.open = null;
    this.phase = 'idle';
    if (this.plan !== null && this.plan.startsAtEpochMs <= at) this.endPlan();
    return faultsOf([
      [phase === 'live' && dueCount > 0 && at >= endsAtMs, 'resets a round at zero, when its last buyer had won'],
      [phase === 'idle', 'resets a game that was idle'],
      [roundId !== openId, `resets round ${roundId}`],
      [carriedCents !== jackpotCents, `carries ${cents(carriedCents)} of ${cents(jackpotCents)}`],
      [purchaseCount !== dueCount, `voids ${purchaseCount} purchases of ${dueCount}`],
      [dueCount > 0 && reason.trim() === '', `voids ${dueCount} purchases without a reason`],
    ]);
  }

  private play(open: OpenRound, { type, data }: RoundEvent, at: number, jackpotCents: Cents): string[] {
    const { phase, endsAtMs } = this;
    switch (type) {
      case 'LiveStarted': {
        const dueSeconds = data.forced ? limits.FORCED_LIVE_SECONDS : this.timers.liveDurationSeconds;
        this.phase = 'live';
        this.endsAtMs = data.endsAtEpochMs;
        return faultsOf([
          [phase === 'live', 'goes live a second time'],
          [!data.forced && at < endsAtMs, 'goes live before its time'],
        ]).concat(lengthFaults('live', data.endsAtEpochMs - at, dueSeconds));
      }
      case 'TokenPurchased':
        open.purchases += 1;
        open.last = { gamerId: data.buyerId, purchaseId: data.purchaseId, quantity: data.quantity };
        return this.arrivalFaults(data.receivedAtEpochMs, at);
      case 'TimeExtended':
        this.endsAtMs = data.endsAtEpochMs;
        return extensionFaults(open, data, endsAtMs);
      case 'LiveResumed': {
        const lost = this.lostAround(endsAtMs);
        const outage = outageFaults(data, endsAtMs, at, lost?.fromMs ?? this.lastEventAtMs);
        if (lost && data.lastAliveAtEpochMs !== lost.fromMs)
          outage.push('resumes after another time than the lost one');
        this.endsAtMs = data.endsAtEpochMs;
        return faultsOf([
          [phase !== 'live' || at < endsAtMs, 'resumes a countdown that has not run out'],
          [data.endsAtEpochMs < at + limits.RESUMED_LIVE_MIN_SECONDS * 1000, 'resumes with less than 30 seconds'],
        ]).concat(outage);
      }
      case 'RoundEnded':
        return this.end(open, data, at, jackpotCents);
    }
  }

  private lostAround(endsAtMs: number) {
    return this.lost.findLast(({ fromMs, toMs }) => fromMs < endsAtMs && endsAtMs <= toMs);
  }

  /** A purchase must arrive before the countdown's end, and be decided soon after its arrival (decision 41). */
  private arrivalFaults(receivedAtMs: number, at: number): string[] {
    return faultsOf([
      [this.phase !== 'live' || receivedAtMs >= this.endsAtMs, 'is bought when nothing could be bought'],
      [receivedAtMs > at, 'arrived after its decision'],
      [at - receivedAtMs > limits.DECIDED_WITHIN_MS, `was decided ${at - receivedAtMs} ms after its arrival`],
    ]);
  }

  private end(open: OpenRound, ended: LedgerEvents['RoundEnded'], at: number, jackpotCents: Cents): string[] {
    const { roundId, winner, endedAtEpochMs, nextRoundAtEpochMs } = ended;
    const { phase, endsAtMs } = this;
    const [named, right] = [winner, open.last].map((one) => (one ? `${one.gamerId} (${one.purchaseId})` : 'nobody'));
    this.open = null;
    this.phase = 'downtime';
    this.endsAtMs = nextRoundAtEpochMs;
    this.ended.push({ roundId, winnerId: winner?.gamerId ?? null, jackpotCents: ended.jackpotCents, endedAtEpochMs });
    return faultsOf([
      [named !== right, `names ${named} as winner, and ${right} bought last`],
      [ended.jackpotCents !== jackpotCents, `ends with ${cents(ended.jackpotCents)} of ${cents(jackpotCents)}`],
      [phase !== 'live' || at < endsAtMs, 'ends before its countdown'],
      [this.lostAround(endsAtMs) !== undefined, 'ends in a time whose events were lost'],
      [at < endsAtMs + open.decidingMs, 'ends before purchases that were on their way could be decided'],
      [endedAtEpochMs !== endsAtMs, `ended at ${endedAtEpochMs}, its countdown at ${endsAtMs}`],
      [ended.purchaseCount !== open.purchases, `counts ${ended.purchaseCount} purchases of ${open.purchases}`],
    ]).concat(lengthFaults('downtime', nextRoundAtEpochMs - at, this.timers.downtimeDurationSeconds));
  }
}

/** @param endsAtMs the countdown's end before the extension */
function extensionFaults(
  { last, secondsPerToken }: OpenRound,
  extended: LedgerEvents['TimeExtended'],
  endsAtMs: number,
) {
  const { purchaseId, buyerId, addedSeconds, endsAtEpochMs } = extended;
  const dueSeconds = (last?.quantity ?? 0) * secondsPerToken;
  const dueEnd = endsAtMs + addedSeconds * 1000;
  return faultsOf([
    [purchaseId !== last?.purchaseId, `extends for ${purchaseId}, which was not bought just before`],
    [buyerId !== last?.gamerId, `extends for ${buyerId}, who did not buy just before`],
    [addedSeconds !== dueSeconds, `adds ${addedSeconds} s of ${dueSeconds} s`],
    [endsAtEpochMs !== dueEnd, `ends at ${endsAtEpochMs}, not at ${dueEnd}`],
  ]);
}

/**
 * Checks an outage against the log (decision 46): it must contain the countdown's end, be long enough, and begin after the
 * last event, because an event proves a living node. The time left when it began, or 30 seconds, must be given back.
 */
function outageFaults(resumed: LedgerEvents['LiveResumed'], dueEnd: number, at: number, lastEventAtMs: number) {
  const { lastAliveAtEpochMs, outageSeconds, endsAtEpochMs } = resumed;
  const dueSeconds = Math.ceil((at - lastAliveAtEpochMs) / 1000);
  const dueLeftMs = Math.max(dueEnd - lastAliveAtEpochMs, limits.RESUMED_LIVE_MIN_SECONDS * 1000);
  return faultsOf([
    [lastAliveAtEpochMs >= dueEnd, 'resumes after an outage that began after zero'],
    [lastAliveAtEpochMs < lastEventAtMs, 'resumes after an outage in which an event was appended'],
    [at - lastAliveAtEpochMs <= limits.MIN_OUTAGE_MS, 'resumes after a stall that was no outage'],
    [outageSeconds !== dueSeconds, `says ${outageSeconds} s of an outage of ${dueSeconds} s`],
    [endsAtEpochMs !== at + dueLeftMs, `leaves ${endsAtEpochMs - at} ms of ${dueLeftMs} ms`],
  ]);
}

function lengthFaults(phase: string, lengthMs: number, dueSeconds: number): string[] {
  return lengthMs === dueSeconds * 1000 ? [] : [`has a ${phase} of ${lengthMs} ms, and ${dueSeconds} s are in force`];
}

function timerFaults(timers: limits.TimerSettings): string[] {
  const { tokenExtensionSeconds, ...phases } = timers;
  const isWrong = (seconds: number, max: number): boolean => seconds < 1 || seconds > max;
  return faultsOf([
    [
      Object.values(phases).some((seconds) => isWrong(seconds, limits.MAX_TIMER_SECONDS)),
      'sets a phase that is no second or over a year',
    ],
    [isWrong(tokenExtensionSeconds, limits.MAX_EXTENSION_SECONDS), 'sets an extension over a day, or none'],
  ]);
}
