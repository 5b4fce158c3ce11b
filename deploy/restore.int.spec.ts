import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Visitor } from '../api/test/visitor.js';
import { AFTER_POSITION, POSITION } from '../contracts/http/headers.js';
import { anyFreePort } from '../embedded/postgres/free-port.js';
import { projectRoot } from './testing/deployment-files.js';
import { runToEnd, Service } from './testing/service.js';

// Two starts of the whole application, on a machine that may be busy.
jest.setTimeout(300_000);

const ADMIN_PASSWORD = 'a password for restoring';
let parent: string;
const started: Service[] = [];

beforeAll(() => {
  // Jest's NODE_ENV would build the development version of React.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(process.execPath, ['scripts/run.mjs', 'build'], { cwd: projectRoot, env });
  parent = mkdtempSync(join(tmpdir(), 'omni-restore-'));
  // Postgres runs as another user when the tests run as root, and must reach its data.
  chmodSync(parent, 0o711);
});
afterAll(async () => {
  for (const service of started) await service.end('SIGTERM');
  rmSync(parent, { recursive: true, force: true });
});

async function start(folder: string): Promise<{ service: Service; url: string }> {
  const port = await anyFreePort();
  const url = `http://127.0.0.1:${port}`;
  const service = new Service({
    command: [process.execPath, 'dist/embedded/launcher/main.js'],
    env: { DATA_DIR: folder, PORT: String(port), ADMIN_PASSWORD, RATE_LIMITS: 'off' },
    isReady: () =>
      fetch(`${url}/api/health`).then(
        async (answer) => existsSync(join(folder, 'running.json')) && (await answer.json()).status === 'ok',
        () => false,
      ),
  });
  started.push(service);
  await service.start();
  return { service, url };
}

async function logIn(url: string, username: string, password: string): Promise<{ id: string; visitor: Visitor }> {
  const visitor = new Visitor(url);
  const { status, body } = await visitor.post<{ id: string }>('/api/login', { username, password });
  expect(status).toBe(200);
  return { id: body.id, visitor };
}

it('a copy of the data folder is a backup of both stores: it starts elsewhere, and the auditor verifies it', async () => {
  const original = join(parent, 'data');
  const first = await start(original);
  const admin = await logIn(first.url, 'admin', ADMIN_PASSWORD);
  const account = { username: 'saved', email: 'saved@example.com', password: 'open sesame', referralCode: null };
  const gamer = await new Visitor(first.url).post<{ id: string }>('/api/register', account);
  const money = { purchaseBalanceCents: 900, totalWinningsCents: 0, reason: 'play money' };
  await admin.visitor.post(`/api/admin/mini/gamers/${gamer.body.id}/adjust`, money);
  await admin.visitor.post('/api/admin/game/start-live');
  const { id, visitor } = await logIn(first.url, 'saved', 'open sesame');
  expect((await visitor.post('/api/buy-from-balance', { quantity: 4, userId: id })).status).toBe(200);
  await first.service.end('SIGTERM');

  const copy = join(parent, 'restored');
  execFileSync('cp', ['-a', original, copy]);
  rmSync(original, { recursive: true });
  const second = await start(copy);
  const restored = await logIn(second.url, 'saved', 'open sesame');
  const balance = async (headers: Record<string, string> = {}) =>
    (await restored.visitor.get<{ wallet: { purchaseBalanceCents: number } }>(`/api/gamer/${id}`, headers)).body.wallet;
  expect(await balance()).toEqual({ purchaseBalanceCents: 900 - 4 * 30 });
  const again = await restored.visitor.post('/api/buy-from-balance', { quantity: 1, userId: id });
  expect(again.status).toBe(200);
  const after = { [AFTER_POSITION]: again.headers.get(POSITION) ?? '' };
  expect(await balance(after)).toEqual({ purchaseBalanceCents: 900 - 5 * 30 });

  const { databaseUrl, eventStoreUrl } = JSON.parse(readFileSync(join(copy, 'running.json'), 'utf8'));
  const stores = { DATABASE_URL: databaseUrl, EVENT_STORE_URL: eventStoreUrl };
  const verdict = await runToEnd(['node', 'dist/audit/main.js', 'verify'], stores);
  expect(verdict).toContain('compared as of event');
});
