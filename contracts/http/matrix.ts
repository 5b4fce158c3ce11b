import type { GamerId } from '../ids.js';
import type { MatrixLevel } from '../limits.js';
import type { ListPage } from './headers.js';

export type MatrixGamer = { id: GamerId; username: string };

export interface GenealogyNode extends MatrixGamer {
  /** Gamers placed below within seven levels. */
  teamSize: number;
  /** Empty below the depth limit: GET /api/genealogy/{child} returns the rest. */
  children: GenealogyNode[];
}

export interface LevelGamer extends MatrixGamer {
  /** True when the requested gamer is their sponsor. */
  isDirect: boolean;
  teamSize: number;
}

/** GET /api/genealogy/{id}/find?tag=: gamers below within seven levels, by level and then left to right. */
export interface FoundInTreeResponse {
  /** The first 20 of the gamers found. */
  gamers: (LevelGamer & { level: MatrixLevel })[];
  total: number;
}

/** GET /api/genealogy/{id}/levels/{level}?page=&pageSize=: the gamers of a level, left to right. */
export interface LevelGamersResponse extends ListPage<'gamers', LevelGamer> {}

export type LevelNumber = `${MatrixLevel}`;

export interface LevelWinnings extends Record<`level${MatrixLevel}Cents`, number> {
  /** The bonus for direct referrals on every level (decisions 1, 2). */
  directBonusCents: number;
}

/** GET /api/genealogy/{id} */
export interface GenealogyResponse {
  genealogy: GenealogyNode;
  levels: Record<LevelNumber, LevelGamer[]>;
  /** Gamers on each level. `levels` lists only the first of a large level; …/levels/{level} returns all. */
  levelCounts: Record<LevelNumber, number>;
  levelWinnings: LevelWinnings;
  /** The first to join; GET /api/genealogy/{id}/direct-referrals returns all. */
  directReferrals: MatrixGamer[];
  directReferralCount: number;
}

/** GET /api/genealogy/{id}/direct-referrals?page=&pageSize=: in the order of joining. */
export interface DirectReferralsResponse extends ListPage<'gamers', MatrixGamer> {}
