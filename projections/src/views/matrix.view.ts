import type { Allocation, LedgerEvents } from '../../../contracts/events/ledger-events.js';
import type { GamerId, RoundId } from '../../../contracts/ids.js';
import { MATRIX_DEPTH } from '../../../contracts/limits.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { addEntities, insertRows, integers, sqlRows, texts, updateRows } from '../sql-rows.js';
import { MatrixGamerRow, MatrixLevelRow } from './tables.entity.js';
import { add, type Batch, type ProjectedEvent, type ProjectedEventOf, type View } from './view.js';

/** Places, gamers and winnings by level. A row holds its uplines, nearest first: a newcomer needs no tree walk. */
export const matrixView: View = {
  name: 'matrix',
  version: 1,
  tables: ['matrix_gamers', 'matrix_levels', 'matrix_rounds'],
  ddl: `${createTable(MatrixGamerRow, { fillfactor: 80 })}
    CREATE UNIQUE INDEX matrix_gamers_by_place ON matrix_gamers (parent_id, slot);
    CREATE INDEX matrix_gamers_by_sponsor ON matrix_gamers (sponsor_id, enrolled_revision);
    ${createTable(MatrixLevelRow, { fillfactor: 70 })}
    CREATE TABLE matrix_rounds (round_id integer PRIMARY KEY, direct_bonus_cents integer NOT NULL)`,

  async apply(batch, db) {
    await insertRounds(batch, db);
    const enrolled = batch.ofType('GamerEnrolled');
    const purchases = batch.ofType('TokenPurchased');
    const removals = batch.ofType('GamerRemoved');
    // Enrolments and purchases are applied together, up to each removal.
    let after = -1;
    for (const before of [...removals.map(({ revision }) => revision), Number.POSITIVE_INFINITY]) {
      const isBetween = ({ revision }: ProjectedEvent): boolean => revision > after && revision < before;
      await addAll(enrolled.filter(isBetween), purchases.filter(isBetween), db);
      const removal = removals.find(({ revision }) => revision === before);
      if (removal) await remove(removal.event.data, db);
      after = before;
    }
  },
};

async function addAll(
  enrolled: readonly ProjectedEventOf<'GamerEnrolled'>[],
  purchases: readonly ProjectedEventOf<'TokenPurchased'>[],
  db: Db,
): Promise<void> {
  const changes = noChanges();
  await enrol(enrolled, db, changes);
  const directBonusOf = await directBonuses(purchases, db);
  for (const { event } of purchases) {
    const { roundId, quantity, allocations } = event.data;
    for (const allocation of allocations) credit(allocation, quantity * directBonusOf(roundId), changes);
  }
  await writeChanges(changes, db);
}

async function insertRounds(batch: Batch, db: Db): Promise<void> {
  await insertRows(db, 'matrix_rounds', batch.ofType('GameStarted'), {
    round_id: ['integer', ({ event }) => event.data.roundId],
    direct_bonus_cents: ['integer', ({ event }) => event.data.terms.directBonusCents],
  });
}

/** The direct bonus per token by round, for the rounds of these purchases. */
async function directBonuses(purchases: readonly ProjectedEventOf<'TokenPurchased'>[], db: Db) {
  if (purchases.length === 0) return () => 0;
  const { rows } = await db.query<{ id: RoundId; cents: number }>(
    'SELECT round_id AS id, direct_bonus_cents AS cents FROM matrix_rounds WHERE round_id = ANY($1::int[])',
    [integers([...new Set(purchases.map(({ event }) => event.data.roundId))])],
  );
  const byRound = new Map(rows.map(({ id, cents }) => [id, cents]));
  return (roundId: RoundId) => {
    const bonus = byRound.get(roundId);
    if (bonus === undefined) throw new Error(`round ${roundId} has purchases, and was never started`);
    return bonus;
  };
}

/** The direct bonus is counted separately on every level; the rest of the cents is the level's (decisions 1, 2). */
function credit({ gamerId, level, direct, cents }: Allocation, bonusCents: number, changes: Changes): void {
  const directCents = direct ? bonusCents : 0;
  if (directCents > 0) add(changes.directBonuses, gamerId, directCents);
  if (level !== null) levelOf(changes, gamerId, level).winningsCents += cents - directCents;
  else if (cents !== directCents) throw new Error(`${gamerId} was paid ${cents} cents for no level`);
}

async function enrol(enrolled: readonly ProjectedEventOf<'GamerEnrolled'>[], db: Db, changes: Changes): Promise<void> {
  if (enrolled.length === 0) return;
  const parents = enrolled.map(({ event }) => event.data.parentId);
  const uplinesById = await uplinesOf(parents, db);
  const rows = enrolled.map(({ revision, event: { data } }) => {
    const uplines = uplinesUnder(data.parentId, uplinesById);
    uplinesById.set(data.gamerId, uplines);
    countUnder(uplines, 1, changes);
    return { ...data, uplines, revision };
  });
  const { sql, parameters } = sqlRows('enrolled', rows, {
    id: ['text', ({ gamerId }) => gamerId],
    parent_id: ['text', ({ parentId }) => parentId],
    slot: ['smallint', ({ slot }) => slot],
    sponsor_id: ['text', ({ sponsorId }) => sponsorId],
    uplines: ['text', ({ uplines }) => uplines.join(' ')],
    revision: ['bigint', ({ revision }) => revision],
  });
  await db.query(
    `INSERT INTO matrix_gamers
       (id, parent_id, slot, sponsor_id, uplines, team_size, direct_bonus_cents, enrolled_revision)
     SELECT id, parent_id, slot, sponsor_id, string_to_array(uplines, ' '), 0, 0, revision FROM ${sql}`,
    parameters,
  );
}

type MovedGamers = LedgerEvents['GamerRemoved']['moved'];

interface Place {
  id: GamerId;
  parentId: GamerId;
  uplines: GamerId[];
}

/** Removes a gamer and moves the children (decision 14): counts move to the new uplines; paid sums stay. */
async function remove({ gamerId, moved }: LedgerEvents['GamerRemoved'], db: Db): Promise<void> {
  const uplines = (await uplinesOf([gamerId], db)).get(gamerId);
  if (!uplines) throw new Error(`${gamerId} was removed without a place in the matrix`);
  const before = await downlineOf(gamerId, db);
  const after = await reseated(before, moved, db);
  const changes = noChanges();
  for (const above of [uplines, ...before.map((place) => place.uplines)]) countUnder(above, -1, changes);
  for (const place of after) countUnder(place.uplines, 1, changes);
  await writeChanges(changes, db);
  await db.query('DELETE FROM matrix_levels WHERE gamer_id = $1', [gamerId]);
  await db.query('DELETE FROM matrix_gamers WHERE id = $1', [gamerId]);
  await seat(after, moved, db);
  await dropEmptyLevels(changes, db);
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
  await updateRows(db, 'matrix_gamers', moved, {
    id: ['text', ({ gamerId }) => gamerId],
    parent_id: ['text', ({ parentId }) => parentId],
    slot: ['smallint', ({ slot }) => slot],
  });
}

async function dropEmptyLevels({ levels }: Changes, db: Db): Promise<void> {
  await db.query('DELETE FROM matrix_levels WHERE gamer_id = ANY($1::text[]) AND gamers = 0 AND winnings_cents = 0', [
    texts([...levels.values()].map(({ gamerId }) => gamerId)),
  ]);
}

/** Additions to gamers' counts and sums. A gamer's team size is the sum over the levels. */
interface Changes {
  directBonuses: Map<GamerId, number>;
  levels: Map<string, MatrixLevelRow>;
}

const noChanges = (): Changes => ({ directBonuses: new Map(), levels: new Map() });

function levelOf({ levels }: Changes, gamerId: GamerId, level: number): MatrixLevelRow {
  const key = `${gamerId} ${level}`;
  const change = levels.get(key) ?? { gamerId, level, gamers: 0, winningsCents: 0 };
  levels.set(key, change);
  return change;
}

/** Counts one gamer more (1) or less (-1) below each of these uplines, nearest first. */
function countUnder(uplines: readonly GamerId[], gamers: 1 | -1, changes: Changes): void {
  for (const [index, upline] of uplines.entries()) levelOf(changes, upline, index + 1).gamers += gamers;
}

/** The uplines of these gamers, without gamers who are not in the tables yet. */
async function uplinesOf(gamers: readonly (GamerId | null)[], db: Db): Promise<Map<GamerId, GamerId[]>> {
  const ids = new Set(gamers.filter((id) => id !== null));
  const { rows } = await db.query<{ id: GamerId; uplines: GamerId[] }>(
    'SELECT id, uplines FROM matrix_gamers WHERE id = ANY($1::text[])',
    [texts([...ids])],
  );
  return new Map(rows.map(({ id, uplines }) => [id, uplines]));
}

function uplinesUnder(parentId: GamerId | null, uplinesById: Map<GamerId, GamerId[]>): GamerId[] {
  if (parentId === null) return [];
  const above = uplinesById.get(parentId);
  if (!above) throw new Error(`${parentId} is a parent without a place in the matrix`);
  return [parentId, ...above].slice(0, MATRIX_DEPTH);
}

async function writeChanges(changes: Changes, db: Db): Promise<void> {
  await writeGamers(changes, db);
  await addEntities(db, MatrixLevelRow, [...changes.levels.values()]);
}

async function writeGamers({ levels, directBonuses }: Changes, db: Db): Promise<void> {
  const teamSizes = new Map<GamerId, number>();
  for (const { gamerId, gamers } of levels.values()) if (gamers !== 0) add(teamSizes, gamerId, gamers);
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
