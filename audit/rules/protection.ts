import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, HOUR_MS } from '../../contracts/durations.js';
import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import * as protection from '../../contracts/protection.js';
import { type FaultReporter, formatCents, newYorkDay } from '../replay/finding.js';

/** Checks that an excluded gamer does not play, and that an exclusion is never shortened or lifted early (decision 55). */
export class Exclusions {
  /** Exclusions by gamer. Fields are named as in the nodes' state, with which specs compare them. */
  readonly newest = new Map<GamerId, Pick<LedgerEvents['GamerExcluded'], 'kind' | 'untilMs'>>();

  constructor(private readonly fault: FaultReporter) {}

  /** True while a time-out runs, and from a self-exclusion's beginning until a day after the gamer lifted it. */
  isExcluded(gamerId: GamerId, atMs: number): boolean {
    const exclusion = this.newest.get(gamerId);
    return exclusion !== undefined && (exclusion.kind === 'self-exclusion' || exclusion.untilMs > atMs);
  }

  take({ type, data }: LedgerEvent, atMs: number) {
    switch (type) {
      case 'GamerExcluded':
        return this.begin(data, atMs);
      case 'ExclusionLifted': {
        const before = this.newest.get(data.gamerId);
        if (before?.kind !== 'self-exclusion') this.fault(`lifts a self-exclusion that ${data.gamerId} does not have`);
        else if (atMs < before.untilMs) this.fault('lifts a self-exclusion before its end');
        if (data.playsFromMs !== atMs + DAY_MS) this.fault('does not wait a day');
        this.newest.set(data.gamerId, { kind: 'time-out', untilMs: data.playsFromMs });
        return;
      }
      case 'TokenPurchased':
        return this.checkPlay(data.buyerId, atMs, 'buys');
      case 'WinningsTransferred':
        return this.checkPlay(data.gamerId, atMs, 'transfers winnings');
      case 'BalanceReleased':
        if (!this.isExcluded(data.gamerId, atMs))
          this.fault(`releases the balance of ${data.gamerId}, who is not excluded`);
        if (data.purchaseBalanceCents !== 0) this.fault('releases less than the whole purchase balance');
    }
  }

  private begin({ gamerId, kind, untilMs }: LedgerEvents['GamerExcluded'], atMs: number): void {
    const before = this.isExcluded(gamerId, atMs) ? this.newest.get(gamerId) : undefined;
    const days = (untilMs - atMs) / DAY_MS;
    // Another account of the same person gets the same end.
    const isShared = [...this.newest.values()].some((one) => one.kind === kind && one.untilMs === untilMs);
    if (!protection.EXCLUSION_DAYS[kind].some((one) => one === days) && !isShared)
      this.fault(`is for ${days} days, which is not a length of a ${kind}`);
    const isWeaker = before?.kind === 'self-exclusion' && kind === 'time-out';
    const isShorter = before !== undefined && untilMs <= before.untilMs;
    if (isWeaker || isShorter) this.fault(`shortens the exclusion of ${gamerId}`);
    this.newest.set(gamerId, { kind, untilMs });
  }

  private checkPlay(gamerId: GamerId, atMs: number, what: string): void {
    if (this.isExcluded(gamerId, atMs)) this.fault(`${what} for ${gamerId}, who is excluded`);
  }
}

type LimitKinds = readonly protection.LimitKind[];

const BALANCE_KINDS: LimitKinds = ['spending', 'loss'];
const PLAY_KINDS = ['spending', 'deposits', 'won'] as const;
type PlayKind = (typeof PLAY_KINDS)[number];

type GamerLimits = Pick<LedgerEvents['LimitsSet'], 'limits' | 'higher'>;

/** A gamer's cents in the current day, week and month of New York, with the start of each. */
type PlaySums = Record<PlayKind | 'periodStarts', Record<protection.LimitPeriod, number>>;

/** Checks that nobody buys or is credited beyond a limit, and that only lower limits hold at once (decisions 56, 58). */
export class Limits {
  readonly limited = new Map<GamerId, GamerLimits>();
  readonly played = new Map<GamerId, PlaySums>();
  profile: LedgerEvents['ProtectionProfileSet'] = protection.NO_PROFILE;

  constructor(private readonly fault: FaultReporter) {}

  wouldBreak(gamerId: GamerId, kinds: LimitKinds, amountCents: number, atMs: number): boolean {
    return this.broken(gamerId, kinds, amountCents, atMs).length > 0;
  }

  mustChoose(gamerId: GamerId): boolean {
    return this.profile.mustChooseLimits && !this.limited.has(gamerId);
  }

  /** The limits of these kinds that these cents break, as texts. */
  private broken(gamerId: GamerId, kinds: LimitKinds, amountCents: number, atMs: number): string[] {
    const own = this.limited.get(gamerId)?.limits ?? protection.NO_LIMITS;
    const inForce = [['the', own] as const, ['the operator’s', this.profile.limits] as const];
    return inForce.flatMap(([whose, limits]) =>
      protection.EVERY_LIMIT.filter(({ kind, period }) => {
        const limit = limits[kind][period];
        return kinds.includes(kind) && limit !== null && this.used(gamerId, kind, period, atMs) + amountCents > limit;
      }).map(({ kind, period }) => `${whose} ${kind} limit of ${formatCents(limits[kind][period] ?? 0)} a ${period}`),
    );
  }

  private used(gamerId: GamerId, kind: protection.LimitKind, period: protection.LimitPeriod, atMs: number): number {
    const sum = (what: PlayKind): number => sumOf(this.played.get(gamerId), what, period, atMs);
    return kind === 'loss' ? sum('spending') - sum('won') : sum(kind);
  }

  take({ type, data }: LedgerEvent, atMs: number) {
    switch (type) {
      case 'LimitsSet':
        return this.set(data, atMs);
      case 'LimitsConfirmed': {
        const higher = this.limited.get(data.gamerId)?.higher ?? null;
        if (higher === null || !isSame(higher.limits, data.limits))
          this.fault('confirms limits that were not requested');
        if (higher !== null && atMs < higher.confirmableFromMs) this.fault('confirms limits within a day');
        return this.keep(data.gamerId, data.limits, null);
      }
      case 'TokenPurchased': {
        const { buyerId, costCents, source } = data;
        this.checkBroken(buyerId, source === 'invoice' ? protection.LIMIT_KINDS : BALANCE_KINDS, costCents, atMs);
        if (this.mustChoose(buyerId)) this.fault(`buys for ${buyerId}, who has to choose limits first`);
        if (source === 'invoice') this.count(buyerId, 'deposits', costCents, atMs);
        return this.count(buyerId, 'spending', costCents, atMs);
      }
      case 'RoundEnded':
        if (data.winner) this.count(data.winner.gamerId, 'won', data.jackpotCents, atMs);
        return;
      case 'DepositApproved':
        this.checkBroken(data.gamerId, ['deposits'], data.amountCents, atMs);
        return this.count(data.gamerId, 'deposits', data.amountCents, atMs);
      case 'DepositRecorded': {
        const { gamerId, amountCents, reason } = data;
        const isOver = gamerId !== null && this.wouldBreak(gamerId, ['deposits'], amountCents, atMs);
        if (reason === 'over-limit' && !isOver) this.fault('parks a deposit that breaks no limit');
        return;
      }
      case 'InvoiceCredited':
        return this.count(data.gamerId, 'deposits', data.amountCents, atMs);
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

  private set({ gamerId, limits, higher, used }: LedgerEvents['LimitsSet'], atMs: number): void {
    const before = this.limited.get(gamerId)?.limits ?? protection.NO_LIMITS;
    const isUsed = PLAY_KINDS.every((what) =>
      protection.LIMIT_PERIODS.every(
        (period) => used[what][period] === sumOf(this.played.get(gamerId), what, period, atMs),
      ),
    );
    this.checkHeight(limits);
    if (!isSame(limits, lowerOf(before, higher?.limits ?? limits))) this.fault(`raises a limit of ${gamerId} at once`);
    if (higher !== null && higher.confirmableFromMs !== atMs + DAY_MS)
      this.fault('does not wait a day for higher limits');
    if (!isUsed) this.fault(`says that ${gamerId} played for other amounts than they did`);
    this.keep(gamerId, limits, higher);
  }

  private checkBroken(gamerId: GamerId, kinds: LimitKinds, amountCents: number, atMs: number): void {
    for (const limit of this.broken(gamerId, kinds, amountCents, atMs)) this.fault(`breaks ${limit}`);
  }

  private checkHeight(limits: protection.PlayLimits): void {
    if (allOf(limits).some((limit) => (limit ?? 0) > protection.MAX_LIMIT_CENTS))
      this.fault('sets a limit above a million dollars');
  }

  private keep(gamerId: GamerId, limits: protection.PlayLimits, higher: GamerLimits['higher']): void {
    if (allOf(limits).every((limit) => limit === null)) this.limited.delete(gamerId);
    else this.limited.set(gamerId, { limits, higher });
  }

  /** Adds cents to the gamer's day, week and month. Sums of a former period are set to zero first. */
  private count(gamerId: GamerId, what: PlayKind, amountCents: number, atMs: number): void {
    const sums = this.played.get(gamerId) ?? noSums(atMs);
    // Most events are of the same hour as the gamer's last one.
    if (sums.periodStarts !== periodStartsAt(atMs))
      for (const each of PLAY_KINDS)
        for (const period of protection.LIMIT_PERIODS) sums[each][period] = sumOf(sums, each, period, atMs);
    for (const period of protection.LIMIT_PERIODS) sums[what][period] += amountCents;
    sums.periodStarts = periodStartsAt(atMs);
    this.played.set(gamerId, sums);
  }
}

const zeroCents = (): Record<protection.LimitPeriod, number> => ({ day: 0, week: 0, month: 0 });

const noSums = (atMs: number): PlaySums => ({
  periodStarts: periodStartsAt(atMs),
  spending: zeroCents(),
  deposits: zeroCents(),
  won: zeroCents(),
});

function sumOf(sums: PlaySums | undefined, what: PlayKind, period: protection.LimitPeriod, atMs: number): number {
  return sums?.periodStarts[period] === periodStartsAt(atMs)[period] ? sums[what][period] : 0;
}

const allOf = (limits: protection.PlayLimits): (number | null)[] =>
  protection.LIMIT_KINDS.flatMap((kind) => protection.LIMIT_PERIODS.map((period) => limits[kind][period]));

const isSame = (one: protection.PlayLimits, other: protection.PlayLimits): boolean =>
  allOf(one).join() === allOf(other).join();

const lowerOf = (before: protection.PlayLimits, requested: protection.PlayLimits): protection.PlayLimits =>
  protection.mapLimits((kind, period) => {
    const both = [before[kind][period], requested[kind][period]].filter((limit) => limit !== null);
    return both.length === 0 ? null : Math.min(...both);
  });

let lastHour = { hour: Number.NaN, periodStarts: zeroCents() };

/** The first day of the day, the week and the month in New York, as UTC midnight. They are the same for a whole hour of UTC. */
function periodStartsAt(atMs: number): Record<protection.LimitPeriod, number> {
  const hour = Math.floor(atMs / HOUR_MS);
  if (lastHour.hour !== hour) lastHour = { hour, periodStarts: computePeriodStarts(atMs) };
  return lastHour.periodStarts;
}

function computePeriodStarts(atMs: number): Record<protection.LimitPeriod, number> {
  const name = newYorkDay(atMs);
  const day = Date.parse(name);
  const monday = day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
  return { day, week: monday, month: Date.parse(name.slice(0, 'YYYY-MM'.length)) };
}
