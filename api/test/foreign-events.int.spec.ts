import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { AFTER_POSITION, POSITION } from '../../contracts/http/headers.js';
import { EventVersions } from '../../event-log/event-versions.js';
import { Visitor } from './visitor.js';
import { WholeApplication, withAliceAndBob } from './whole-application.js';

const { application, admin, alice } = withAliceAndBob();
let neighbour: EventStoreDBClient;

beforeAll(() => {
  neighbour = EventStoreDBClient.connectionString(application.stores.eventStoreUrl);
  application.closesLater(() => neighbour.dispose());
});

const foreign = (type = 'OrderPaid') => jsonEvent({ type, data: { cents: 1 } });
const buy = (visitor: Visitor) => visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });

async function balanceOf(visitor: Visitor, position: string): Promise<number | undefined> {
  const path = `/api/gamer/${alice.id}`;
  const { body } = await visitor.get<{ wallet?: { purchaseBalanceCents: number } }>(path, {
    [AFTER_POSITION]: position,
  });
  return body.wallet?.purchaseBalanceCents;
}

it('goes on beside another program that writes into streams of ours, and names its first event', async () => {
  await application.give(alice, 900);
  await admin.visitor.post('/api/admin/game/start-live');
  const asked = { gamerId: alice.id, subject: 'Help', message: 'Where is my money?' };
  const { body: ticket } = await alice.visitor.post<{ id: string }>('/api/support/tickets', asked);
  const streams = [
    `omni_ticket-${ticket.id}`,
    `omni_gamer-${alice.id}`,
    'omni_post-1',
    'omni_payment-1',
    'omni_ledger-copy',
  ];
  for (const stream of [...streams, 'ticket-1', 'gamer-x']) await neighbour.appendToStream(stream, foreign());

  const answered = await admin.visitor.put(`/api/admin/support/tickets/${ticket.id}`, {
    status: 'closed',
    adminNotes: 'Paid.',
  });
  expect(answered.status).toBe(200);
  const bought = await buy(alice.visitor);
  expect(bought.status).toBe(200);
  expect(await balanceOf(alice.visitor, bought.headers.get(POSITION) ?? '')).toBe(870);
  const { status, body } = await application.visitor().get<{ checks: { foreignEvents: string } }>('/api/health');
  expect(status).toBe(200);
  expect(body.checks.foreignEvents).toMatch(/^skipped .*: omni_(post|ticket)-\S+@\d \(OrderPaid, id /);
});

it('stops at another program’s event in the ledger, and goes on in a copy of the log with every acknowledged event', async () => {
  await application.worker?.stop();
  await neighbour.appendToStream('omni_ledger', foreign('Intruder'));
  expect((await buy(alice.visitor)).status).toBe(503);
  const { message } = await application.api.app.get(EventVersions).unreadable;
  expect(message).toMatch(/^omni_ledger@\d+ \(Intruder, id .*\) was not written by this application/);

  const { databaseUrl, eventStoreUrl } = application.stores;
  const env = { ...process.env, EVENT_STORE_URL: eventStoreUrl, NEW_STREAM_PREFIX: 'copy_' };
  const copy = () => promisify(execFile)(process.execPath, ['deploy/event-store/copy-log.mjs'], { env });
  const { stdout } = await copy();
  expect(stdout).toMatch(/Left out: omni_ledger@\d+, Intruder, .*\n\d+ events copied to copy_/s);
  expect((await copy()).stdout).toBe(stdout);
  await application.database.query('DROP SCHEMA read CASCADE');
  const stores = () => ({ databaseUrl, eventStoreUrl, close: async () => {} });
  const restored = await WholeApplication.start({ STREAM_PREFIX: 'copy_' }, { stores });
  try {
    const again = restored.visitor();
    await again.post('/api/login', { username: 'alice', password: 'open sesame' });
    const bought = await buy(again);
    expect(bought.status).toBe(200);
    expect(await balanceOf(again, bought.headers.get(POSITION) ?? '')).toBe(840);
  } finally {
    await restored.close();
  }
});
