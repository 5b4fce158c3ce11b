import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { readableVersions } from '../../../contracts/events/schemas.js';
import { sealRows } from '../platform/row-sealing.store.js';
import { RowSeals } from '../platform/row-seals.js';
import {
  ADMIN_PASSWORD,
  type RunningApi,
  SESSION_SECRET,
  type Stores,
  startApi,
  startStores,
} from '../testing/api-under-test.js';
import { Visitor } from '../testing/visitor.js';

const PASSWORD = 'open sesame';

let stores: Stores;
let postgres: Client;
let api: RunningApi | undefined;
/** A node of an earlier release, which knows no seals: it says so every second. */
let beating: NodeJS.Timeout | undefined;

beforeAll(async () => {
  stores = await startStores();
  postgres = new Client({ connectionString: stores.databaseUrl });
  await postgres.connect();
});
afterAll(async () => {
  clearInterval(beating);
  await api?.close();
  await postgres?.end();
  await stores?.close();
});

async function restart(env: NodeJS.ProcessEnv = {}): Promise<void> {
  await api?.close();
  api = undefined;
  api = await startApi(stores, env);
}

const urlOf = (): string => (api as RunningApi).url;
const logIn = async (username = 'admin', password = ADMIN_PASSWORD): Promise<number> =>
  (await new Visitor(urlOf()).post('/api/login', { username, password })).status;
const unsealed = async (): Promise<number> =>
  (await postgres.query('SELECT FROM auth.accounts WHERE seal IS NULL')).rowCount ?? 0;
/** Leaves the rows as a node of an earlier release does. An attacker would like to have them accepted again. */
const removeSeals = () => postgres.query('UPDATE auth.accounts SET seal = NULL');

async function startOlderNode(): Promise<void> {
  const { AccountsSealed: _, ...reads } = readableVersions();
  await postgres.query(
    `CREATE SCHEMA versions; CREATE TABLE versions.readers (id uuid PRIMARY KEY, reads jsonb NOT NULL, seen_at timestamptz NOT NULL)`,
  );
  const beat = () =>
    postgres.query(
      `INSERT INTO versions.readers VALUES ('00000000-0000-4000-8000-000000000001', $1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
      [reads],
    );
  await beat();
  beating = setInterval(() => void beat(), 500);
}

it('accepts the rows of an earlier release while one of its nodes runs', async () => {
  await startOlderNode();
  await restart();
  const body = { username: 'Early', email: 'early@example.com', password: PASSWORD };
  expect((await new Visitor(urlOf()).post('/api/register', body)).status).toBe(201);
  await removeSeals();
  await postgres.query(`UPDATE auth.accounts SET email = 'older@example.com' WHERE gamer_tag = 'Early'`);
  expect([await logIn(), await logIn('Early', PASSWORD)]).toEqual([200, 200]);
});

it('seals the rows once that node has ended, without a restart', async () => {
  clearInterval(beating);
  while ((await unsealed()) > 0) await sleep(100);
  while (!(api as RunningApi).app.get(RowSeals).isStrict) await sleep(20);
  expect([await logIn(), await logIn('Early', PASSWORD)]).toEqual([200, 200]);
});

it('does not seal rows again after an attacker removes their seals, and the active versions too', async () => {
  await removeSeals();
  expect(await logIn('Early', PASSWORD)).toBe(401);
  await postgres.query('TRUNCATE versions.active, versions.readers');
  await restart();
  expect([await unsealed(), await logIn(), await logIn('Early', PASSWORD)]).toEqual([2, 401, 401]);
});

it('accepts a restored dump once its operator has sealed it', async () => {
  const pool = new Pool({ connectionString: stores.databaseUrl, max: 1 });
  const seals = (api as RunningApi).app.get(RowSeals);
  // More than two batches.
  await postgres.query(
    `INSERT INTO auth.sessions (sid, sess, expire)
     SELECT 'restored ' || number, json_build_object('gamerId', 'somebody'), now() + interval '1 day' FROM generate_series(1, 1201) AS number`,
  );
  expect(await sealRows(pool, seals, (table, row) => !seals.fits(table, row))).toBe(2 + 1201);
  expect(await sealRows(pool, seals, (table, row) => !seals.fits(table, row))).toBe(0);
  await pool.end();
  expect([await logIn(), await logIn('Early', PASSWORD)]).toEqual([200, 200]);
});

async function underFormerSecret(): Promise<number> {
  const seals = (api as RunningApi).app.get(RowSeals);
  const pool = new Pool({ connectionString: stores.databaseUrl, max: 1 });
  let count = 0;
  await sealRows(pool, seals, (table, row) => {
    if (!seals.isCurrent(table, row)) count += 1;
    return false;
  });
  await pool.end();
  return count;
}

it('accepts the seals of the former secret, and renews them', async () => {
  const renewed = { LEDGER_SIGNING_SECRET: 'another secret of the nodes' };
  await restart({ ...renewed, LEDGER_SIGNING_SECRET_BEFORE: SESSION_SECRET });
  expect(await logIn('Early', PASSWORD)).toBe(200);
  // The node renews them in the background.
  while ((await underFormerSecret()) > 0) await sleep(50);
  await restart(renewed);
  expect([await logIn(), await logIn('Early', PASSWORD)]).toEqual([200, 200]);
});

it('serves without the accounts when their secret is missing, and creates no second admin', async () => {
  await restart();
  expect([await logIn(), await logIn('Early', PASSWORD)]).toEqual([401, 401]);
  const { rowCount } = await postgres.query(`SELECT FROM auth.accounts WHERE role = 'admin'`);
  expect(rowCount).toBe(1);
});
