import { randomUUID } from 'node:crypto';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { EventLog } from '../../event-log/event-log.js';
import type { NewEvent } from '../../event-log/event-log.types.js';
import { EventVersions } from '../../event-log/event-versions.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from './api-under-test.js';
import { Visitor } from './visitor.js';

let stores: Stores;
let log: EventLog;
let api: RunningApi;

beforeAll(async () => {
  stores = await startStores();
  log = new EventLog(stores.eventStoreUrl);
  api = await startApi(stores);
});

afterAll(async () => {
  jest.restoreAllMocks();
  await api.close();
  await log.close();
  await stores.close();
});

// The worker's spec has the unknown type as well.
it('an event of an unknown version stops the ledger of a running api, which names it and confirms no more commands', async () => {
  const admin = new Visitor(api.url);
  await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD });
  const exit = jest.spyOn(process, 'exit').mockImplementation();
  const metadata = { actor: { id: 'system', role: 'system' }, commandId: 'from-elsewhere', at: Date.now(), schema: 99 };
  const event = { id: randomUUID(), event: { type: 'GameStarted', data: {} }, metadata } as unknown as NewEvent;
  await log.append(LEDGER_STREAM, [event], await log.headRevision(LEDGER_STREAM));
  const { message: reported } = await api.app.get(EventVersions).unreadable;
  expect(reported).toContain('GameStarted of version 99');
  expect((await admin.post('/api/admin/game/start')).status).toBe(503);
  // The process stays, and says why it is unready (deploy/upgrade.int.spec.ts).
  expect(exit).not.toHaveBeenCalled();
});
