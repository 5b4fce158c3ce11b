import type { LedgerEvents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import {
  COOLING_OFF_MS,
  LIMIT_KINDS,
  LIMIT_PERIODS,
  type LimitKind,
  type LimitPeriod,
  MAX_LIMIT_CENTS,
  NO_LIMITS,
  type PlayLimits,
} from '../contracts/limits.js';
import type { Cents } from '../contracts/money.js';
import { dayInNewYork, endOfPeriod, periodsOf } from '../contracts/new-york.js';
import type { ReachedLimit } from '../contracts/refusals.js';
import { accept, type CommandContext, type CommandOf, type Decision, refuse } from './ledger-commands.js';
import type { LedgerState, LimitedPlay, Usage } from './ledger-state.js';
import type { Changes } from './undo-journal.js';

/*
 * Limits that gamers set for themselves (decision 56): for spending on tokens, deposits and net loss, each for a day, a
 * week and a month of New York's calendar.
 *
 * A lower limit holds at once. A higher one, or none, holds after 24 hours and a second confirmation. Net loss is spending
 * less jackpots won. Limits count from the time when the gamer first sets one, so the state has sums of gamers with limits
 * only. A purchase beyond a limit is refused, a paid token invoice goes to the purchase balance, and a paid deposit waits
 * for the admin.
 */

export function setLimits(
  state: LedgerState,
  { gamerId, limits: wanted }: CommandOf<'SetLimits'>,
  { at }: CommandContext,
): Decision {
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  if (!everyLimit(wanted, isLimit)) return refuse({ code: 'invalid-limits' });
  const now = state.limited.get(gamerId)?.limits ?? NO_LIMITS;
  const limits = mapLimits((kind, period) => lower(now[kind][period], wanted[kind][period]));
  const raises = !everyLimit(wanted, (limit, kind, period) => limit === limits[kind][period]);
  const request = raises
    ? { wanted, confirmableFromEpochMs: at + COOLING_OFF_MS }
    : { wanted: null, confirmableFromEpochMs: null };
  return accept({ type: 'LimitsSet', data: { gamerId, limits, ...request } });
}

export function confirmLimits(
  state: LedgerState,
  { gamerId }: CommandOf<'ConfirmLimits'>,
  { at }: CommandContext,
): Decision {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  const wanted = state.limited.get(gamerId)?.wanted ?? null;
  if (wanted === null) return refuse({ code: 'no-raise-requested' });
  const { limits, confirmableFromEpochMs } = wanted;
  if (at < confirmableFromEpochMs) return refuse({ code: 'raise-too-early', parameters: { confirmableFromEpochMs } });
  return accept({ type: 'LimitsConfirmed', data: { gamerId, limits } });
}

/** The limit of these kinds that leaves the gamer the least; null without any. */
export function strictestLimit(
  { limited }: Pick<LedgerState, 'limited'>,
  gamerId: GamerId,
  kinds: readonly LimitKind[],
  at: number,
): ReachedLimit | null {
  const play = limited.get(gamerId);
  return play === undefined ? null : (limitsInForce(play, kinds, at)[0] ?? null);
}

/** The limits of these kinds, with the one that leaves the least first. */
export function limitsInForce(
  { limits, used: before }: LimitedPlay,
  kinds: readonly LimitKind[],
  at: number,
): ReachedLimit[] {
  const used = usageAt(before, at);
  return kinds
    .flatMap((kind) => LIMIT_PERIODS.map((period) => ({ kind, period, limitCents: limits[kind][period] })))
    .flatMap(({ kind, period, limitCents }) =>
      limitCents === null
        ? []
        : [
            {
              ...{ kind, period, limitCents },
              leftCents: Math.max(0, limitCents - usedOf(used, kind, period)),
              untilEpochMs: endOfPeriod(used.day, period),
            },
          ],
    )
    .sort((one, other) => one.leftCents - other.leftCents || other.untilEpochMs - one.untilEpochMs);
}

const usedOf = (used: Usage, kind: LimitKind, period: LimitPeriod): Cents =>
  kind === 'loss' ? used.spending[period] - used.won[period] : used[kind][period];

/** The limit that a purchase for so many cents would break; null when there is none. */
export function spendingLimitBroken(
  state: Pick<LedgerState, 'limited'>,
  gamerId: GamerId,
  cents: Cents,
  at: number,
): ReachedLimit | null {
  const limit = strictestLimit(state, gamerId, ['spending', 'loss'], at);
  return limit !== null && cents > limit.leftCents ? limit : null;
}

/** The limit that a deposit would break; null when there is none. */
export function depositLimitBroken(
  state: Pick<LedgerState, 'limited'>,
  gamerId: GamerId,
  cents: Cents,
  at: number,
): ReachedLimit | null {
  const limit = strictestLimit(state, gamerId, ['deposits'], at);
  return limit !== null && cents > limit.leftCents ? limit : null;
}

export function foldLimits(
  state: LedgerState,
  { gamerId, limits, wanted, confirmableFromEpochMs }: LedgerEvents['LimitsSet'],
  changes: Changes,
  at: number,
): void {
  const isWithout = wanted === null && everyLimit(limits, (limit) => limit === null);
  if (isWithout) {
    changes.deleteEntry(state.limited, gamerId);
    return;
  }
  const used = state.limited.get(gamerId)?.used ?? unusedAt(at);
  const request =
    wanted === null || confirmableFromEpochMs === null ? null : { limits: wanted, confirmableFromEpochMs };
  changes.setEntry(state.limited, gamerId, { limits, wanted: request, used });
}

/** Counts cents for a gamer who has limits. */
export function countPlay(
  state: LedgerState,
  gamerId: GamerId,
  counted: Partial<Record<'spending' | 'deposits' | 'won', Cents>>,
  changes: Changes,
  at: number,
): void {
  const play = state.limited.get(gamerId);
  if (play === undefined) return;
  const now = usageAt(play.used, at);
  const add = (of: 'spending' | 'deposits' | 'won') => mapPeriods((period) => now[of][period] + (counted[of] ?? 0));
  const used = { day: now.day, spending: add('spending'), deposits: add('deposits'), won: add('won') };
  changes.setEntry(state.limited, gamerId, { ...play, used });
}

const nothing: Record<LimitPeriod, Cents> = { day: 0, week: 0, month: 0 };

const unusedAt = (at: number): Usage => ({ day: dayInNewYork(at), spending: nothing, deposits: nothing, won: nothing });

/** The usage in the periods of this time: a period that has begun since then starts from nothing. */
function usageAt(used: Usage, at: number): Usage {
  const day = dayInNewYork(at);
  if (day === used.day) return used;
  const [before, now] = [periodsOf(used.day), periodsOf(day)];
  const keep = (cents: Usage['won']) => mapPeriods((period) => (before[period] === now[period] ? cents[period] : 0));
  return { day, spending: keep(used.spending), deposits: keep(used.deposits), won: keep(used.won) };
}

const mapPeriods = <T>(of: (period: LimitPeriod) => T): Record<LimitPeriod, T> => ({
  day: of('day'),
  week: of('week'),
  month: of('month'),
});

const mapLimits = (of: (kind: LimitKind, period: LimitPeriod) => Cents | null): PlayLimits => ({
  spending: mapPeriods((period) => of('spending', period)),
  deposits: mapPeriods((period) => of('deposits', period)),
  loss: mapPeriods((period) => of('loss', period)),
});

const everyLimit = (
  limits: PlayLimits,
  holds: (limit: Cents | null, kind: LimitKind, period: LimitPeriod) => boolean,
): boolean => LIMIT_KINDS.every((kind) => LIMIT_PERIODS.every((period) => holds(limits[kind][period], kind, period)));

const isLimit = (limit: Cents | null): boolean =>
  limit === null || (Number.isSafeInteger(limit) && limit >= 0 && limit <= MAX_LIMIT_CENTS);

function lower(one: Cents | null, other: Cents | null): Cents | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
