import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import type { Db } from '../database.js';
import { insertEntities, sqlRows, texts } from '../sql-rows.js';
import { MatrixLevelRow } from './tables.entity.js';
import { add } from './view.js';

/** Additions to gamers' counts and sums. A gamer's team size is the sum over the levels. */
export interface Changes {
  directBonuses: Map<GamerId, number>;
  /** By gamer, then level. */
  levels: Map<GamerId, Map<number, { gamers: number; winningsCents: number }>>;
}

export const noChanges = (): Changes => ({ directBonuses: new Map(), levels: new Map() });

export function levelOf(changes: Changes, gamerId: GamerId, level: number): { gamers: number; winningsCents: number } {
  const levels = changes.levels.get(gamerId) ?? new Map<number, { gamers: number; winningsCents: number }>();
  changes.levels.set(gamerId, levels);
  const change = levels.get(level) ?? { gamers: 0, winningsCents: 0 };
  levels.set(level, change);
  return change;
}

/** Counts one gamer more (1) or less (-1) below each of these uplines, nearest first. */
export function countUnder(uplines: readonly GamerId[], gamers: 1 | -1, changes: Changes): void {
  for (const [index, upline] of uplines.entries()) levelOf(changes, upline, index + 1).gamers += gamers;
}

/** The uplines of these gamers, without gamers who are not in the tables yet. */
export async function uplinesOf(gamers: readonly (GamerId | null)[], db: Db): Promise<Map<GamerId, GamerId[]>> {
  const ids = new Set(gamers.filter((id) => id !== null));
  const { rows } = await db.query<{ id: GamerId; uplines: GamerId[] }>(
    'SELECT id, uplines FROM matrix_gamers WHERE id = ANY($1::text[])',
    [texts([...ids])],
  );
  return new Map(rows.map(({ id, uplines }) => [id, uplines]));
}

export function uplinesUnder(parentId: GamerId | null, uplinesById: Map<GamerId, GamerId[]>): GamerId[] {
  if (parentId === null) return [];
  const above = uplinesById.get(parentId);
  if (!above) throw new Error(`${parentId} is a parent without a place in the matrix`);
  return [parentId, ...above].slice(0, MATRIX_DEPTH);
}

export async function writeChanges(changes: Changes, db: Db): Promise<void> {
  await writeGamers(changes, db);
  await writeLevels(changes, db);
}

async function writeGamers({ levels, directBonuses }: Changes, db: Db): Promise<void> {
  const teamSizes = new Map<GamerId, number>();
  for (const [gamerId, byLevel] of levels)
    for (const { gamers } of byLevel.values()) if (gamers !== 0) add(teamSizes, gamerId, gamers);
  const ids = [...new Set([...teamSizes.keys(), ...directBonuses.keys()])];
  if (ids.length === 0) return;
  const { sql, parameters } = sqlRows('change', ids, {
    id: ['text', (id) => id],
    gamers: ['integer', (id) => teamSizes.get(id) ?? 0],
    cents: ['bigint', (id) => directBonuses.get(id) ?? 0],
  });
  const { rowCount } = await db.query(
    `UPDATE matrix_gamers SET team_size = team_size + change.gamers, direct_bonus_cents = direct_bonus_cents + change.cents
     FROM ${sql} WHERE matrix_gamers.id = change.id`,
    parameters,
  );
  if (rowCount !== ids.length) throw new Error('a gamer without a place in the matrix was credited');
}

async function writeLevels({ levels }: Changes, db: Db): Promise<void> {
  const rows = [...levels].flatMap(([gamerId, byLevel]) =>
    [...byLevel].map(([level, change]) => ({ gamerId, level, ...change })),
  );
  await insertEntities(
    db,
    MatrixLevelRow,
    rows,
    `ON CONFLICT (gamer_id, level) DO UPDATE SET gamers = matrix_levels.gamers + excluded.gamers,
       winnings_cents = matrix_levels.winnings_cents + excluded.winnings_cents`,
  );
}
