import type { Allocation, GamerEnrolled } from '../../../contracts/events/ledger-events.js';
import type { GamerId } from '../../../contracts/ids.js';
import { DIRECT_BONUS_CENTS, MATRIX_DEPTH } from '../../../contracts/limits.js';
import { integers, texts } from '../array-literals.js';
import type { Db } from '../database.js';
import { add, type Batch, type View } from './view.js';

/**
 * Places in the matrix, how many gamers stand on each of the seven levels below a gamer, and what each level paid them.
 * A gamer carries its uplines (nearest first, seven at most), so that a newcomer is counted without walking the tree.
 */
export const matrixView: View = {
  name: 'matrix',
  version: 1,
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
    const changes = noChanges();
    await enrol(batch, db, changes);
    for (const { event } of batch.ofType('TokenPurchased')) {
      for (const allocation of event.data.allocations) credit(allocation, event.data.quantity, changes);
    }
    await writeGamers(changes, db);
    await writeLevels(changes, db);
  },
};

interface Changes {
  teamSizes: Map<GamerId, number>;
  directBonuses: Map<GamerId, number>;
  /** By gamer, then level. */
  levels: Map<GamerId, Map<number, { gamers: number; winningsCents: number }>>;
}

const noChanges = (): Changes => ({ teamSizes: new Map(), directBonuses: new Map(), levels: new Map() });

function levelOf(changes: Changes, gamerId: GamerId, level: number): { gamers: number; winningsCents: number } {
  const levels = changes.levels.get(gamerId) ?? new Map<number, { gamers: number; winningsCents: number }>();
  changes.levels.set(gamerId, levels);
  const change = levels.get(level) ?? { gamers: 0, winningsCents: 0 };
  levels.set(level, change);
  return change;
}

/** The sponsor's extra cent a token is a direct bonus whatever the level; the rest is the level's (decisions 1, 2). */
function credit({ gamerId, level, direct, cents }: Allocation, quantity: number, changes: Changes): void {
  const directCents = direct ? DIRECT_BONUS_CENTS * quantity : 0;
  if (directCents > 0) add(changes.directBonuses, gamerId, directCents);
  if (level !== null) levelOf(changes, gamerId, level).winningsCents += cents - directCents;
  else if (cents !== directCents) throw new Error(`${gamerId} was paid ${cents} cents for no level`);
}

async function enrol(batch: Batch, db: Db, changes: Changes): Promise<void> {
  const enrolled = batch.ofType('GamerEnrolled');
  if (enrolled.length === 0) return;
  const uplinesById = await uplinesOfParents(
    enrolled.map(({ event }) => event.data),
    db,
  );
  const rows = enrolled.map(({ revision, event: { data } }) => {
    const uplines = uplinesUnder(data.parentId, uplinesById);
    uplinesById.set(data.gamerId, uplines);
    for (const [index, upline] of uplines.entries()) {
      levelOf(changes, upline, index + 1).gamers += 1;
      add(changes.teamSizes, upline, 1);
    }
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

/** The uplines of those parents that earlier batches enrolled. */
async function uplinesOfParents(enrolled: GamerEnrolled['data'][], db: Db): Promise<Map<GamerId, GamerId[]>> {
  const parents = new Set(enrolled.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])));
  const { rows } = await db.query<{ id: GamerId; uplines: GamerId[] }>(
    'SELECT id, uplines FROM matrix_gamers WHERE id = ANY($1::text[])',
    [texts([...parents])],
  );
  return new Map(rows.map(({ id, uplines }) => [id, uplines]));
}

function uplinesUnder(parentId: GamerId | null, uplinesById: Map<GamerId, GamerId[]>): GamerId[] {
  if (parentId === null) return [];
  const above = uplinesById.get(parentId);
  if (!above) throw new Error(`${parentId} is a parent without a place in the matrix`);
  return [parentId, ...above].slice(0, MATRIX_DEPTH);
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
