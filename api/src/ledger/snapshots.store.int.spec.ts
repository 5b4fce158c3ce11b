import { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/test-database.js';
import { migrate } from '../platform/migrations.js';
import { SnapshotsStore } from './snapshots.store.js';

// Generous, for slow machines.
jest.setTimeout(120_000);

let database: TestDatabase;
let pool: Pool;
let store: SnapshotsStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  // Like the api's pool, with a shorter timeout.
  pool = new Pool({ connectionString: database.url, max: 1, statement_timeout: 200 });
  store = new SnapshotsStore(pool);
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const snapshot = (revision: number, packed = Buffer.from(`state at ${revision}`)) => ({
  revision,
  chain: 'c'.repeat(64),
  position: String(revision * 10),
  packed,
});

const revisions = async () =>
  (await pool.query('SELECT revision::int FROM ledger.ledger_snapshots ORDER BY revision')).rows.map(
    ({ revision }) => revision,
  );

it('keeps the last two snapshots, over all formats', async () => {
  expect(await store.latest(1)).toBeNull();
  for (const revision of [1, 2, 3]) await store.save(1, snapshot(revision));
  expect(await revisions()).toEqual([2, 3]);
  expect(await store.latest(1)).toEqual(snapshot(3));
  await store.save(2, snapshot(9));
  expect(await store.latest(2)).toEqual(snapshot(9));
  expect(await revisions()).toEqual([3, 9]);
  await store.drop(2, 9);
  expect(await store.latest(2)).toBeNull();
});

describe('a snapshot that takes longer than the pool’s statement timeout', () => {
  beforeAll(async () => {
    await pool.query(`
      CREATE FUNCTION ledger.slowly() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END';
      CREATE TRIGGER slowly BEFORE INSERT ON ledger.ledger_snapshots FOR EACH ROW EXECUTE FUNCTION ledger.slowly()`);
  });

  it('is saved, and its connection gets the pool’s timeout back', async () => {
    await store.save(1, snapshot(20));
    expect((await store.latest(1))?.revision).toBe(20);
    await expect(pool.query('SELECT pg_sleep(0.5)')).rejects.toThrow('statement timeout');
  });

  it('leaves the former snapshots and a usable connection when it fails', async () => {
    const before = await revisions();
    await pool.query('ALTER TABLE ledger.ledger_snapshots ADD CONSTRAINT none_more CHECK (revision < 30)');
    await expect(store.save(1, snapshot(30))).rejects.toThrow('none_more');
    expect(await revisions()).toEqual(before);
  });
});
