import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../../contracts/durations.js';
import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { Actor, EventOf } from '../../contracts/events/metadata.js';
import type { GamerId, PurchaseId, RoundId } from '../../contracts/ids.js';
import * as limits from '../../contracts/limits.js';
import type { Cents } from '../../contracts/money.js';
import { type FaultReporter, formatCents } from '../replay/finding.js';

export interface EndedRound {
  roundId: RoundId;
  winnerId: GamerId | null;
  jackpotCents: Cents;
  endedAtMs: number;
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

/** Replays the rounds: the last buyer before the end wins. Checks the length and the beginning of each phase (decisions 18 to 22). */
export class Rounds {
  phase: 'idle' | 'pregame' | 'live' | 'downtime' = 'idle';
  timers: limits.TimerSettings = limits.DEFAULT_TIMERS;
  endsAtMs = 0;
  readonly ended: EndedRound[] = [];
  private open: OpenRound | null = null;
  lastRoundId = 0;
  /** True after a round without a pregame: its countdown must be forced live by the next event. */
  private mustGoLive = false;
  plan: LedgerEvents['GameScheduled'] | null = null;
  /** A daily plan that has just ended: the next event must plan its next day. */
  private mustRepeat: Rounds['plan'] = null;
  private lastEventAtMs = 0;
  /** Times of lost events: each from the last remaining event to the acceptance of the loss. */
  private readonly lost: { fromMs: number; toMs: number }[] = [];

  constructor(private readonly fault: FaultReporter) {}

  /** The last buyer of the live round: the winner unless somebody buys again. */
  get leaderId(): GamerId | null {
    return this.open?.last?.gamerId ?? null;
  }

  get won(): EndedRound[] {
    return this.ended.filter(({ winnerId }) => winnerId !== null);
  }

  openAt(atMs: number): { roundId: RoundId; tokenPriceCents: Cents } | null {
    return this.phase === 'live' && atMs < this.endsAtMs ? this.open : null;
  }

  /** Checks an event, and evolves by it. @param jackpotCents balance of the jackpot before the event */
  take(event: LedgerEvent, atMs: number, actor: Actor, jackpotCents: Cents): void {
    const { mustGoLive, mustRepeat } = this;
    this.mustGoLive = false;
    this.mustRepeat = null;
    const isForcedLive = event.type === 'LiveStarted' && event.data.forced;
    if (mustGoLive && !isForcedLive) this.fault('follows a round that was opened to go live at once');
    if (mustRepeat !== null && event.type !== 'GameScheduled')
      this.fault('follows a daily start whose next day was not planned');
    if (event.type === 'GameScheduled') this.schedule(event.data, atMs, actor, mustRepeat);
    else this.evolve(event, atMs, actor, jackpotCents);
    this.lastEventAtMs = atMs;
  }

  private evolve(event: LedgerEvent, atMs: number, actor: Actor, jackpotCents: Cents) {
    switch (event.type) {
      case 'HistoryLost': {
        const fromMs = event.data.lastKeptAtMs;
        if (fromMs !== this.lastEventAtMs) this.fault('says another time of the event before it');
        this.lost.push({ fromMs, toMs: atMs });
        return;
      }
      case 'TimersChanged':
        this.timers = event.data;
        return this.checkTimers(event.data);
      case 'ScheduleCancelled':
        if (this.plan?.startsAtMs !== event.data.startsAtMs) this.fault('cancels a start that was not planned');
        this.plan = null;
        return;
      case 'GameStarted':
        this.checkStart(event.data, atMs, actor);
        return this.begin(event.data, jackpotCents);
      case 'GameReset':
        return this.reset(event.data, atMs, jackpotCents);
      case 'LiveStarted':
      case 'TokenPurchased':
      case 'TimeExtended':
      case 'LiveResumed':
      case 'RoundEnded':
        return this.play(event, atMs, jackpotCents);
    }
  }

  /** A person plans one start at a time, the system the next day of a daily one that has just begun or was skipped. */
  private schedule(plan: NonNullable<Rounds['plan']>, atMs: number, { role }: Actor, repeated: Rounds['plan']): void {
    const { startsAtMs, localTime, timeZone, repeat } = plan;
    if (this.plan !== null) this.fault('plans a second start');
    this.plan = plan;
    if (startsAtMs <= atMs || startsAtMs > atMs + limits.MAX_PLAN_AHEAD_MS)
      this.fault('plans a start that is past, or too far ahead');
    // Offsets from UTC are shorter than a day.
    const isLocalTime = Math.abs(Date.parse(`${localTime}Z`) - startsAtMs) < DAY_MS;
    if (!isLocalTime) this.fault(`plans a start at another time than ${localTime}`);
    const isNextDay =
      repeated !== null &&
      startsAtMs <= atMs + 2 * DAY_MS &&
      localTime.slice(10) === repeated.localTime.slice(10) &&
      timeZone === repeated.timeZone &&
      repeat === 'daily';
    if (repeated === null ? role === 'system' : !isNextDay)
      this.fault('plans a start that is not the next day of a daily one');
  }

  /** A start by the plan, or a reset after its time, ends the plan. */
  private endPlan(): void {
    if (this.plan?.repeat === 'daily') this.mustRepeat = this.plan;
    this.plan = null;
  }

  /** The system starts a round by plan or when downtime is over, the admin from idle, or at once with a forced countdown. */
  private checkStart(started: LedgerEvents['GameStarted'], atMs: number, { role }: Actor): void {
    const { timers, pregameEndsAtMs, plannedAtMs } = started;
    const { phase, endsAtMs, plan } = this;
    const isForced = role !== 'system' && pregameEndsAtMs === atMs;
    const isPlanned = plannedAtMs !== null;
    const isDue =
      role === 'system' ? isPlanned || (phase === 'downtime' && atMs >= endsAtMs) : isForced || phase === 'idle';
    this.mustGoLive = isForced;
    if (isPlanned) {
      if (role !== 'system' || phase !== 'idle' || plannedAtMs !== plan?.startsAtMs)
        this.fault('starts by a plan that does not stand');
      if (atMs < plannedAtMs) this.fault('starts before its planned time');
      this.endPlan();
    }
    if (!isDue) this.fault(`starts by the ${role} in ${phase}, which is not over`);
    if (!isDeepStrictEqual(timers, this.timers)) this.fault('has other timers than those in force');
    if (!isForced) this.checkLength('pregame', pregameEndsAtMs - atMs, this.timers.pregameDurationSeconds);
  }

  private begin(started: LedgerEvents['GameStarted'], jackpotCents: Cents): void {
    const { roundId, carriedCents, timers, terms, decidingMs, pregameEndsAtMs } = started;
    if (this.open !== null) this.fault(`begins while round ${this.open.roundId} is open`);
    if (roundId !== this.lastRoundId + 1) this.fault(`begins round ${roundId} after round ${this.lastRoundId}`);
    if (carriedCents !== jackpotCents)
      this.fault(`carries ${formatCents(carriedCents)} of ${formatCents(jackpotCents)}`);
    this.phase = 'pregame';
    this.endsAtMs = pregameEndsAtMs;
    this.lastRoundId = roundId;
    const [{ tokenPriceCents }, { tokenExtensionSeconds: secondsPerToken }] = [terms, timers];
    this.open = { roundId, secondsPerToken, tokenPriceCents, decidingMs, purchases: 0, last: null };
  }

  private reset(reset: LedgerEvents['GameReset'], atMs: number, jackpotCents: Cents): void {
    const { roundId, carriedCents, purchaseCount, reason } = reset;
    const { phase, endsAtMs } = this;
    const dueCount = this.open?.purchases ?? 0;
    if (dueCount > 0 && atMs >= endsAtMs) this.fault('resets a round at zero, when its last buyer had won');
    if (phase === 'idle') this.fault('resets a game that was idle');
    if (roundId !== (this.open?.roundId ?? null)) this.fault(`resets round ${roundId}`);
    if (carriedCents !== jackpotCents)
      this.fault(`carries ${formatCents(carriedCents)} of ${formatCents(jackpotCents)}`);
    if (purchaseCount !== dueCount) this.fault(`voids ${purchaseCount} purchases of ${dueCount}`);
    if (dueCount > 0 && reason.trim() === '') this.fault(`voids ${dueCount} purchases without a reason`);
    this.open = null;
    this.phase = 'idle';
    if (this.plan !== null && this.plan.startsAtMs <= atMs) this.endPlan();
  }

  private play({ type, data }: RoundEvent, atMs: number, jackpotCents: Cents) {
    const { open, phase, endsAtMs } = this;
    if (open === null) return this.fault(`${type} while no round is open`);
    if (data.roundId !== open.roundId) this.fault(`is of round ${data.roundId}, and ${open.roundId} is open`);
    switch (type) {
      case 'LiveStarted': {
        if (phase === 'live') this.fault('goes live a second time');
        if (!data.forced && atMs < endsAtMs) this.fault('goes live before its time');
        const dueSeconds = data.forced ? limits.FORCED_LIVE_SECONDS : this.timers.liveDurationSeconds;
        this.checkLength('live', data.endsAtEpochMs - atMs, dueSeconds);
        this.phase = 'live';
        this.endsAtMs = data.endsAtEpochMs;
        return;
      }
      case 'TokenPurchased':
        open.purchases += 1;
        open.last = { gamerId: data.buyerId, purchaseId: data.purchaseId, quantity: data.quantity };
        return this.checkArrival(data.receivedAtEpochMs, atMs);
      case 'TimeExtended':
        this.checkExtension(open, data);
        this.endsAtMs = data.endsAtEpochMs;
        return;
      case 'LiveResumed':
        if (phase !== 'live' || atMs < endsAtMs) this.fault('resumes a countdown that has not run out');
        this.checkOutage(data, atMs);
        this.endsAtMs = data.endsAtEpochMs;
        return;
      case 'RoundEnded':
        return this.end(open, data, atMs, jackpotCents);
    }
  }

  private lostAround(endsAtMs: number) {
    return this.lost.findLast(({ fromMs, toMs }) => fromMs < endsAtMs && endsAtMs <= toMs);
  }

  /** A purchase must arrive before the countdown's end, and be decided soon after its arrival (decision 41). */
  private checkArrival(receivedAtMs: number, atMs: number): void {
    if (this.phase !== 'live' || receivedAtMs >= this.endsAtMs) this.fault('is bought when nothing could be bought');
    if (receivedAtMs > atMs) this.fault('arrived after its decision');
    if (atMs - receivedAtMs > limits.DECIDED_WITHIN_MS)
      this.fault(`was decided ${atMs - receivedAtMs} ms after its arrival`);
  }

  private end(open: OpenRound, ended: LedgerEvents['RoundEnded'], atMs: number, jackpotCents: Cents): void {
    const { roundId, winner, endedAtMs, nextRoundAtMs } = ended;
    const { phase, endsAtMs } = this;
    const buyerText = (one: typeof winner) => (one ? `${one.gamerId} (${one.purchaseId})` : 'nobody');
    const named = buyerText(winner);
    const right = buyerText(open.last);
    if (named !== right) this.fault(`names ${named} as winner, and ${right} bought last`);
    if (ended.jackpotCents !== jackpotCents)
      this.fault(`ends with ${formatCents(ended.jackpotCents)} of ${formatCents(jackpotCents)}`);
    if (phase !== 'live' || atMs < endsAtMs) this.fault('ends before its countdown');
    if (this.lostAround(endsAtMs) !== undefined) this.fault('ends in a time whose events were lost');
    if (atMs < endsAtMs + open.decidingMs) this.fault('ends before purchases that were on their way could be decided');
    if (endedAtMs !== endsAtMs) this.fault(`ended at ${endedAtMs}, its countdown at ${endsAtMs}`);
    if (ended.purchaseCount !== open.purchases)
      this.fault(`counts ${ended.purchaseCount} purchases of ${open.purchases}`);
    this.checkLength('downtime', nextRoundAtMs - atMs, this.timers.downtimeDurationSeconds);
    this.open = null;
    this.phase = 'downtime';
    this.endsAtMs = nextRoundAtMs;
    this.ended.push({ roundId, winnerId: winner?.gamerId ?? null, jackpotCents: ended.jackpotCents, endedAtMs });
  }

  private checkExtension({ last, secondsPerToken }: OpenRound, extended: LedgerEvents['TimeExtended']): void {
    const { purchaseId, buyerId, addedSeconds, endsAtEpochMs } = extended;
    const dueSeconds = (last?.quantity ?? 0) * secondsPerToken;
    const dueEnd = this.endsAtMs + addedSeconds * 1000;
    if (purchaseId !== last?.purchaseId) this.fault(`extends for ${purchaseId}, which was not bought just before`);
    if (buyerId !== last?.gamerId) this.fault(`extends for ${buyerId}, who did not buy just before`);
    if (addedSeconds !== dueSeconds) this.fault(`adds ${addedSeconds} s of ${dueSeconds} s`);
    if (endsAtEpochMs !== dueEnd) this.fault(`ends at ${endsAtEpochMs}, not at ${dueEnd}`);
  }

  /**
   * Checks an outage against the log (decision 46): it must contain the countdown's end, be long enough, and begin after the
   * last event, because an event proves a living node. A loss of events around the countdown's end is one of any length.
   * The time left when it began, or 30 seconds, must be given back.
   */
  private checkOutage(resumed: LedgerEvents['LiveResumed'], atMs: number): void {
    const { lastAliveAtMs, outageSeconds, endsAtEpochMs } = resumed;
    const lost = this.lostAround(this.endsAtMs);
    const dueSeconds = Math.ceil((atMs - lastAliveAtMs) / 1000);
    const dueLeftMs = Math.max(this.endsAtMs - lastAliveAtMs, limits.RESUMED_LIVE_MIN_SECONDS * 1000);
    if (lastAliveAtMs >= this.endsAtMs) this.fault('resumes after an outage that began after zero');
    if (lastAliveAtMs < (lost?.fromMs ?? this.lastEventAtMs))
      this.fault('resumes after an outage in which an event was appended');
    if (!lost && atMs - lastAliveAtMs <= limits.MIN_OUTAGE_MS)
      this.fault('resumes after a stall that was not an outage');
    if (outageSeconds !== dueSeconds) this.fault(`says ${outageSeconds} s of an outage of ${dueSeconds} s`);
    if (endsAtEpochMs !== atMs + dueLeftMs) this.fault(`leaves ${endsAtEpochMs - atMs} ms of ${dueLeftMs} ms`);
    if (lost && lastAliveAtMs !== lost.fromMs) this.fault('resumes after another time than the lost one');
  }

  private checkLength(phase: string, lengthMs: number, dueSeconds: number): void {
    if (lengthMs !== dueSeconds * 1000)
      this.fault(`has a ${phase} of ${lengthMs} ms, and ${dueSeconds} s are in force`);
  }

  private checkTimers({ tokenExtensionSeconds, ...phases }: limits.TimerSettings): void {
    const isWrong = (seconds: number, max: number): boolean => seconds < 1 || seconds > max;
    if (Object.values(phases).some((seconds) => isWrong(seconds, limits.MAX_TIMER_SECONDS)))
      this.fault('sets a phase shorter than a second or longer than a year');
    if (isWrong(tokenExtensionSeconds, limits.MAX_EXTENSION_SECONDS))
      this.fault('sets an extension over a day, or none');
  }
}
