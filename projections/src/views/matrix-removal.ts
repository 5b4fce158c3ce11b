import type { LedgerEvents } from '../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import type { Db } from '../database.js';
import { integers, texts } from '../sql-rows.js';
import { countUnder, noChanges, uplinesOf, uplinesUnder, writeChanges } from './matrix-changes.js';

type MovedGamers = LedgerEvents['GamerRemoved']['moved'];

interface Place {
  id: GamerId;
  parentId: GamerId;
  uplines: GamerId[];
}

/** Removes a gamer and moves the children (decision 14): counts move to the new uplines; paid sums stay. */
export async function remove({ gamerId, moved }: LedgerEvents['GamerRemoved'], db: Db): Promise<void> {
  const uplines = (await uplinesOf([gamerId], db)).get(gamerId);
  if (!uplines) throw new Error(`${gamerId} was removed without a place in the matrix`);
  const before = await downlineOf(gamerId, db);
  const after = await reseated(before, moved, db);
  const changes = noChanges();
  for (const above of [uplines, ...before.map((place) => place.uplines)]) countUnder(above, -1, changes);
  for (const place of after) countUnder(place.uplines, 1, changes);
  // The gamer's own rows are deleted.
  changes.levels.delete(gamerId);
  await db.query('DELETE FROM matrix_levels WHERE gamer_id = $1', [gamerId]);
  await db.query('DELETE FROM matrix_gamers WHERE id = $1', [gamerId]);
  await seat(after, moved, db);
  await writeChanges(changes, db);
  await dropEmptyLevels([...changes.levels.keys()], db);
}

/** Gamers up to seven levels below, level by level. */
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

/** The same gamers after the moves, in the order of the moves: a later child may be placed below an earlier one. */
async function reseated(before: readonly Place[], moved: MovedGamers, db: Db): Promise<Place[]> {
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

async function seat(after: readonly Place[], moved: MovedGamers, db: Db): Promise<void> {
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

/** Deletes the rows of levels that are empty and were paid nothing. */
async function dropEmptyLevels(gamerIds: GamerId[], db: Db): Promise<void> {
  await db.query('DELETE FROM matrix_levels WHERE gamer_id = ANY($1::text[]) AND gamers = 0 AND winnings_cents = 0', [
    texts(gamerIds),
  ]);
}
