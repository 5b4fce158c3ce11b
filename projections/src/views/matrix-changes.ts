import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { add } from './view.js';

/** What a stretch of events adds to the counts and sums of gamers. */
export interface Changes {
  teamSizes: Map<GamerId, number>;
  directBonuses: Map<GamerId, number>;
  /** By gamer, then level. */
  levels: Map<GamerId, Map<number, { gamers: number; winningsCents: number }>>;
}

export const noChanges = (): Changes => ({ teamSizes: new Map(), directBonuses: new Map(), levels: new Map() });

export function levelOf(changes: Changes, gamerId: GamerId, level: number): { gamers: number; winningsCents: number } {
  const levels = changes.levels.get(gamerId) ?? new Map<number, { gamers: number; winningsCents: number }>();
  changes.levels.set(gamerId, levels);
  const change = levels.get(level) ?? { gamers: 0, winningsCents: 0 };
  levels.set(level, change);
  return change;
}

/** Counts one gamer more (1) or less (-1) below each of these uplines, nearest first. */
export function countUnder(uplines: readonly GamerId[], gamers: 1 | -1, changes: Changes): void {
  for (const [index, upline] of uplines.entries()) {
    levelOf(changes, upline, index + 1).gamers += gamers;
    add(changes.teamSizes, upline, gamers);
  }
}

/** The uplines of those of these gamers that are in the tables already. */
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

async function writeGamers({ teamSizes, directBonuses }: Changes, db: Db): Promise<void> {
  const ids = [...new Set([...teamSizes.keys(), ...directBonuses.keys()])];
  if (ids.length === 0) return;
  const { rowCount } = await db.query(
    `UPDATE matrix_gamers SET team_size = team_size + change.gamers, direct_bonus_cents = direct_bonus_cents + change.cents
     FROM unnest($1::text[], $2::int[], $3::bigint[]) AS change (id, gamers, cents) WHERE matrix_gamers.id = change.id`,
    [
      texts(ids),
      integers(ids.map((id) => teamSizes.get(id) ?? 0)),
      integers(ids.map((id) => directBonuses.get(id) ?? 0)),
    ],
  );
  if (rowCount !== ids.length) throw new Error('a gamer without a place in the matrix was credited');
}

async function writeLevels({ levels }: Changes, db: Db): Promise<void> {
  const rows = [...levels].flatMap(([gamerId, byLevel]) =>
    [...byLevel].map(([level, change]) => ({ gamerId, level, ...change })),
  );
  if (rows.length === 0) return;
  await db.query(
    `INSERT INTO matrix_levels (gamer_id, level, gamers, winnings_cents)
     SELECT * FROM unnest($1::text[], $2::smallint[], $3::int[], $4::bigint[])
     ON CONFLICT (gamer_id, level) DO UPDATE SET gamers = matrix_levels.gamers + excluded.gamers,
       winnings_cents = matrix_levels.winnings_cents + excluded.winnings_cents`,
    [
      texts(rows.map(({ gamerId }) => gamerId)),
      integers(rows.map(({ level }) => level)),
      integers(rows.map(({ gamers }) => gamers)),
      integers(rows.map(({ winningsCents }) => winningsCents)),
    ],
  );
}
