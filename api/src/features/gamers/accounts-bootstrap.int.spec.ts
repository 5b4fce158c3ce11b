import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { GamerSession } from '../../../../contracts/http/gamers.js';
import { createTestDatabase } from '../../../../embedded/postgres/testing/test-database.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from '../../../test/api-under-test.js';
import { errorOf, Visitor } from '../../../test/visitor.js';
import { Refused } from '../../platform/failures.js';
import { AccountsStore } from './accounts.store.js';
import { Enrolment } from './enrolment.store.js';

const PASSWORD = 'quite unusual';

let stores: Stores;
const running: RunningApi[] = [];

async function start(of: Stores, env: NodeJS.ProcessEnv = {}): Promise<RunningApi> {
  const api = await startApi(of, env);
  running.push(api);
  return api;
}

beforeAll(async () => {
  stores = await startStores();
});

afterEach(async () => {
  for (const api of running.splice(0)) await api.close();
  jest.restoreAllMocks();
});

afterAll(() => stores?.close());

const logIn = (api: RunningApi, username: string, password: string) =>
  new Visitor(api.url).post<GamerSession>('/api/login', { username, password });

function register(api: RunningApi, username: string) {
  const form = { username, email: 'survivor@example.com', password: PASSWORD };
  return new Visitor(api.url).post<GamerSession>('/api/register', form);
}

async function adminIdsOf(api: RunningApi): Promise<string[]> {
  const adminIds: string[] = [];
  for await (const { event } of api.app.get(EventLog).readStream('ledger')) {
    if (event.type === 'GamerEnrolled' && event.data.parentId === null) adminIds.push(event.data.gamerId);
  }
  return adminIds;
}

it('refuses to start with a common or short admin password', async () => {
  for (const [ADMIN_PASSWORD, text] of [
    ['password1234', 'This password is too common'],
    ['r4re w0rds', 'Staff passwords have at least 12 characters'],
  ])
    await expect(start(stores, { ADMIN_PASSWORD })).rejects.toThrow(`ADMIN_PASSWORD: ${text}`);
});

it('creates one admin when two processes start together on empty stores, and waits while a clock is not trusted', async () => {
  const complete = jest.spyOn(Enrolment.prototype, 'complete').mockRejectedValueOnce(new Refused('clock-untrusted'));
  const [one, other] = await Promise.all([start(stores), start(stores)]);
  expect(complete.mock.calls.length).toBeGreaterThan(1);
  const [here, there] = [await logIn(one, 'admin', ADMIN_PASSWORD), await logIn(other, 'ADMIN', ADMIN_PASSWORD)];
  expect(here).toMatchObject({ status: 200, body: { role: 'admin', gamerTag: 'admin' } });
  expect(there.body).toEqual(here.body);
  expect(await adminIdsOf(one)).toEqual([here.body.id]);
  expect(await one.app.get(AccountsStore).findAdmin()).toMatchObject({ gamerId: here.body.id, enrolled: true });

  const later = await start(stores, { ADMIN_GAMER_TAG: 'TheBoss', ADMIN_PASSWORD: 'another password' });
  for (const tag of ['admin', 'TheBoss'])
    expect(await logIn(later, tag, 'another password')).toMatchObject({ status: 401 });
  expect(await logIn(later, 'admin', ADMIN_PASSWORD)).toMatchObject({ status: 200, body: { id: here.body.id } });
});

it('restores the accounts from the log after Postgres was lost, the admin’s without a password until ADMIN_PASSWORD is set', async () => {
  const before = await start(stores);
  const gamer = await register(before, 'Survivor');
  const admin = await logIn(before, 'admin', ADMIN_PASSWORD);
  // The event that an admin's change of a tag appends.
  const renamed = { gamerId: gamer.body.id, gamerTag: 'Renamed', gamerTagBefore: 'Survivor' };
  const event = { type: 'GamerRenamed' as const, data: renamed };
  const metadata = { commandId: 'rename', actor: SYSTEM, at: Date.now(), schema: 1 };
  await before.app.get(EventLog).append(`gamer-${gamer.body.id}`, [{ id: randomUUID(), event, metadata }], 0);

  const replacement = await createTestDatabase();
  const restored = { ...stores, databaseUrl: replacement.url };
  const printed: string[] = [];
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => printed.push(String(text)));
  const without = await start(restored, { ADMIN_PASSWORD: '' });
  warn.mockRestore();
  expect(printed).toContain('nobody can log in as the admin: set ADMIN_PASSWORD and start again');
  expect(printed.join('\n')).not.toMatch(/password:? \S{8,}/);
  expect(await logIn(without, 'admin', ADMIN_PASSWORD)).toMatchObject({ status: 401 });
  const after = await start(restored, { ADMIN_PASSWORD: 'a new admin password' });
  expect(await logIn(after, 'admin', 'a new admin password')).toMatchObject({ status: 200, body: admin.body });
  expect(await logIn(after, 'Renamed', PASSWORD)).toMatchObject({ status: 401 });

  await after.app.get(Enrolment).sweep();
  const account = await after.app.get(AccountsStore).findByTag('renamed');
  expect(account).toMatchObject({
    gamerId: gamer.body.id,
    email: 'survivor@example.com',
    refCode: gamer.body.refCode,
    passwordHash: null,
    enrolled: true,
  });
  expect(await adminIdsOf(after)).toEqual([admin.body.id]);

  // Registering the tag again must not take over the restored account.
  expect(await errorOf(register(after, 'Renamed'))).toEqual([400, 'This GamerTag is already taken']);
  for (const api of running.splice(0)) await api.close();
  await replacement.drop();
});
