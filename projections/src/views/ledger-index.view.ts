import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../../contracts/events/metadata.js';
import type { RoundId } from '../../../contracts/ids.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { type Books, emptyBooks, enter } from '../../../domain/books.js';
import { integers, texts } from '../array-literals.js';
import { toSafeInteger } from '../columns.js';
import type { Db } from '../database.js';
import { keysOf } from './ledger-keys.js';
import type { Batch, Projected, View } from './view.js';

/** The books are kept after every so many events: reading them at any moment replays fewer than that. */
export const BOOKS_EVERY = 1_000;

/**
 * Where in the ledger an auditor finds things: the events that bear an id, the few that are no purchases, each round's
 * stretch, and the books from time to time, from which any moment is a short replay. A change of domain/books.ts is a
 * change of this view.
 */
export const ledgerIndexView: View = {
  name: 'ledger-index',
  version: 1,
  tables: ['ledger_keys', 'ledger_rare', 'ledger_rounds', 'ledger_books'],
  ddl: `
    CREATE TABLE ledger_keys (key text COLLATE "C" NOT NULL, revision bigint NOT NULL, PRIMARY KEY (key, revision));
    CREATE TABLE ledger_rare (revision bigint PRIMARY KEY, type text NOT NULL);
    CREATE INDEX ledger_rare_by_type ON ledger_rare (type, revision);
    CREATE TABLE ledger_rounds (
      round_id integer PRIMARY KEY,
      first_revision bigint NOT NULL,
      last_revision bigint,
      ended_at_ms bigint
    );
    CREATE TABLE ledger_books (revision bigint PRIMARY KEY, at_ms bigint NOT NULL, books jsonb NOT NULL)`,

  async apply(batch, db) {
    const events = batch.events.filter(isOfLedger);
    if (events.length === 0) return;
    await insertKeys(events, db);
    await insertRare(events, db);
    await openRounds(batch, db);
    await closeRounds(batch, db);
    await keepBooks(events, db);
  },
};

type OfLedger = Projected & { event: LedgerEvent; metadata: LedgerMetadata };

const isOfLedger = (projected: Projected): projected is OfLedger => projected.stream === LEDGER_STREAM;

async function insertKeys(events: readonly OfLedger[], db: Db): Promise<void> {
  const keys: string[] = [];
  const revisions: number[] = [];
  for (const one of events) {
    for (const key of keysOf(one)) {
      keys.push(key);
      revisions.push(one.revision);
    }
  }
  // In the order of the tree, which is then gone through once rather than here and there.
  await db.query(
    `INSERT INTO ledger_keys (key, revision)
     SELECT * FROM unnest($1::text[], $2::bigint[]) AS bearing (key, revision) ORDER BY key COLLATE "C", revision`,
    [texts(keys), integers(revisions)],
  );
}

async function insertRare(events: readonly OfLedger[], db: Db): Promise<void> {
  const rare = events.filter(({ event: { type } }) => type !== 'TokenPurchased' && type !== 'TimeExtended');
  if (rare.length === 0) return;
  await db.query('INSERT INTO ledger_rare (revision, type) SELECT * FROM unnest($1::bigint[], $2::text[])', [
    integers(rare.map(({ revision }) => revision)),
    texts(rare.map(({ event }) => event.type)),
  ]);
}

async function openRounds(batch: Batch, db: Db): Promise<void> {
  const started = batch.ofType('GameStarted');
  if (started.length === 0) return;
  await db.query('INSERT INTO ledger_rounds (round_id, first_revision) SELECT * FROM unnest($1::int[], $2::bigint[])', [
    integers(started.map(({ event }) => event.data.roundId)),
    integers(started.map(({ revision }) => revision)),
  ]);
}

async function closeRounds(batch: Batch, db: Db): Promise<void> {
  const closed: { roundId: RoundId | null; revision: number; endedAtMs: number }[] = [
    ...batch.ofType('RoundEnded').map(({ revision, event: { data } }) => {
      return { roundId: data.roundId, revision, endedAtMs: data.endedAtEpochMs };
    }),
    ...batch.ofType('GameReset').map(({ revision, event: { data }, metadata }) => {
      return { roundId: data.roundId, revision, endedAtMs: metadata.at };
    }),
  ].filter(({ roundId }) => roundId !== null);
  if (closed.length === 0) return;
  await db.query(
    `UPDATE ledger_rounds SET last_revision = closed.revision, ended_at_ms = closed.at_ms
     FROM unnest($1::int[], $2::bigint[], $3::bigint[]) AS closed (id, revision, at_ms) WHERE round_id = closed.id`,
    [
      integers(closed.map(({ roundId }) => roundId)),
      integers(closed.map(({ revision }) => revision)),
      integers(closed.map(({ endedAtMs }) => endedAtMs)),
    ],
  );
}

const isKept = (revision: number): boolean => revision === 0 || revision % BOOKS_EVERY === BOOKS_EVERY - 1;

/** Goes on from the row of the newest event, which goes unless it is one to be kept. */
async function keepBooks(events: readonly OfLedger[], db: Db): Promise<void> {
  const { rows } = await db.query<{ revision: string; books: Books }>(
    'SELECT revision, books FROM ledger_books ORDER BY revision DESC LIMIT 1',
  );
  const books = rows[0]?.books ?? emptyBooks();
  let before = rows[0] ? toSafeInteger(rows[0].revision) : -1;
  const passing = isKept(before) ? null : before;
  const last = events.at(-1)?.revision;
  const kept: { revision: number; atMs: number; books: string }[] = [];
  for (const { revision, event, metadata, postings } of events) {
    if (revision !== before + 1) throw new Error(`the books stand after event ${before}: ${revision} does not follow`);
    enter(books, event, postings);
    if (isKept(revision) || revision === last) {
      kept.push({ revision, atMs: metadata.at, books: JSON.stringify(books) });
    }
    before = revision;
  }
  await db.query(
    `WITH passed AS (DELETE FROM ledger_books WHERE revision = $1::bigint)
     INSERT INTO ledger_books (revision, at_ms, books) SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::jsonb[])`,
    [
      passing,
      integers(kept.map(({ revision }) => revision)),
      integers(kept.map(({ atMs }) => atMs)),
      texts(kept.map((row) => row.books)),
    ],
  );
}
