import type { Allocation } from '../../../contracts/events/ledger-events.js';
import type { RoundId } from '../../../contracts/ids.js';
import { createTable } from '../columns.js';
import type { Db } from '../database.js';
import { insertRows, integers, sqlRows } from '../sql-rows.js';
import {
  type Changes,
  countUnder,
  levelOf,
  noChanges,
  uplinesOf,
  uplinesUnder,
  writeChanges,
} from './matrix-changes.js';
import { remove } from './matrix-removal.js';
import { MatrixGamerRow, MatrixLevelRow } from './tables.entity.js';
import { add, type Batch, type Projected, type ProjectedOf, type View } from './view.js';

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
      const isBetween = ({ revision }: Projected): boolean => revision > after && revision < before;
      await addAll(enrolled.filter(isBetween), purchases.filter(isBetween), db);
      const removal = removals.find(({ revision }) => revision === before);
      if (removal) await remove(removal.event.data, db);
      after = before;
    }
  },
};

async function addAll(
  enrolled: readonly ProjectedOf<'GamerEnrolled'>[],
  purchases: readonly ProjectedOf<'TokenPurchased'>[],
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
async function directBonuses(
  purchases: readonly ProjectedOf<'TokenPurchased'>[],
  db: Db,
): Promise<(roundId: RoundId) => number> {
  if (purchases.length === 0) return () => 0;
  const { rows } = await db.query<{ id: RoundId; cents: number }>(
    'SELECT round_id AS id, direct_bonus_cents AS cents FROM matrix_rounds WHERE round_id = ANY($1::int[])',
    [integers([...new Set(purchases.map(({ event }) => event.data.roundId))])],
  );
  const byRound = new Map(rows.map(({ id, cents }) => [id, cents]));
  return (roundId) => {
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

async function enrol(enrolled: readonly ProjectedOf<'GamerEnrolled'>[], db: Db, changes: Changes): Promise<void> {
  if (enrolled.length === 0) return;
  const uplinesById = await uplinesOf(
    enrolled.map(({ event }) => event.data.parentId),
    db,
  );
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
