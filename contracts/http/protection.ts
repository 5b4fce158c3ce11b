import type { NamedGamer } from '../ids.js';
import type * as protection from '../protection.js';
import type { ListPage } from './headers.js';

/** GET /api/gamer/{id}/protection */
export interface ProtectionResponse {
  exclusion: protection.Exclusion | null;
  /** GamerTags of all accounts with the gamer's confirmed mailbox, for which an exclusion holds too. Empty before that. */
  sameMailbox: string[];
  limits: protection.PlayLimits;
  /** Higher limits that the gamer requested; null without any. */
  higher: protection.HigherLimits | null;
  /** The limits in force, the gamer's and the site's; the one that leaves the least comes first. */
  limitsInForce: protection.LimitInForce[];
  /** Cents that count against each limit in its current period, with or without such a limit. */
  used: protection.EachLimit<number>;
  /** The site obliges the gamer to choose limits before they deposit or buy. */
  mustChooseLimits: boolean;
}

/** PUT /api/gamer/{id}/limits: all limits that the gamer wants. */
export type SetLimitsRequest = protection.PlayLimits;

/** POST /api/gamer/{id}/exclusion: one of EXCLUSION_DAYS. */
export type ExcludeRequest = { kind: protection.ExclusionKind; days: number };

/** GET /api/play-session: the play of the current login, from its beginning on. Amounts are cents. */
export interface PlaySession {
  startedAtMs: number;
  /** Spent on tokens, from the purchase balance and by invoice. */
  spentCents: number;
  wonCents: number;
  netCents: number;
  realityCheck: {
    everyMinutes: number;
    /** The site's time, which a gamer may shorten. */
    maxMinutes: number;
    dueAtMs: number;
  };
}

/** PUT /api/play-session/reality-check */
export type RealityCheckRequest = Pick<PlaySession['realityCheck'], 'everyMinutes'>;

/** GET /api/admin/exclusions: a page of the gamers who are excluded now, the longest first. */
export interface ExclusionsResponse extends ListPage<'exclusions', ExcludedGamer> {}

/** GET /api/admin/limits: the site's profile, and a page of the gamers with limits of their own, the oldest first. */
export interface LimitsResponse extends ListPage<'limited', LimitedGamer> {
  profile: protection.ProtectionProfile;
}

export interface LimitedGamer extends NamedGamer, Pick<ProtectionResponse, 'limits' | 'higher'> {}

export interface ExcludedGamer extends NamedGamer, protection.Exclusion {}
