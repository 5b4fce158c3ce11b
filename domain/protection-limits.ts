import type { LedgerEvents, PaymentPurpose, PlayedCents } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import type { Cents } from '../contracts/money.js';
import { dayInNewYork, endOfPeriod, periodsOf } from '../contracts/new-york.js';
import * as protection from '../contracts/protection.js';
import { accept, type Decider, refuse } from './ledger/ledger-commands.js';
import type { LedgerState, PlaySums } from './ledger/ledger-state.js';
import type { Changes } from './ledger/undo-log.js';

/*
 * Limits for spending on tokens, deposits and net loss (spending less jackpots won), each for a day, a week and a month of New
 * York's calendar: the gamers' own (decision 56) and the operator's (decision 58). The stricter one holds. A limit counts from
 * the beginning of its period, so the state has sums of every gamer.
 */

export const setProtectionProfile: Decider<'SetProtectionProfile'> = (state, { profile, limits, mustChooseLimits }) => {
  if (!everyLimit(limits, protection.isLimit)) return refuse({ code: 'invalid-limits' });
  const current = state.profile;
  const isSame =
    profile === current.profile &&
    mustChooseLimits === current.mustChooseLimits &&
    everyLimit(limits, (limit, kind, period) => limit === current.limits[kind][period]);
  return isSame ? accept() : accept({ type: 'ProtectionProfileSet', data: { profile, limits, mustChooseLimits } });
};

export const protectionProfile = ({ profile }: LedgerState): Readonly<protection.ProtectionProfile> => profile;

/** The gamers who have limits, or wait for higher ones; the oldest limits first. */
export const limitedGamers = ({ playLimits }: LedgerState) => [...playLimits].map(([id, own]) => ({ id, ...own }));

/** The limits that the gamer chose, and the higher ones that the gamer waits for. */
export const chosenLimits = ({ playLimits }: LedgerState, gamerId: GamerId) =>
  playLimits.get(gamerId) ?? { limits: protection.NO_LIMITS, higher: null };

export const mustChooseLimits = ({ profile, playLimits }: LedgerState, gamerId: GamerId): boolean =>
  profile.mustChooseLimits && !playLimits.has(gamerId);

export const setLimits: Decider<'SetLimits'> = (state, { gamerId, limits: requested }, { atMs }) => {
  if (!state.gamers.has(gamerId) || gamerId === state.adminId) return refuse({ code: 'gamer-not-found' });
  if (!everyLimit(requested, protection.isLimit)) return refuse({ code: 'invalid-limits' });
  const { limits: current } = chosenLimits(state, gamerId);
  const limits = protection.mapLimits((kind, period) => stricterOf(current[kind][period], requested[kind][period]));
  const raises = !everyLimit(requested, (limit, kind, period) => limit === limits[kind][period]);
  const higher = raises ? { limits: requested, confirmableFromMs: atMs + protection.COOLING_OFF_MS } : null;
  const { day: _, ...used } = playSumsAt(state.playSums.get(gamerId), atMs);
  return accept({ type: 'LimitsSet', data: { gamerId, limits, higher, used } });
};

export const confirmLimits: Decider<'ConfirmLimits'> = (state, { gamerId }, { atMs }) => {
  if (!state.gamers.has(gamerId)) return refuse({ code: 'gamer-not-found' });
  const { higher } = chosenLimits(state, gamerId);
  if (higher === null) return refuse({ code: 'no-higher-limits' });
  const { limits, confirmableFromMs } = higher;
  if (atMs < confirmableFromMs) return refuse({ code: 'higher-limits-too-early', parameters: { confirmableFromMs } });
  return accept({ type: 'LimitsConfirmed', data: { gamerId, limits } });
};

/** The limits of these kinds that are in force for a gamer, the gamer's or the operator's, with the one that leaves the least first. */
export function limitsInForce(
  state: LedgerState,
  gamerId: GamerId,
  kinds: readonly protection.LimitKind[],
  atMs: number,
): protection.LimitInForce[] {
  const { limits: own } = chosenLimits(state, gamerId);
  const used = playSumsAt(state.playSums.get(gamerId), atMs);
  return protection.EVERY_LIMIT.filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ kind, period }): protection.LimitInForce[] => {
      const limitCents = stricterOf(own[kind][period], state.profile.limits[kind][period]);
      if (limitCents === null) return [];
      const setBy = limitCents === own[kind][period] ? 'gamer' : 'operator';
      const leftCents = Math.max(0, limitCents - sumOf(used, kind, period));
      return [{ setBy, kind, period, limitCents, leftCents, untilMs: endOfPeriod(used.day, period) }];
    })
    .sort((one, other) => one.leftCents - other.leftCents || other.untilMs - one.untilMs);
}

export function usedCents({ playSums }: LedgerState, gamerId: GamerId, atMs: number) {
  const used = playSumsAt(playSums.get(gamerId), atMs);
  return protection.mapLimits((kind, period) => sumOf(used, kind, period));
}

const sumOf = (used: PlaySums, kind: protection.LimitKind, period: protection.LimitPeriod): Cents =>
  kind === 'loss' ? used.spending[period] - used.won[period] : used[kind][period];

const KINDS = { tokens: ['spending', 'loss'], deposit: ['deposits'] } as const;

/** The limit that a purchase or a deposit would exceed; null when there is none. */
export function exceededLimit(
  state: LedgerState,
  purpose: PaymentPurpose,
  gamerId: GamerId,
  cents: Cents,
  atMs: number,
): protection.LimitInForce | null {
  // Nothing is added up without limits, which is the usual case.
  if (!state.playLimits.has(gamerId) && everyLimit(state.profile.limits, (limit) => limit === null)) return null;
  const strictest = limitsInForce(state, gamerId, KINDS[purpose], atMs)[0];
  return strictest !== undefined && cents > strictest.leftCents ? strictest : null;
}

/** The limit that a payment would exceed; null when there is none. A token invoice is a deposit too. */
export const exceededPaymentLimit: typeof exceededLimit = (state, purpose, gamerId, cents, atMs) =>
  exceededLimit(state, purpose, gamerId, cents, atMs) ?? exceededLimit(state, 'deposit', gamerId, cents, atMs);

export function evolveLimits(
  state: LedgerState,
  { gamerId, limits, higher }: Omit<LedgerEvents['LimitsSet'], 'used'>,
  changes: Changes,
): void {
  const hasNone = higher === null && everyLimit(limits, (limit) => limit === null);
  if (hasNone) changes.deleteEntry(state.playLimits, gamerId);
  else changes.setEntry(state.playLimits, gamerId, { limits, higher });
}

/** Counts cents for a gamer, in the day, week and month of this time. */
export function countPlay(state: LedgerState, gamerId: GamerId, amounts: PlayAmounts, changes: Changes, atMs: number) {
  const current = playSumsAt(state.playSums.get(gamerId), atMs);
  const add = (kind: keyof PlayAmounts) => {
    const cents = amounts[kind] ?? 0;
    return cents === 0 ? current[kind] : protection.mapPeriods((period) => current[kind][period] + cents);
  };
  const used = { day: current.day, spending: add('spending'), deposits: add('deposits'), won: add('won') };
  changes.setEntry(state.playSums, gamerId, used);
}

type PlayAmounts = Partial<Record<keyof PlayedCents, Cents>>;

const NO_CENTS: Record<protection.LimitPeriod, Cents> = { day: 0, week: 0, month: 0 };

/** The sums of the periods of this time: a period that has begun since then starts from nothing. */
function playSumsAt(used: PlaySums | undefined, atMs: number): PlaySums {
  const day = dayInNewYork(atMs);
  if (used?.day === day) return used;
  if (used === undefined) return { day, spending: NO_CENTS, deposits: NO_CENTS, won: NO_CENTS };
  const before = periodsOf(used.day);
  const current = periodsOf(day);
  const keep = (cents: PlaySums['won']) =>
    protection.mapPeriods((period) => (before[period] === current[period] ? cents[period] : 0));
  return { day, spending: keep(used.spending), deposits: keep(used.deposits), won: keep(used.won) };
}

const everyLimit = (
  limits: protection.PlayLimits,
  holds: (limit: Cents | null, kind: protection.LimitKind, period: protection.LimitPeriod) => boolean,
): boolean => protection.EVERY_LIMIT.every(({ kind, period }) => holds(limits[kind][period], kind, period));

function stricterOf(one: Cents | null, other: Cents | null): Cents | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
