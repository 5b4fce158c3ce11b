import type { GamerRemoved } from '../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { countUnder, noChanges, uplinesOf, uplinesUnder, writeChanges } from './matrix-changes.js';

type Moves = GamerRemoved['data']['moved'];

interface Place {
  id: GamerId;
  parentId: GamerId;
  uplines: GamerId[];
}

/**
 * Takes a gamer out and seats the children anew (decision 14). Whoever stands up to seven levels below the gamer gets
 * other uplines: they are counted off those they had and on those they have now. What a level was ever paid stays.
 */
export async function remove({ gamerId, moved }: GamerRemoved['data'], db: Db): Promise<void> {
  const uplines = (await uplinesOf([gamerId], db)).get(gamerId);
  if (!uplines) throw new Error(`${gamerId} was removed without a place in the matrix`);
  const before = await downlineOf(gamerId, db);
  const after = await reseated(before, moved, db);
  const changes = noChanges();
  for (const above of [uplines, ...before.map((place) => place.uplines)]) countUnder(above, -1, changes);
  for (const place of after) countUnder(place.uplines, 1, changes);
  // The gamer's own counts go with the gamer.
  changes.teamSizes.delete(gamerId);
  changes.levels.delete(gamerId);
  await takeOut(gamerId, db);
  await seat(after, moved, db);
  await writeChanges(changes, db);
  await dropEmptyLevels([...changes.levels.keys()], db);
}

/** Everyone up to seven levels below, level by level. */
async function downlineOf(gamerId: GamerId, db: Db): Promise<Place[]> {
  const { rows } = await db.query<Place>(
    `WITH RECURSIVE downline AS (
       SELECT id, parent_id, uplines, 1 AS level FROM matrix_gamers WHERE parent_id = $1
       UNION ALL
       SELECT below.id, below.parent_id, below.uplines, level + 1
       FROM matrix_gamers AS below JOIN downline ON below.parent_id = downline.id WHERE level < $2
     )
     SELECT id, parent_id AS "parentId", uplines FROM downline ORDER BY level, id`,
    [gamerId, MATRIX_DEPTH],
  );
  return rows;
}

/** The same gamers after the moves. A later child may be seated below an earlier one, so they move in their order. */
async function reseated(before: readonly Place[], moved: Moves, db: Db): Promise<Place[]> {
  const uplinesById = await uplinesOf(
    moved.map(({ parentId }) => parentId),
    db,
  );
  const childrenOf = new Map<GamerId, Place[]>();
  for (const place of before) childrenOf.set(place.parentId, [...(childrenOf.get(place.parentId) ?? []), place]);
  const after: Place[] = [];
  for (const { gamerId, parentId } of moved) {
    const subtree: { id: GamerId; parentId: GamerId }[] = [{ id: gamerId, parentId }];
    for (const { id, parentId: above } of subtree) {
      const uplines = uplinesUnder(above, uplinesById);
      uplinesById.set(id, uplines);
      after.push({ id, parentId: above, uplines });
      subtree.push(...(childrenOf.get(id) ?? []));
    }
  }
  if (after.length !== before.length) throw new Error('not every child of a removed gamer was moved');
  return after;
}

async function takeOut(gamerId: GamerId, db: Db): Promise<void> {
  await db.query('DELETE FROM matrix_levels WHERE gamer_id = $1', [gamerId]);
  await db.query('DELETE FROM matrix_gamers WHERE id = $1', [gamerId]);
}

async function seat(after: readonly Place[], moved: Moves, db: Db): Promise<void> {
  if (after.length === 0) return;
  await db.query(
    `UPDATE matrix_gamers SET uplines = string_to_array(place.uplines, ' ')
     FROM unnest($1::text[], $2::text[]) AS place (id, uplines) WHERE matrix_gamers.id = place.id`,
    [texts(after.map(({ id }) => id)), texts(after.map(({ uplines }) => uplines.join(' ')))],
  );
  await db.query(
    `UPDATE matrix_gamers SET parent_id = seat.parent_id, slot = seat.slot
     FROM unnest($1::text[], $2::text[], $3::smallint[]) AS seat (id, parent_id, slot)
     WHERE matrix_gamers.id = seat.id`,
    [
      texts(moved.map(({ gamerId }) => gamerId)),
      texts(moved.map(({ parentId }) => parentId)),
      integers(moved.map(({ slot }) => slot)),
    ],
  );
}

/** A level that is empty and was never paid for has no row, as if nobody had ever stood there. */
async function dropEmptyLevels(gamerIds: GamerId[], db: Db): Promise<void> {
  await db.query('DELETE FROM matrix_levels WHERE gamer_id = ANY($1::text[]) AND gamers = 0 AND winnings_cents = 0', [
    texts(gamerIds),
  ]);
}
