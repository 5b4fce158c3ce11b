/* What nodes know of each other through Postgres. */
import { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { migrate } from '../platform/migrations.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { LivenessStore } from './liveness.store.js';
import { PostgresTurns } from './turns.store.js';

let database: TestDatabase;
let pool: Pool;
let store: LivenessStore;
/** A minute ahead of Postgres' clock, so that no beat of a slow test comes late. */
let startMs: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrate(database.url);
  pool = new Pool({ connectionString: database.url });
  store = new LivenessStore(pool);
});
beforeEach(async () => {
  await pool.query('DELETE FROM ledger.liveness');
  startMs = Date.now() + 60_000;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Times in milliseconds since `startMs`; other nodes count for three seconds. */
const beat = (nodeId: string, aliveSince: number, lastAliveAt: number) =>
  store.record({
    nodeId,
    aliveSinceMs: startMs + aliveSince,
    lastAliveAtMs: startMs + lastAliveAt,
    othersSinceMs: startMs + lastAliveAt - 3_000,
  });
const lastAliveOfStreaksBy = async (since: number) => {
  const endMs = await store.lastAliveOfStreaksBy(startMs + since);
  return endMs === null ? null : endMs - startMs;
};

it('shows a node the others that were alive in the last three seconds, and not its own former streaks', async () => {
  expect(await beat('one', 0, 0)).toBe(false);
  expect(await beat('one', 1_000, 1_000)).toBe(false);
  expect(await beat('two', 2_000, 4_000)).toBe(true);
  expect(await beat('one', 1_000, 7_000)).toBe(true);
  expect(await beat('one', 1_000, 7_001)).toBe(false);
});

it('keeps the end of each streak, which a beat that arrives late does not move back', async () => {
  expect(await lastAliveOfStreaksBy(0)).toBeNull();
  await beat('one', 0, 0);
  await beat('one', 0, 2_000);
  await beat('one', 0, 1_000);
  await beat('one', 9_000, 9_500);
  expect(await lastAliveOfStreaksBy(-1)).toBeNull();
  expect(await lastAliveOfStreaksBy(0)).toBe(2_000);
  expect(await lastAliveOfStreaksBy(8_999)).toBe(2_000);
  expect(await lastAliveOfStreaksBy(9_000)).toBe(9_500);
  await store.deleteBefore(startMs + 9_500);
  expect(await lastAliveOfStreaksBy(8_999)).toBeNull();
  expect(await lastAliveOfStreaksBy(9_000)).toBe(9_500);
});

it('takes no beat that reaches Postgres more than a second late, which would hide an outage', async () => {
  startMs = Date.now();
  expect(await beat('one', -9_000, -2_000)).toBeUndefined();
  expect(await lastAliveOfStreaksBy(0)).toBeNull();
});

it('turns are given up when a node does not end its turn, so that the others go on', async () => {
  const pool = new PriorityPool({ connectionString: database.url, lock_timeout: 400 });
  const [frozen, other] = [new PostgresTurns(pool), new PostgresTurns(pool)];
  frozen.contend();
  other.contend();
  const end = await frozen.begin();
  expect(await other.begin()).toBeUndefined();
  other.contend();
  end?.();
  expect(await other.begin()).toBeUndefined();
  await pool.end();
});

it('turns are awaited once every 200 ms by a busy node', async () => {
  const connect = jest.fn(async () => ({ query: async () => {}, release: () => {} }));
  const turns = new PostgresTurns({ connect } as unknown as PriorityPool);
  const now = jest.spyOn(performance, 'now');
  for (let ms = 0; ms <= 1_000; ms += 10) {
    now.mockReturnValue(10_000 + ms);
    await turns.begin();
  }
  now.mockRestore();
  expect(connect).toHaveBeenCalledTimes(4);
});
