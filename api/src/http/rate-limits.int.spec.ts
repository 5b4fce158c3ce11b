import { io } from 'socket.io-client';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { until } from '../../../contracts/testing/until.js';
import { type LiveSocket, type Person, readAfter, WholeApplication } from '../../test/whole-application.js';

const ADDRESSES = [
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
];

const application = WholeApplication.forTests(
  {
    RATE_LIMITS: 'on',
    LIMIT_INVOICES_PER_GAMER: '2',
    LIMIT_WALLET_CHANGES_PER_GAMER: '2',
    LIMIT_POSTS_PER_GAMER: '2',
    LIMIT_TICKETS_PER_GAMER: '1',
    LIMIT_SOCKETS_PER_ADDRESS: '2',
  },
  { payments: {} },
);
const alice = application.gamerForTests('alice');
const bob = application.gamerForTests('bob');

const deposit = ({ id, visitor }: Person, key: string) =>
  visitor.post<InvoiceResponse & ErrorBody>(
    '/api/create-deposit-invoice',
    { amount: 20, currency: 'LTC', userId: id },
    { 'idempotency-key': key },
  );

const tokens = ({ id, visitor }: Person) =>
  visitor.post<ErrorBody>('/api/create-invoice', { quantity: 10, currency: 'LTC', userId: id });

const callsOfGateway = async () =>
  ((await (await fetch(`${application.gateway.url}/_stand-in/requests`)).json()) as object[]).length;

it('limits invoices per hour, for tokens and deposits together; repeated commands do not count', async () => {
  // No round is live, so these requests never reach the gateway and do not count.
  for (let tries = 0; tries < 3; tries += 1) expect((await tokens(alice)).status).toBe(400);
  const first = await deposit(alice, 'one');
  expect(first.status).toBe(200);
  for (let tries = 0; tries < 3; tries += 1) expect((await deposit(alice, 'one')).body).toEqual(first.body);
  const admin = await application.admin();
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
  expect((await tokens(alice)).status).toBe(200);

  const calls = await callsOfGateway();
  for (const refused of [await deposit(alice, 'three'), await tokens(alice)]) {
    expect(refused.status).toBe(429);
    const retryAfterSeconds = Number(refused.headers.get('retry-after'));
    expect(retryAfterSeconds).toBeGreaterThan(60);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60 * 60);
    expect(refused.body.error).toMatch(
      /^You have opened too many invoices\. Please pay one of them, or try again in (59 minutes|an hour)\.$/,
    );
  }
  expect(await callsOfGateway()).toBe(calls);
  expect((await deposit(alice, 'one')).body).toEqual(first.body);
  expect((await deposit(bob, 'one')).status).toBe(200);
});

it('holds for concurrent requests too', async () => {
  const carol = await application.register('carol');
  const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => deposit(carol, `at-once-${index}`)));
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 429)).toHaveLength(6);
});

it('limits saved wallet addresses per hour', async () => {
  const path = `/api/gamer/${bob.id}/crypto-wallets`;
  const save = (walletAddress: string, key: string) =>
    bob.visitor.post<ErrorBody>(path, { cryptoType: 'BTC', walletAddress }, { 'idempotency-key': key });
  const [one = '', two = '', three = ''] = ADDRESSES;
  const saved = await save(one, 'a');
  expect(saved.status).toBe(200);
  expect(await save(two, 'a')).toMatchObject({ status: 409, body: { code: 'idempotency-key-reused' } });
  const refused = await save(three, 'b');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body.error).toMatch(/^You have changed your wallet addresses too often\./);
  expect(await readAfter(bob.visitor, saved, path)).toEqual({ BTC: one });
});

it('limits the posts of a gamer per minute and the tickets per hour', async () => {
  const publish = ({ id, visitor }: Person, message: string) =>
    visitor.post<ErrorBody>('/api/community/posts', { gamerId: id, message });
  for (const message of ['One', 'Two']) expect((await publish(alice, message)).status).toBe(201);
  const third = await publish(alice, 'Three');
  expect(third.status).toBe(429);
  expect(third.body.error).toMatch(/^Too many attempts. Please try again in [\w ]+.$/);
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await publish(bob, 'One')).status).toBe(201);
  const ticket = { gamerId: bob.id, subject: 'Help', message: 'Please' };
  const open = () => bob.visitor.post<{ id: string }>('/api/support/tickets', ticket);
  const { status, body } = await open();
  expect([status, (await open()).status]).toEqual([201, 429]);
  const again = await bob.visitor.post(`/api/support/tickets/${body.id}/messages`, { message: 'Please' });
  expect(again.status).toBe(429);
});

/** Resolves to the socket once it is set up, or to null when it was refused. */
function connect(address: string, transport: 'polling' | 'websocket' = 'websocket'): Promise<LiveSocket | null> {
  const socket: LiveSocket = io(application.api.url, {
    path: SOCKET_PATH,
    transports: [transport],
    extraHeaders: { origin: application.api.url, 'x-forwarded-for': address },
    reconnection: false,
    forceNew: true,
  });
  application.closesLater(() => socket.disconnect());
  return new Promise((resolve) => {
    socket.once('state:update', () => resolve(socket));
    socket.once('connect_error', () => resolve(null));
  });
}

it('refuses sockets over the limit of an address until one of them closes, where an IPv6 /64 is one address', async () => {
  const first = await connect('2001:db8:1:2::1');
  const second = await connect('2001:db8:1:2:ffff::9', 'polling');
  expect([first?.connected, second?.connected]).toEqual([true, true]);
  expect(await connect('2001:db8:1:2::3')).toBeNull();
  expect(await connect('2001:db8:1:2::3', 'polling')).toBeNull();
  expect((await connect('2001:db8:1:3::1'))?.connected).toBe(true);
  first?.disconnect();
  // The server notices the close a moment later.
  await until(() => connect('2001:db8:1:2::3'));
  expect(await connect('2001:db8:1:2::3')).toBeNull();
});
