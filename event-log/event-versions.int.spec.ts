import { Pool } from 'pg';
import { UnreadableEvent } from '../contracts/events/schemas.js';
import { until } from '../contracts/testing/until.js';
import { createTestDatabase, type TestDatabase } from '../embedded/postgres/testing/test-database.js';
import { EventVersions } from './event-versions.js';

/** A made-up event: the newer program adds a version of it, and a type. */
const OLD = { BellRung: 1 };
const NEW = { BellRung: 2, BellBroken: 1 };

let database: TestDatabase;
let pool: Pool;
const started: EventVersions[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((versions) => versions.stop()));
  await pool.end();
  await database.drop();
});

const errors: Error[] = [];
afterEach(() => expect(errors.splice(0)).toEqual([]));

function make(reads: Record<string, number>, { writes = true } = {}): EventVersions {
  const versions = new EventVersions(pool, writes, (error) => errors.push(error), reads);
  started.push(versions);
  return versions;
}

it('writes every version at once while all running processes can read it', async () => {
  const node = await make(NEW).start();
  expect([node.mayWrite('BellRung', 2), node.mayWrite('BellBroken', 1), node.waiting]).toEqual([true, true, []]);
  expect(node.mayWrite('BellRung', 3)).toBe(false);
});

it.each([
  ['an older api node', true],
  ['an older worker', false],
])('writes no version that %s cannot read, until that one has ended', async (_, writes) => {
  const older = await make(OLD, { writes }).start();
  const newer = await make(NEW).start();
  expect([newer.mayWrite('BellRung', 1), newer.mayWrite('BellRung', 2), newer.mayWrite('BellBroken', 1)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(newer.waiting).toEqual(['BellRung 2', 'BellBroken 1']);
  await older.stop();
  await until(() => newer.waiting.length === 0);
  expect(newer.mayWrite('BellRung', 2)).toBe(true);
});

it('does not wait for a process that was killed', async () => {
  await make(NEW).start();
  await pool.query('DELETE FROM versions.active');
  await pool.query(
    `INSERT INTO versions.readers VALUES (gen_random_uuid(), '{"BellRung": 1}', now() - interval '6 seconds')`,
  );
  const newer = await make(NEW).start();
  expect(newer.waiting).toEqual([]);
});

it('a worker alone makes no version active: the api nodes that start next may be older', async () => {
  await make(NEW, { writes: false }).start();
  const { rows } = await pool.query('SELECT * FROM versions.active');
  expect(rows).toEqual([]);
});

it('an older process does not start once a newer version is active, and does not hold the newer ones back', async () => {
  await make(NEW).start();
  await expect(make(OLD).start()).rejects.toThrow(
    new UnreadableEvent(
      'the other nodes write events that this program does not know (BellRung 2, BellBroken 1): upgrade this node',
    ),
  );
  await pool.query('DELETE FROM versions.active');
  expect((await make(NEW).start()).waiting).toEqual([]);
});

it('a process that was frozen meanwhile learns it within a second, and writes nothing more', async () => {
  const frozen = await make(OLD).start();
  await pool.query("INSERT INTO versions.active VALUES ('BellBroken', 1)");
  expect((await frozen.unreadable).message).toContain('BellBroken 1');
  expect(frozen.mayWrite('BellRung', 1)).toBe(false);
  // It no longer counts.
  await until(async () => (await pool.query('SELECT FROM versions.readers')).rowCount === 0);
});

it('gives a version to both or none of two processes that start together', async () => {
  await make(OLD).start();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(started.splice(0).map((versions) => versions.stop()));
    await pool.query('DELETE FROM versions.active');
    const [older, newer] = await Promise.allSettled([make(OLD).start(), make(NEW).start()]);
    const isOlderRunning = older.status === 'fulfilled';
    const mayWrite = newer.status === 'fulfilled' && newer.value.mayWrite('BellRung', 2);
    expect(mayWrite).toBe(!isOlderRunning);
  }
});
