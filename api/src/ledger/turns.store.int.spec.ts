import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { PriorityPool } from '../platform/priority-pool.store.js';
import { PostgresTurns } from './turns.store.js';

let database: TestDatabase;
let pool: PriorityPool;
let nodes: PostgresTurns[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new PriorityPool({ connectionString: database.url, lock_timeout: 400 });
  nodes = [new PostgresTurns(pool), new PostgresTurns(pool)];
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

it('turns are given up when a node does not end its turn, so that the others go on', async () => {
  const [frozen, other] = nodes as [PostgresTurns, PostgresTurns];
  frozen.contend();
  other.contend();
  const end = await frozen.begin();
  expect(await other.begin()).toBeUndefined();
  other.contend();
  end?.();
  expect(await other.begin()).toBeUndefined();
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
