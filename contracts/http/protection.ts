import type { GamerId } from '../ids.js';
import type { ExclusionKind } from '../limits.js';

/** A time-out or self-exclusion in force. Times are epoch milliseconds. */
export interface Exclusion {
  kind: ExclusionKind;
  /** A self-exclusion holds longer: until the gamer lifts it. */
  untilEpochMs: number;
}

/** GET /api/gamer/{id}/protection */
export interface ProtectionResponse {
  exclusion: Exclusion | null;
}

/** POST /api/gamer/{id}/exclusion: one of EXCLUSION_DAYS. */
export interface ExcludeRequest {
  kind: ExclusionKind;
  days: number;
}

/** GET /api/admin/exclusions: the gamers who are excluded now, the longest first. */
export interface ExcludedGamer extends Exclusion {
  gamerId: GamerId;
  gamerTag: string;
}
