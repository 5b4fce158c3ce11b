import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Link } from '../../../embedded/event-store/testing/link.js';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { Background } from './background.js';
import type { Config } from './config.js';
import { Listener } from './listener.store.js';

let database: TestDatabase;
let link: Link;
let other: Client;
let listener: Listener;
const background = new Background();
const received: string[] = [];
let begun = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  link = await Link.to(Number(url.port));
  url.port = String(link.port);
  other = new Client({ connectionString: database.url });
  await other.connect();
  listener = new Listener({ databaseUrl: url.href } as Config, background);
  listener.on('changes', (payload) => received.push(payload));
  listener.onListening(() => {
    begun += 1;
  });
  listener.onApplicationBootstrap();
});

afterAll(async () => {
  await background.beforeApplicationShutdown();
  await other?.end();
  await link?.kill();
  await database?.drop();
});

const notify = (payload: string) => other.query('SELECT pg_notify($1, $2)', ['changes', payload]);

async function complete(): Promise<void> {
  const nowMonotonicMs = performance.now();
  while (listener.completeUntilMonotonicMs < nowMonotonicMs) await sleep(20);
}

it('has received every notification committed before the time that it calls complete', async () => {
  await complete();
  for (const payload of ['one', 'two', 'three']) await notify(payload);
  await complete();
  expect(received.splice(0)).toEqual(['one', 'two', 'three']);
});

it('calls nothing complete while its connection is half open, and listens again after it', async () => {
  await complete();
  const before = begun;
  link.freeze();
  await sleep(100);
  const frozenAtMs = performance.now();
  await notify('held back');
  await sleep(4_500);
  expect(listener.completeUntilMonotonicMs).toBeLessThan(frozenAtMs);
  link.thaw();
  await complete();
  expect(begun).toBeGreaterThan(before);
});

it('listens again after its connection broke', async () => {
  const before = begun;
  // Connections of this database alone: the specs share a server.
  await other.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'omni-jackpot-api-listener'`,
  );
  await complete();
  expect(begun).toBe(before + 1);
  received.splice(0);
  await notify('again');
  await complete();
  expect(received).toEqual(['again']);
});
