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

beforeEach(async () => {
  stores = await startStores();
  log = new EventLog(stores.eventStoreUrl);
  api = await startApi(stores);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await api.close();
  await log.close();
  await stores.close();
});

/** Appends an event to the ledger, as another version of the program would. */
async function append(type: string, schema: number): Promise<void> {
  const metadata = { actor: { id: 'system', role: 'system' }, commandId: 'from-elsewhere', at: Date.now(), schema };
  const event = { id: randomUUID(), event: { type, data: {} }, metadata } as unknown as NewEvent;
  await log.append(LEDGER_STREAM, [event], await log.headRevision(LEDGER_STREAM));
}

it.each([
  ['unknown type', 'GamePaused', 1, 'unknown event type GamePaused'],
  ['unknown version', 'GameStarted', 99, 'GameStarted of version 99'],
] as const)(
  'an event of an %s stops the ledger of a running api, which names it and confirms no more commands',
  async (_, type, schema, message) => {
    const admin = new Visitor(api.url);
    await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD });
    const exit = jest.spyOn(process, 'exit').mockImplementation();
    await append(type, schema);
    const { message: reported } = await api.app.get(EventVersions).unreadable;
    expect(reported).toContain(message);
    expect((await admin.post('/api/admin/game/start')).status).toBe(503);
    // The process stays, and says why it is unready (deploy/upgrade.int.spec.ts).
    expect(exit).not.toHaveBeenCalled();
  },
);
