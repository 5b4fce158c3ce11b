import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type * as http from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import * as limits from '../../../../contracts/limits.js';
import { MatrixGamerRow, MatrixLevelRow } from '../../../../projections/src/views/tables.entity.js';
import { type Page, skipTakeOf } from '../../http/page.js';
import type { SessionGamer } from '../../http/session.js';
import { Refused } from '../../platform/failures.js';
import { containing, TAG_OF_DELETED } from '../gamers/gamers.queries.js';

/** Bounds one response: levels 1 to 5 are complete; of levels 6 and 7 more than this many gamers come by pages. */
export const LISTED_PER_LEVEL = 243;
const MAX_FOUND = 20;

@Injectable()
export class MatrixQueries {
  constructor(private readonly database: DataSource) {}

  open(gamerId: GamerId, viewer: SessionGamer): Promise<http.GenealogyResponse> {
    return this.admitted(gamerId, viewer, async (tables, { directBonusCents }) => {
      const downline = await downlineOf(tables, gamerId);
      const levels = await tables.findBy(MatrixLevelRow, { gamerId });
      return {
        ...genealogyOf(downline, levels, directBonusCents),
        directReferrals: await directReferralsOf(tables, gamerId, limits.MAX_LISTED_REFERRALS),
        directReferralCount: await tables.countBy(MatrixGamerRow, { sponsorId: gamerId }),
      };
    });
  }

  find(gamerId: GamerId, tag: string, viewer: SessionGamer): Promise<http.FoundInTreeResponse> {
    return this.admitted(gamerId, viewer, async (tables) => {
      if (tag === '') return { gamers: [], total: 0 };
      const rows = await tables.query<(http.FoundInTreeResponse['gamers'][number] & { total: string })[]>(
        `WITH RECURSIVE ${DOWNLINE}
         SELECT downline.id, gamer_tag AS username, level, team_size AS "teamSize",
           coalesce(sponsor_id = $1, false) AS "isDirect", count(*) OVER () AS total
         FROM downline JOIN read.gamers ON gamers.id = downline.id
         WHERE level > 0 AND gamer_tag ILIKE $3 ORDER BY level, path LIMIT $4`,
        [gamerId, limits.MATRIX_DEPTH, containing(tag), MAX_FOUND],
      );
      return { gamers: rows.map(({ total: _total, ...gamer }) => gamer), total: Number(rows[0]?.total ?? 0) };
    });
  }

  levelGamers(
    gamerId: GamerId,
    level: limits.MatrixLevel,
    page: Page,
    viewer: SessionGamer,
  ): Promise<http.LevelGamersResponse> {
    const { skip, take } = skipTakeOf(page);
    return this.admitted(gamerId, viewer, async (tables) => ({
      gamers: await tables.query<http.LevelGamer[]>(
        `WITH RECURSIVE ${DOWNLINE}
         SELECT downline.id, coalesce(gamer_tag, $3) AS username, team_size AS "teamSize",
           coalesce(sponsor_id = $1, false) AS "isDirect"
         FROM downline LEFT JOIN read.gamers ON gamers.id = downline.id
         WHERE level = $2 ORDER BY path LIMIT $4 OFFSET $5`,
        [gamerId, level, TAG_OF_DELETED, take, skip],
      ),
      total: (await tables.findOneBy(MatrixLevelRow, { gamerId, level }))?.gamers ?? 0,
    }));
  }

  directReferrals(gamerId: GamerId, page: Page, viewer: SessionGamer): Promise<http.DirectReferralsResponse> {
    const { skip, take } = skipTakeOf(page);
    return this.admitted(gamerId, viewer, async (tables) => ({
      gamers: await directReferralsOf(tables, gamerId, take, skip),
      total: await tables.countBy(MatrixGamerRow, { sponsorId: gamerId }),
    }));
  }

  /** Reads a gamer's tree in one snapshot, so that counts and lists agree. Refuses a viewer who may not open it. */
  private admitted<Result>(
    gamerId: GamerId,
    viewer: SessionGamer,
    read: (tables: EntityManager, root: MatrixGamerRow) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction('REPEATABLE READ', async (tables) => {
      const root = await tables.findOneBy(MatrixGamerRow, { id: gamerId });
      if (!mayOpen(root, gamerId, viewer)) throw new Refused('not-in-your-downline');
      if (!root) throw new Refused('gamer-not-found');
      return read(tables, root);
    });
  }
}

/** The admin opens every gamer; a gamer their own downline, and learns nothing of other ids (decision 39). */
const mayOpen = (root: MatrixGamerRow | null, gamerId: GamerId, viewer: SessionGamer): boolean =>
  viewer.role === 'admin' || gamerId === viewer.gamerId || (root?.uplines.includes(viewer.gamerId) ?? false);

/** The downline of gamer $1 down to level $2, for a recursive query. The path orders a level from left to right. */
const DOWNLINE = `downline AS (
       SELECT id, parent_id, sponsor_id, team_size, 0 AS level, ARRAY[]::smallint[] AS path
       FROM read.matrix_gamers WHERE id = $1
       UNION ALL
       SELECT below.id, below.parent_id, below.sponsor_id, below.team_size, level + 1, path || below.slot
       FROM read.matrix_gamers AS below JOIN downline ON below.parent_id = downline.id WHERE level < $2
     )`;

/** The gamer (level 0) and seven levels below (at most 3,280 places), each level left to right and cut at its bound. */
function downlineOf(tables: EntityManager, gamerId: GamerId): Promise<DownlineGamer[]> {
  return tables.query(
    `WITH RECURSIVE ${DOWNLINE},
     listed AS (SELECT *, row_number() OVER (PARTITION BY level ORDER BY path) AS place FROM downline)
     SELECT listed.id, parent_id AS "parentId", coalesce(gamer_tag, $4) AS username, team_size AS "teamSize", level,
       coalesce(sponsor_id = $1, false) AS "isDirect"
     FROM listed LEFT JOIN read.gamers ON gamers.id = listed.id
     WHERE place <= $3 ORDER BY level, place`,
    [gamerId, limits.MATRIX_DEPTH, LISTED_PER_LEVEL, TAG_OF_DELETED],
  );
}

function directReferralsOf(tables: EntityManager, gamerId: GamerId, take: number, skip = 0) {
  return tables.query<http.MatrixGamer[]>(
    `SELECT matrix_gamers.id, coalesce(gamer_tag, $3) AS username
     FROM read.matrix_gamers LEFT JOIN read.gamers ON gamers.id = matrix_gamers.id
     WHERE sponsor_id = $1 ORDER BY enrolled_revision LIMIT $2 OFFSET $4`,
    [gamerId, take, TAG_OF_DELETED, skip],
  );
}

/** Levels of the tree in one response; the client fetches deeper children with their own GET. */
export const EAGER_DEPTH = 3;

export interface DownlineGamer extends http.LevelGamer {
  parentId: GamerId | null;
  /** 0 is the opened gamer. */
  level: number;
}

/** @param downline the opened gamer, then level by level, left to right */
export function genealogyOf(
  downline: DownlineGamer[],
  levels: readonly Omit<MatrixLevelRow, 'gamerId'>[],
  directBonusCents: number,
) {
  const levelOf = (number: number) => levels.find(({ level }) => level === number);
  return {
    genealogy: treeOf(downline),
    levels: byLevel((number) =>
      downline.filter(({ level }) => level === number).map(({ parentId: _, level: __, ...gamer }) => gamer),
    ),
    levelCounts: byLevel((number) => levelOf(number)?.gamers ?? 0),
    levelWinnings: winningsOf((number) => levelOf(number)?.winningsCents ?? 0, directBonusCents),
  };
}

function treeOf(downline: DownlineGamer[]): http.GenealogyNode {
  const nodes = new Map<GamerId, http.GenealogyNode>();
  for (const { id, parentId, username, teamSize, level } of downline) {
    if (level > EAGER_DEPTH) break;
    const node: http.GenealogyNode = { id, username, teamSize, children: [] };
    nodes.set(id, node);
    if (parentId !== null) nodes.get(parentId)?.children.push(node);
  }
  const root = downline[0] && nodes.get(downline[0].id);
  if (!root) throw new Error('the downline has no opened gamer');
  return root;
}

function winningsOf(centsOf: (level: number) => number, directBonusCents: number): http.LevelWinnings {
  const levels = Object.fromEntries(limits.MATRIX_LEVELS.map((level) => [`level${level}Cents`, centsOf(level)]));
  return { ...levels, directBonusCents } as unknown as http.LevelWinnings;
}

function byLevel<T>(ofLevel: (level: number) => T): Record<http.LevelNumber, T> {
  const entries = limits.MATRIX_LEVELS.map((level) => [level, ofLevel(level)]);
  return Object.fromEntries(entries) as Record<http.LevelNumber, T>;
}
