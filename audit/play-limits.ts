import { isDeepStrictEqual } from 'node:util';
import type { LedgerEvent, LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { cents, faultsOf } from './finding.js';

type Limits = LedgerEvents['LimitsSet']['limits'];
type Kind = keyof Limits;
type Period = keyof Limits['loss'];

const KINDS: readonly Kind[] = ['spending', 'deposits', 'loss'];
const PERIODS: readonly Period[] = ['day', 'week', 'month'];
const DAY = 86_400_000;
const MOST = 100_000_000;

interface Limited {
  limits: Limits;
  wanted: Limits | null;
  confirmableFrom: number;
  /** Cents since the first limit, by what and the name of the period. */
  counted: Map<string, number>;
}

/** Checks that no gamer buys or is credited beyond their own limits, and that only lower limits hold at once (decision 56). */
export class PlayLimits {
  private readonly limited = new Map<GamerId, Limited>();

  /** The limits of these kinds that so many cents would break, as texts. */
  broken(gamerId: GamerId, kinds: readonly Kind[], amount: number, at: number): string[] {
    const gamer = this.limited.get(gamerId);
    if (gamer === undefined) return [];
    const names = namesOf(at);
    const sum = (what: string, period: Period): number => gamer.counted.get(`${what} ${names[period]}`) ?? 0;
    return kinds.flatMap((kind) =>
      PERIODS.flatMap((period) => {
        const limit = gamer.limits[kind][period];
        const used = kind === 'loss' ? sum('spending', period) - sum('won', period) : sum(kind, period);
        return limit !== null && used + amount > limit ? [`the ${kind} limit of ${cents(limit)} a ${period}`] : [];
      }),
    );
  }

  /** Folds an event and returns its faults. */
  take({ type, data }: LedgerEvent, at: number): string[] {
    switch (type) {
      case 'LimitsSet':
        return this.set(data, at);
      case 'LimitsConfirmed': {
        const gamer = this.limited.get(data.gamerId);
        const faults = faultsOf([
          [!gamer?.wanted || !isSame(gamer.wanted, data.limits), 'confirms limits that were not wanted'],
          [gamer !== undefined && at < gamer.confirmableFrom, 'confirms limits within a day'],
        ]);
        this.keep(data.gamerId, data.limits, null, 0);
        return faults;
      }
      case 'TokenPurchased': {
        const { buyerId, costCents, source } = data;
        const faults = this.broken(buyerId, ['spending', 'loss'], costCents, at).map((limit) => `breaks ${limit}`);
        this.count(buyerId, 'spending', costCents, at);
        if (source === 'invoice') this.count(buyerId, 'deposits', costCents, at);
        return faults;
      }
      case 'RoundEnded':
        if (data.winner) this.count(data.winner.gamerId, 'won', data.jackpotCents, at);
        return [];
      case 'DepositApproved': {
        const { gamerId, amountCents } = data;
        const faults = this.broken(gamerId, ['deposits'], amountCents, at).map((limit) => `breaks ${limit}`);
        this.count(gamerId, 'deposits', amountCents, at);
        return faults;
      }
      case 'DepositRecorded': {
        const { gamerId, amountCents, reason } = data;
        const isOver = gamerId !== null && this.broken(gamerId, ['deposits'], amountCents, at).length > 0;
        return faultsOf([[reason === 'over-limit' && !isOver, 'parks a deposit that breaks no limit']]);
      }
      case 'InvoiceCredited':
        this.count(data.gamerId, 'deposits', data.amountCents, at);
        return [];
      case 'GamerRemoved':
        this.limited.delete(data.gamerId);
        return [];
      default:
        return [];
    }
  }

  /** Number of gamers who have limits, or wait for some. */
  get limitedCount(): number {
    return this.limited.size;
  }

  areOf(gamerId: GamerId, limits: object, wanted: object | null): boolean {
    const gamer = this.limited.get(gamerId);
    return isDeepStrictEqual([gamer?.limits, gamer?.wanted], [limits, wanted]);
  }

  private set({ gamerId, limits, wanted, confirmableFromEpochMs }: LedgerEvents['LimitsSet'], at: number): string[] {
    const before = this.limited.get(gamerId)?.limits;
    this.keep(gamerId, limits, wanted, confirmableFromEpochMs ?? 0);
    const requested = wanted ?? limits;
    return faultsOf([
      [!allOf(limits).every((limit) => limit === null || limit <= MOST), 'sets a limit above a million dollars'],
      [!isSame(limits, lowerOf(before, requested)), `raises a limit of ${gamerId} at once`],
      [(wanted === null) !== (confirmableFromEpochMs === null), 'wants limits that cannot be confirmed'],
      [wanted !== null && confirmableFromEpochMs !== at + DAY, 'does not wait a day for higher limits'],
    ]);
  }

  private keep(gamerId: GamerId, limits: Limits, wanted: Limits | null, confirmableFrom: number): void {
    if (wanted === null && allOf(limits).every((limit) => limit === null)) this.limited.delete(gamerId);
    else {
      const counted = this.limited.get(gamerId)?.counted ?? new Map<string, number>();
      this.limited.set(gamerId, { limits, wanted, confirmableFrom, counted });
    }
  }

  private count(gamerId: GamerId, what: string, amount: number, at: number): void {
    const counted = this.limited.get(gamerId)?.counted;
    if (counted === undefined) return;
    for (const name of Object.values(namesOf(at))) {
      counted.set(`${what} ${name}`, (counted.get(`${what} ${name}`) ?? 0) + amount);
    }
  }
}

const allOf = (limits: Limits): (number | null)[] =>
  KINDS.flatMap((kind) => PERIODS.map((period) => limits[kind][period]));

const isSame = (one: Limits, other: Limits): boolean => allOf(one).join() === allOf(other).join();

/** The lower of each two limits. */
function lowerOf(before: Limits | undefined, requested: Limits): Limits {
  const lower = (kind: Kind, period: Period): number | null => {
    const both = [before?.[kind][period] ?? null, requested[kind][period]].filter((limit) => limit !== null);
    return both.length === 0 ? null : Math.min(...both);
  };
  const row = (kind: Kind) => ({ day: lower(kind, 'day'), week: lower(kind, 'week'), month: lower(kind, 'month') });
  return { spending: row('spending'), deposits: row('deposits'), loss: row('loss') };
}

const newYork = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York' });

/** Names of the day, the week (by its Monday) and the month in New York. */
function namesOf(at: number): Record<Period, string> {
  const [month, day, year] = newYork.format(at).split('/').map(Number) as [number, number, number];
  const date = Date.UTC(year, month - 1, day);
  const monday = date - ((new Date(date).getUTCDay() + 6) % 7) * DAY;
  return { day: `day ${date}`, week: `week ${monday}`, month: `month ${year} ${month}` };
}
