import type { Allocation } from '../../../contracts/events/ledger-events.js';
import { DIRECT_BONUS_CENTS } from '../../../contracts/limits.js';
import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
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
import { add, type Batch, type ProjectedOf, type View } from './view.js';

/**
 * Places in the matrix, how many gamers stand on each of the seven levels below a gamer, and what each level paid them.
 * A gamer carries its uplines (nearest first, seven at most), so that a newcomer is counted without walking the tree.
 */
export const matrixView: View = {
  name: 'matrix',
  version: 2,
  tables: ['matrix_gamers', 'matrix_levels'],
  ddl: `
    CREATE TABLE matrix_gamers (
      id text PRIMARY KEY,
      parent_id text,
      slot smallint,
      sponsor_id text,
      uplines text[] NOT NULL,
      team_size integer NOT NULL,
      direct_bonus_cents bigint NOT NULL,
      enrolled_revision bigint NOT NULL
    ) WITH (fillfactor = 80);
    CREATE UNIQUE INDEX matrix_gamers_by_place ON matrix_gamers (parent_id, slot);
    CREATE INDEX matrix_gamers_by_sponsor ON matrix_gamers (sponsor_id, enrolled_revision);
    CREATE TABLE matrix_levels (
      gamer_id text,
      level smallint,
      gamers integer NOT NULL,
      winnings_cents bigint NOT NULL,
      PRIMARY KEY (gamer_id, level)
    ) WITH (fillfactor = 70)`,

  async apply(batch, db) {
    let after = -1;
    for (const removal of batch.ofType('GamerRemoved')) {
      await grow(batch, { after, before: removal.revision }, db);
      await remove(removal.event.data, db);
      after = removal.revision;
    }
    await grow(batch, { after, before: Number.POSITIVE_INFINITY }, db);
  },
};

/** What lies between two revisions of the ledger. */
interface Stretch {
  after: number;
  before: number;
}

const within =
  ({ after, before }: Stretch) =>
  ({ revision }: { revision: number }): boolean =>
    revision > after && revision < before;

/** Newcomers and what was earned, in a stretch of the ledger in which nobody leaves. */
async function grow(batch: Batch, stretch: Stretch, db: Db): Promise<void> {
  const changes = noChanges();
  await enrol(batch.ofType('GamerEnrolled').filter(within(stretch)), db, changes);
  for (const { event } of batch.ofType('TokenPurchased').filter(within(stretch))) {
    for (const allocation of event.data.allocations) credit(allocation, event.data.quantity, changes);
  }
  await writeChanges(changes, db);
}

/** The sponsor's extra cent a token is a direct bonus whatever the level; the rest is the level's (decisions 1, 2). */
function credit({ gamerId, level, direct, cents }: Allocation, quantity: number, changes: Changes): void {
  const directCents = direct ? DIRECT_BONUS_CENTS * quantity : 0;
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
  await db.query(
    `INSERT INTO matrix_gamers
       (id, parent_id, slot, sponsor_id, uplines, team_size, direct_bonus_cents, enrolled_revision)
     SELECT id, parent_id, slot, sponsor_id, string_to_array(uplines, ' '), 0, 0, revision
     FROM unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::bigint[])
       AS enrolled (id, parent_id, slot, sponsor_id, uplines, revision)`,
    [
      texts(rows.map(({ gamerId }) => gamerId)),
      texts(rows.map(({ parentId }) => parentId)),
      integers(rows.map(({ slot }) => slot)),
      texts(rows.map(({ sponsorId }) => sponsorId)),
      texts(rows.map(({ uplines }) => uplines.join(' '))),
      integers(rows.map(({ revision }) => revision)),
    ],
  );
}
