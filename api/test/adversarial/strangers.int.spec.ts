/* A stranger wants to read others' events, to make the server fail, to be taken for the gateway, or to act from another site's page. */
import { createHmac, randomUUID } from 'node:crypto';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { PurchaseReceipt } from '../../../contracts/http/purchases.js';
import { LEDGER_STREAM, paymentStream, postStream } from '../../../contracts/streams.js';
import { parseProofFile } from '../../../contracts/transparency/proof-file.js';
import { EventLog } from '../../../event-log/event-log.js';
import { AppModule } from '../../src/app.module.js';
import { routesOf } from '../../src/http/openapi.js';
import { CALLBACK_PATH } from '../../src/platform/config.js';
import { ACCOUNT } from '../payer.js';
import { isAccepted, openSocket, readAfter, settingsOf, withAliceAndBob } from '../whole-application.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const SIGNATURE = 'x-nowpayments-sig';

// No server listens at the gateway's address.
const gateway = settingsOf({ apiUrl: 'http://127.0.0.1:9/v1' });
const { application, admin, alice } = withAliceAndBob(gateway);
const stranger = application.visitor();
const routes = routesOf(AppModule);
let receipt: PurchaseReceipt;

beforeAll(async () => {
  await application.give(alice, 300, 0, 'a secret reason');
  await admin.visitor.post('/api/admin/game/start-live');
  const bought = await alice.visitor.post<PurchaseReceipt>('/api/buy-from-balance', { userId: alice.id, quantity: 1 });
  receipt = bought.body;
  await alice.visitor.post('/api/community/posts', { gamerId: alice.id, message: 'Hello' });
  const reset = await admin.visitor.post('/api/admin/game/reset', { reason: 'a test' });
  await readAfter(stranger, reset, '/api/public-record');
});

const ledger = async (): Promise<{ id: string; type: string }[]> =>
  (await application.eventsOf(LEDGER_STREAM)).map(({ id, event }) => ({ id, type: event.type }));

/** How many events the ledger has, and the streams of posts and payments. */
async function written(): Promise<number> {
  const streams = [LEDGER_STREAM, postStream(''), paymentStream('')];
  let count = 0;
  for await (const _ of application.api.app.get(EventLog).readAll(streams)) count += 1;
  return count;
}

describe('the proof of an event', () => {
  it.each<[string, (id: string, revision: number) => string]>([
    ['the id in capitals', (id, revision) => `${revision}/proof?id=${id.toUpperCase()}`],
    ['a part of the id', (id, revision) => `${revision}/proof?id=${id.slice(0, -1)}`],
    ['a pattern', (_id, revision) => `${revision}/proof?id=%25`],
    ['no id', (_id, revision) => `${revision}/proof`],
    ['the chain hash, which is public', (_id, revision) => `${revision}/proof?id=${receipt.chain}`],
    ['two ids', (id, revision) => `${revision}/proof?id=x&id=${id}`],
    ['an operator for an id', (_id, revision) => `${revision}/proof?id[$ne]=x`],
    ['the id at the event before', (id, revision) => `${revision - 1}/proof?id=${id}`],
    ['the id of another event', (_id, revision) => `${revision}/proof?id=${randomUUID()}`],
    ['the id beyond the end', (id) => `999999999999999/proof?id=${id}`],
    ['a fraction', (id, revision) => `${revision}.0/proof?id=${id}`],
    ['another notation', (id, revision) => `0x${revision.toString(16)}/proof?id=${id}`],
    ['a number beyond all', (id) => `${'9'.repeat(400)}/proof?id=${id}`],
    ['a path', (id) => `..%2f..%2fgamer/proof?id=${id}`],
  ])('is not there for %s', async (_what, place) => {
    const { eventId, revision } = receipt;
    const response = await stranger.get<ErrorBody>(`/api/ledger/events/${place(eventId, revision)}`);
    expect([400, 401, 404]).toContain(response.status);
    expect(JSON.stringify(response.body)).not.toContain(alice.id);
  });

  it('leaves out reason, name and trace, and needs the receipt’s event id or its buyer’s session', async () => {
    const { body } = await stranger.get<string>(`/api/ledger/events/${receipt.revision}/proof?id=${receipt.eventId}`);
    const { events } = parseProofFile(body).extra;
    expect(events).toMatchObject([{ type: 'TokenPurchased' }]);
    expect(JSON.stringify(events)).not.toMatch(/alice|@example|secret reason/);
  });

  it('cannot be opened with an id from a public response, except the public record’s', async () => {
    const open = routes.filter(({ method, role }) => method === 'get' && role === 'visitor');
    const ids = new Set<string>();
    for (const { path } of open) {
      if (path.startsWith('/api/ledger/events')) continue;
      const { body } = await stranger.get<unknown>(path.replace(/\{\w+\}/g, '1'));
      for (const [id] of JSON.stringify(body).matchAll(UUID)) ids.add(id);
    }
    const events = await ledger();
    const opened = new Set<string>();
    for (const id of ids)
      for (const revision of events.keys())
        if ((await stranger.get(`/api/ledger/events/${revision}/proof?id=${id}`)).status === 200)
          opened.add(events[revision]?.type ?? '');
    expect([...opened]).toEqual(['GameReset', 'LiveStarted']);
  });
});

describe('a callback', () => {
  const body = JSON.stringify({ payment_id: 1, payment_status: 'finished', order_id: 'x', pay_amount: 1 });
  const signed = (text: string, secret: string) => createHmac('sha512', secret).update(text).digest('hex');
  it.each<[string, string, Record<string, string>, number]>([
    ['without a signature', body, {}, 401],
    ['with the signature of another body', body, { [SIGNATURE]: signed('{}', ACCOUNT.ipnSecret) }, 401],
    ['larger than any', `{"a":"${'a'.repeat(110_000)}"}`, { [SIGNATURE]: '0'.repeat(128) }, 413],
  ])('%s is refused and writes nothing', async (_how, sent, headers, status) => {
    const before = await written();
    const response = await stranger.post<ErrorBody>(CALLBACK_PATH, sent, {
      'content-type': 'application/json',
      ...headers,
    });
    expect(response.status).toBe(status);
    expect(await written()).toEqual(before);
  });

  it('signed, with a hostile payment id, asks the gateway for nothing and credits nothing', async () => {
    const before = (await ledger()).length;
    for (const payment_id of ['../../admin', '1?x=', '1 OR 1=1', '', null, { a: 1 }, -1, 1.5, '9'.repeat(40)]) {
      const text = JSON.stringify({ payment_id, payment_status: 'finished', order_id: '__proto__' });
      const response = await stranger.post(CALLBACK_PATH, text, { [SIGNATURE]: signed(text, ACCOUNT.ipnSecret) });
      expect([200, 400]).toContain(response.status);
    }
    expect((await ledger()).length).toBe(before);
  });
});

/** The headers a browser sends for a page of another site. */
const STRANGERS: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost.evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
];

describe('a page of another site, in the admin’s own browser', () => {
  /** One hook refuses for all routes, so each kind of page tries every fifth one. */
  const writing = routes.filter(({ method }) => method !== 'get');

  it('can call no route that writes, and nothing is appended', async () => {
    const before = await written();
    for (const [index, { method, path }] of writing.entries()) {
      const headers = STRANGERS[index % STRANGERS.length];
      const response = await admin.visitor.send(method.toUpperCase(), path.replace(/\{\w+\}/, admin.id), {}, headers);
      expect([path, response.status]).toEqual([path, 403]);
      expect(response.body).toMatchObject({ error: 'This request did not come from an allowed origin' });
    }
    expect(await written()).toEqual(before);
  });

  it('is not let read the response of any route', async () => {
    const origin = { origin: 'https://evil.example' };
    for (const { method, path } of routes) {
      const at = path.replace(/\{\w+\}/, admin.id);
      const headers = { ...origin, 'access-control-request-method': method.toUpperCase() };
      const responses = [await admin.visitor.send('OPTIONS', at, undefined, headers)];
      if (method === 'get') responses.push(await admin.visitor.get(at, origin));
      const allowed = responses.map((response) => response.headers.get('access-control-allow-origin'));
      expect([path, new Set(allowed)]).toEqual([path, new Set([null])]);
    }
  });

  it.each(['polling', 'websocket'])('opens no socket by %s', async (transport) => {
    const cookie = `omni.sid=${admin.visitor.cookie('omni.sid')}`;
    for (const headers of STRANGERS) {
      const socket = openSocket(application.api.url, { ...headers, cookie }, { transports: [transport] });
      expect([headers, await isAccepted(socket)]).toEqual([headers, false]);
      socket.close();
    }
  });
});

it('accepts all of it from our own page', async () => {
  const socket = await application.socket(admin.visitor);
  expect(socket.connected).toBe(true);
  const own: Record<string, string>[] = [{ origin: application.api.url }, { 'sec-fetch-site': 'same-origin' }];
  for (const headers of own) {
    const response = await admin.visitor.post('/api/admin/timers', {}, headers);
    expect(response.status).toBe(400);
  }
});
