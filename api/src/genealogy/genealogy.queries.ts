import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { GenealogyResponse } from '../../../contracts/http/gamers.js';
import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { MatrixGamerRow, MatrixLevelRow } from '../../../projections/src/views/matrix.entity.js';
import { NAMELESS } from '../game/game-state.js';
import { Refused } from '../http/refused.js';
import { type DownlineGamer, genealogyOf } from './genealogy.js';

/** Levels 1 to 5 in full, the first 243 of levels 6 and 7; a bound for what one answer carries. */
const LISTED_PER_LEVEL = 243;
const DIRECT_REFERRALS_LISTED = 500;

/** Who asks: the admin sees everyone, a gamer themselves and their own downline (decision 39). */
export type Viewer = { gamerId: GamerId; isAdmin: boolean };

@Injectable()
export class GenealogyQueries {
  constructor(private readonly database: DataSource) {}

  /** One snapshot, so that counts and lists tell the same moment. */
  async open(gamerId: GamerId, viewer: Viewer): Promise<GenealogyResponse> {
    return this.database.transaction('REPEATABLE READ', async (tables) => {
      const root = await tables.findOneBy(MatrixGamerRow, { id: gamerId });
      if (!mayOpen(root, gamerId, viewer)) throw new Refused('not-in-your-downline');
      if (!root) throw new Refused('gamer-not-found');
      return genealogyOf({
        directBonusCents: root.directBonusCents,
        downline: await downlineOf(tables, gamerId),
        levels: await tables.findBy(MatrixLevelRow, { gamerId }),
        directReferrals: await directReferralsOf(tables, gamerId),
      });
    });
  }
}

/** A gamer learns nothing about ids outside their downline, not even whether they exist. */
const mayOpen = (root: MatrixGamerRow | null, gamerId: GamerId, viewer: Viewer): boolean =>
  viewer.isAdmin || gamerId === viewer.gamerId || (root?.uplines.includes(viewer.gamerId) ?? false);

/** The gamer (level 0) and seven levels below, 3,280 places at most, each level left to right and cut at its bound. */
function downlineOf(tables: EntityManager, gamerId: GamerId): Promise<DownlineGamer[]> {
  return tables.query(
    `WITH RECURSIVE downline AS (
       SELECT id, parent_id, sponsor_id, team_size, 0 AS level, ARRAY[]::smallint[] AS path
       FROM read.matrix_gamers WHERE id = $1
       UNION ALL
       SELECT below.id, below.parent_id, below.sponsor_id, below.team_size, level + 1, path || below.slot
       FROM read.matrix_gamers AS below JOIN downline ON below.parent_id = downline.id WHERE level < $2
     ),
     listed AS (SELECT *, row_number() OVER (PARTITION BY level ORDER BY path) AS place FROM downline)
     SELECT listed.id, parent_id AS "parentId", coalesce(gamer_tag, $4) AS username, team_size AS "teamSize", level,
       coalesce(sponsor_id = $1, false) AS "isDirect"
     FROM listed LEFT JOIN read.gamers ON gamers.id = listed.id
     WHERE place <= $3 ORDER BY level, place`,
    [gamerId, MATRIX_DEPTH, LISTED_PER_LEVEL, NAMELESS],
  );
}

/** In the order they joined. */
function directReferralsOf(tables: EntityManager, gamerId: GamerId): Promise<{ id: GamerId; username: string }[]> {
  return tables.query(
    `SELECT matrix_gamers.id, coalesce(gamer_tag, $3) AS username
     FROM read.matrix_gamers LEFT JOIN read.gamers ON gamers.id = matrix_gamers.id
     WHERE sponsor_id = $1 ORDER BY enrolled_revision LIMIT $2`,
    [gamerId, DIRECT_REFERRALS_LISTED, NAMELESS],
  );
}
