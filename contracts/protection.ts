import { DAY_MS } from './durations.js';

/** The lengths a gamer may choose, in days. 184 days are never less than six months, 1,827 never less than five years. */
export const EXCLUSION_DAYS = {
  'time-out': [1, 7, 30, 42],
  'self-exclusion': [184, 366, 731, 1_096, 1_827],
} as const satisfies Record<string, readonly number[]>;
export type ExclusionKind = keyof typeof EXCLUSION_DAYS;
export interface Exclusion {
  kind: ExclusionKind;
  /** A self-exclusion holds longer: until the gamer lifts it. */
  untilMs: number;
}

/** A raised limit, and the end of a self-exclusion, hold only after this time. */
export const COOLING_OFF_MS = DAY_MS;

/** Minutes of play between two reality checks (RTS 13B), unless the setting REALITY_CHECK_MINUTES says otherwise. */
export const REALITY_CHECK_MINUTES = 30;

export const LIMIT_KINDS = ['spending', 'deposits', 'loss'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];
/** A day, a week from Monday on, and a month of New York's calendar. */
export const LIMIT_PERIODS = ['day', 'week', 'month'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];
export type EachLimit<T> = Readonly<Record<LimitKind, Readonly<Record<LimitPeriod, T>>>>;
/** Cents for each kind and period; null: no limit. */
export type PlayLimits = EachLimit<number | null>;
export const EVERY_LIMIT = LIMIT_KINDS.flatMap((kind) => LIMIT_PERIODS.map((period) => ({ kind, period })));
export const mapPeriods = <T>(valueFor: (period: LimitPeriod) => T): Record<LimitPeriod, T> => ({
  day: valueFor('day'),
  week: valueFor('week'),
  month: valueFor('month'),
});

export const mapLimits = <T>(valueFor: (kind: LimitKind, period: LimitPeriod) => T): EachLimit<T> => ({
  spending: mapPeriods((period) => valueFor('spending', period)),
  deposits: mapPeriods((period) => valueFor('deposits', period)),
  loss: mapPeriods((period) => valueFor('loss', period)),
});

export const NO_LIMITS: PlayLimits = mapLimits(() => null);
export const MAX_LIMIT_CENTS = 100_000_000;
export interface LimitInForce {
  /** Who set this limit. */
  setBy: 'gamer' | 'operator';
  kind: LimitKind;
  period: LimitPeriod;
  limitCents: number;
  /** The rest of the limit in this period. */
  leftCents: number;
  /** End of the period, and beginning of the next one. */
  untilMs: number;
}

/** Limits of which some are higher than those in force: they hold once the gamer confirms them, from this time on. */
export interface HigherLimits {
  readonly limits: PlayLimits;
  readonly confirmableFromMs: number;
}

/** Whether a value is a limit: whole cents up to MAX_LIMIT_CENTS, or null for none. */
export const isLimit = (limit: unknown): limit is number | null =>
  limit === null || (Number.isSafeInteger(limit) && Number(limit) >= 0 && Number(limit) <= MAX_LIMIT_CENTS);

export const PROFILE_NAMES = ['none', 'standard', 'strict'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];
/** The part of a profile that the ledger decides with. */
export interface ProtectionProfile {
  profile: ProfileName;
  limits: PlayLimits;
  /** A gamer must have limits of their own to deposit or buy. */
  mustChooseLimits: boolean;
}
export const NO_PROFILE: ProtectionProfile = { profile: 'none', limits: NO_LIMITS, mustChooseLimits: false };

/** The site's profiles (decision 58): what PROTECTION_PROFILE means. docs/player-protection.md says it in words. */
export const PROTECTION_PROFILES: Readonly<Record<ProfileName, ProtectionProfile>> = {
  none: NO_PROFILE,
  standard: {
    profile: 'standard',
    limits: {
      spending: NO_LIMITS.spending,
      deposits: { day: 50_000, week: 150_000, month: 300_000 },
      loss: { day: null, week: null, month: 200_000 },
    },
    mustChooseLimits: false,
  },
  strict: {
    profile: 'strict',
    limits: {
      spending: NO_LIMITS.spending,
      deposits: { day: 20_000, week: 50_000, month: 100_000 },
      loss: { day: 10_000, week: 25_000, month: 50_000 },
    },
    mustChooseLimits: true,
  },
};

/** The longest time between two reality checks, minutes; null for the setting's own choice. */
export const LONGEST_REALITY_CHECKS = { none: null, standard: 30, strict: 15 } satisfies Record<ProfileName, unknown>;
