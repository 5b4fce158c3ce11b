import { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { migrate } from '../platform/migrations.js';
import { SnapshotsStore } from './snapshots.store.js';

const FOLD = 'a fold';

let database: TestDatabase;
let pool: Pool;
let store: SnapshotsStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  // A connection that was not returned would be missed.
  pool = new Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 5_000 });
  store = new SnapshotsStore(pool);
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const header = (revision: number) => ({
  fold: FOLD,
  revision,
  chain: 'c'.repeat(64),
  tree: `tree of ${revision}`,
  digests: Buffer.from(`digests of ${revision}`),
  mac: Buffer.from(`code of ${revision}`),
});

async function* chunks(count: number): AsyncIterable<Buffer> {
  for (let number = 0; number < count; number += 1) yield Buffer.from(`chunk ${number}`);
}

const save = (revision: number, count = 3, authenticated = () => header(revision)) =>
  store.save({ fold: FOLD, newerThan: revision }, chunks(count), authenticated);

const revisions = async () => (await store.ofFold(FOLD)).map(({ revision }) => revision);

async function chunksOf(id: string): Promise<string[]> {
  const read: string[] = [];
  await store.readChunks(id, (bytes) => read.push(bytes.toString()));
  return read;
}

it('returns the kept snapshots newest first, and their chunks in order', async () => {
  expect(await store.ofFold(FOLD)).toEqual([]);
  for (const revision of [1, 2, 3]) expect(await save(revision, 100)).toBe(true);
  const [newest, older] = await store.ofFold(FOLD);
  expect([newest, older]).toEqual([3, 2].map((revision) => ({ id: expect.any(String), ...header(revision) })));
  expect(await chunksOf(newest?.id ?? '')).toEqual(Array.from({ length: 100 }, (_, number) => `chunk ${number}`));
  await store.drop(newest?.id ?? '');
  expect(await revisions()).toEqual([2]);
  expect(await chunksOf(newest?.id ?? '')).toEqual([]);
});

it('saves all of a snapshot or nothing', async () => {
  const before = await revisions();
  const failing = () => {
    throw new Error('the node stops here');
  };
  await expect(save(9, 3, failing)).rejects.toThrow('the node stops here');
  expect(await revisions()).toEqual(before);
  const { rows } = await pool.query('SELECT DISTINCT snapshot_id FROM ledger.snapshot_chunks');
  expect(rows).toHaveLength(before.length);
});

it('frees the connection when a chunk cannot be used', async () => {
  const [newest] = await store.ofFold(FOLD);
  const unusable = () => {
    throw new Error('unusable');
  };
  await expect(store.readChunks(newest?.id ?? '', unusable)).rejects.toThrow('unusable');
  expect(await revisions()).toHaveLength(1);
});
