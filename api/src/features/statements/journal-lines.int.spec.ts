import { Client } from 'pg';
import type { LedgerAccount, Posting } from '../../../../contracts/ledger-accounts.js';
import { createTestDatabase, type TestDatabase } from '../../../../embedded/postgres/testing/test-database.js';
import { journalView } from '../../../../projections/src/views/statements-journal.view.js';
import type { Batch } from '../../../../projections/src/views/view.js';
import { journalLines } from '../statements/journal.queries.js';

const ACCOUNTS: readonly LedgerAccount[] = ['jackpot', 'gamer:bob:purchase', 'gamer:eve:winnings'];
const EVENTS = 1_000;
/** Batch sizes, few and many events, so that pages have one posting, are full, and end within an event's batch. */
const BATCHES = [1, 2, 3, 400, 1, 5, 64, 65, 200, 7, 252];

interface Line {
  account: LedgerAccount;
  revision: number;
  cents: number;
  at_ms: number;
}

/** Every event posts once to the jackpot, every third one to Bob, and every seventh one three times to Eve. */
const events = Array.from({ length: EVENTS }, (_, revision) => {
  const postings: Posting[] = [{ account: 'jackpot', cents: revision % 5 === 0 ? -13 : 13 }];
  if (revision % 3 === 0) postings.push({ account: 'gamer:bob:purchase', cents: -1 - revision });
  if (revision % 7 === 0) for (const cents of [1, 2, 3]) postings.push({ account: 'gamer:eve:winnings', cents });
  return { revision, metadata: { at: 1_000_000_000_000 + revision * 10 }, postings };
});
const lines: Line[] = events.flatMap(({ revision, metadata, postings }) =>
  postings.map(({ account, cents }) => ({ account, revision, cents, at_ms: metadata.at })),
);

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('CREATE SCHEMA read; SET search_path TO read');
  await client.query(journalView.ddl);
  let from = 0;
  for (const size of BATCHES) {
    await journalView.apply({ events: events.slice(from, from + size) } as unknown as Batch, client);
    from += size;
  }
  expect(from).toBe(EVENTS);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

const numbers = (row: Record<string, string>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, name === 'account' ? value : Number(value)]));

/** The first and the last event of every batch, and those next to them. */
const EDGES = [...BATCHES.keys(), BATCHES.length].flatMap((count) => {
  const edge = BATCHES.slice(0, count).reduce((sum, size) => sum + size, 0);
  return [edge - 1, edge];
});

it.each(ACCOUNTS)('reads exactly the postings of a range on %s', async (account) => {
  for (const from of EDGES)
    for (const to of EDGES) {
      const { rows } = await client.query(
        `SELECT revision, cents, at_ms FROM ${journalLines('$1', '$2', '$3')} AS line ORDER BY first_revision, revision, cents`,
        [account, from, to],
      );
      const expected = lines.filter((line) => line.account === account && line.revision >= from && line.revision <= to);
      expect(rows.map(numbers)).toEqual(expected.map(({ account: _, ...line }) => line));
    }
});

it('reads the newest postings first, and stops at the limit', async () => {
  const { rows } = await client.query(
    `SELECT revision FROM ${journalLines('$1', '$2', '$3')} AS line ORDER BY first_revision DESC, revision DESC LIMIT 100`,
    ['jackpot', 100, 950],
  );
  expect(rows.map(({ revision }) => Number(revision))).toEqual(Array.from({ length: 100 }, (_, back) => 950 - back));
});
