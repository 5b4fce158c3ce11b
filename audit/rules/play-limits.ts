import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, HOUR_MS } from '../../contracts/durations.js';
import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import {
  LIMIT_KINDS,
  LIMIT_PERIODS,
  type LimitKind,
  type LimitPeriod,
  MAX_LIMIT_CENTS,
  mapLimits,
  NO_LIMITS,
  NO_PROFILE,
  type PlayLimits,
} from '../../contracts/protection.js';
import { type FaultReporter, formatCents, newYorkDay } from '../replay/finding.js';

const BALANCE_KINDS: readonly LimitKind[] = ['spending', 'loss'];
const PLAY_KINDS = ['spending', 'deposits', 'won'] as const;
type PlayKind = (typeof PLAY_KINDS)[number];

type GamerLimits = Pick<LedgerEvents['LimitsSet'], 'limits' | 'higher'>;

/** A gamer's cents in the current day, week and month of New York, with the start of each. */
type PlaySums = Record<PlayKind | 'periodStarts', Record<LimitPeriod, number>>;

/**
 * Checks that no gamer buys or is credited beyond the gamer's or the operator's limits, that only lower limits hold at once,
 * and that gamers choose limits where the operator obliges them to (decisions 56, 58).
 */
export class PlayLimitsRule {
  readonly limited = new Map<GamerId, GamerLimits>();
  readonly played = new Map<GamerId, PlaySums>();
  /** The operator's limits and obligations in force. */
  profile: LedgerEvents['ProtectionProfileSet'] = NO_PROFILE;

  constructor(private readonly fault: FaultReporter) {}

  /** True when these cents would break a limit of these kinds. */
  wouldBreak(gamerId: GamerId, kinds: readonly LimitKind[], amountCents: number, at: number): boolean {
    return this.broken(gamerId, kinds, amountCents, at).length > 0;
  }

  mustChoose(gamerId: GamerId): boolean {
    return this.profile.mustChooseLimits && !this.limited.has(gamerId);
  }

  /** The limits of these kinds that these cents break, as texts. */
  private broken(gamerId: GamerId, kinds: readonly LimitKind[], amountCents: number, at: number): string[] {
    const own = this.limited.get(gamerId)?.limits ?? NO_LIMITS;
    const broken: string[] = [];
    for (const kind of kinds)
      for (const period of LIMIT_PERIODS) {
        const limit = own[kind][period];
        const operators = this.profile.limits[kind][period];
        if (limit === null && operators === null) continue;
        const sum = this.used(gamerId, kind, period, at);
        if (limit !== null && sum + amountCents > limit)
          broken.push(`the ${kind} limit of ${formatCents(limit)} a ${period}`);
        if (operators !== null && sum + amountCents > operators)
          broken.push(`the operator’s ${kind} limit of ${formatCents(operators)} a ${period}`);
      }
    return broken;
  }

  private used(gamerId: GamerId, kind: LimitKind, period: LimitPeriod, at: number): number {
    const sum = (what: PlayKind): number => sumOf(this.played.get(gamerId), what, period, at);
    return kind === 'loss' ? sum('spending') - sum('won') : sum(kind);
  }

  take({ type, data }: LedgerEvent, at: number) {
    switch (type) {
      case 'LimitsSet':
        return this.set(data, at);
      case 'LimitsConfirmed': {
        const higher = this.limited.get(data.gamerId)?.higher ?? null;
        if (higher === null || !isSame(higher.limits, data.limits))
          this.fault('confirms limits that were not requested');
        if (higher !== null && at < higher.confirmableFromMs) this.fault('confirms limits within a day');
        return this.keep(data.gamerId, data.limits, null);
      }
      case 'TokenPurchased': {
        const { buyerId, costCents, source } = data;
        this.checkBroken(buyerId, source === 'invoice' ? LIMIT_KINDS : BALANCE_KINDS, costCents, at);
        if (this.mustChoose(buyerId)) this.fault(`buys for ${buyerId}, who has to choose limits first`);
        if (source === 'invoice') this.count(buyerId, 'deposits', costCents, at);
        return this.count(buyerId, 'spending', costCents, at);
      }
      case 'RoundEnded':
        if (data.winner) this.count(data.winner.gamerId, 'won', data.jackpotCents, at);
        return;
      case 'DepositApproved':
        this.checkBroken(data.gamerId, ['deposits'], data.amountCents, at);
        return this.count(data.gamerId, 'deposits', data.amountCents, at);
      case 'DepositRecorded': {
        const { gamerId, amountCents, reason } = data;
        const isOver = gamerId !== null && this.wouldBreak(gamerId, ['deposits'], amountCents, at);
        if (reason === 'over-limit' && !isOver) this.fault('parks a deposit that breaks no limit');
        return;
      }
      case 'InvoiceCredited':
        return this.count(data.gamerId, 'deposits', data.amountCents, at);
      case 'GamerRemoved':
        this.limited.delete(data.gamerId);
        this.played.delete(data.gamerId);
        return;
      case 'ProtectionProfileSet':
        if (isDeepStrictEqual(data, this.profile)) this.fault('changes nothing');
        this.checkHeight(data.limits);
        this.profile = data;
    }
  }

  private set({ gamerId, limits, higher, used }: LedgerEvents['LimitsSet'], at: number): void {
    const before = this.limited.get(gamerId)?.limits ?? NO_LIMITS;
    const isUsed = PLAY_KINDS.every((what) =>
      LIMIT_PERIODS.every((period) => used[what][period] === sumOf(this.played.get(gamerId), what, period, at)),
    );
    this.checkHeight(limits);
    if (!isSame(limits, lowerOf(before, higher?.limits ?? limits))) this.fault(`raises a limit of ${gamerId} at once`);
    if (higher !== null && higher.confirmableFromMs !== at + DAY_MS)
      this.fault('does not wait a day for higher limits');
    if (!isUsed) this.fault(`says that ${gamerId} played for other amounts than they did`);
    this.keep(gamerId, limits, higher);
  }

  private checkBroken(gamerId: GamerId, kinds: readonly LimitKind[], amountCents: number, at: number): void {
    for (const limit of this.broken(gamerId, kinds, amountCents, at)) this.fault(`breaks ${limit}`);
  }

  private checkHeight(limits: PlayLimits): void {
    if (allOf(limits).some((limit) => (limit ?? 0) > MAX_LIMIT_CENTS))
      this.fault('sets a limit above a million dollars');
  }

  private keep(gamerId: GamerId, limits: PlayLimits, higher: GamerLimits['higher']): void {
    if (allOf(limits).every((limit) => limit === null)) this.limited.delete(gamerId);
    else this.limited.set(gamerId, { limits, higher });
  }

  /** Adds cents to the gamer's day, week and month. Sums of a former period are set to zero first. */
  private count(gamerId: GamerId, what: PlayKind, amountCents: number, at: number): void {
    const sums = this.played.get(gamerId) ?? noSums(at);
    // Most events are of the same hour as the gamer's last one.
    if (sums.periodStarts !== periodStartsAt(at))
      for (const each of PLAY_KINDS)
        for (const period of LIMIT_PERIODS) sums[each][period] = sumOf(sums, each, period, at);
    for (const period of LIMIT_PERIODS) sums[what][period] += amountCents;
    sums.periodStarts = periodStartsAt(at);
    this.played.set(gamerId, sums);
  }
}

const nothing = (): Record<LimitPeriod, number> => ({ day: 0, week: 0, month: 0 });

const noSums = (at: number): PlaySums => ({
  periodStarts: periodStartsAt(at),
  spending: nothing(),
  deposits: nothing(),
  won: nothing(),
});

/** The cents of the period in which this time lies. */
function sumOf(sums: PlaySums | undefined, what: PlayKind, period: LimitPeriod, at: number): number {
  return sums?.periodStarts[period] === periodStartsAt(at)[period] ? sums[what][period] : 0;
}

const allOf = (limits: PlayLimits): (number | null)[] =>
  LIMIT_KINDS.flatMap((kind) => LIMIT_PERIODS.map((period) => limits[kind][period]));

const isSame = (one: PlayLimits, other: PlayLimits): boolean => allOf(one).join() === allOf(other).join();

const lowerOf = (before: PlayLimits, requested: PlayLimits): PlayLimits =>
  mapLimits((kind, period) => {
    const both = [before[kind][period], requested[kind][period]].filter((limit) => limit !== null);
    return both.length === 0 ? null : Math.min(...both);
  });

let lastHour = { hour: Number.NaN, periodStarts: nothing() };

/** The first day of the day, the week and the month in New York, as UTC midnight. They are the same for a whole hour of UTC. */
function periodStartsAt(at: number): Record<LimitPeriod, number> {
  const hour = Math.floor(at / HOUR_MS);
  if (lastHour.hour !== hour) lastHour = { hour, periodStarts: computePeriodStarts(at) };
  return lastHour.periodStarts;
}

function computePeriodStarts(at: number): Record<LimitPeriod, number> {
  const name = newYorkDay(at);
  const day = Date.parse(name);
  const monday = day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
  return { day, week: monday, month: Date.parse(name.slice(0, 'YYYY-MM'.length)) };
}
