/* Decision 44: limits for each gamer and address, and floods, which leave the other gamers' purchases alone. */
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { until } from '../../../contracts/testing/until.js';
import { Visitor } from '../../test/visitor.js';
import {
  isAccepted,
  type LiveSocket,
  openSocket,
  type Person,
  readAfter,
  WholeApplication,
} from '../../test/whole-application.js';

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
    LIMIT_LONG_READS_PER_GAMER: '20',
    LIMIT_WRITES_PER_ADDRESS: '100',
    LIMIT_MESSAGES_PER_SOCKET: '20',
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
async function connect(address: string, transport = 'websocket'): Promise<LiveSocket | null> {
  const { url } = application.api;
  const socket = openSocket(url, { origin: url, ...from(address) }, { transports: [transport] });
  application.closesLater(() => socket.disconnect());
  return (await isAccepted(socket)) ? socket : null;
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

const statusesOf = (responses: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Tests share one address, so each visitor states its own behind the trusted proxy. */
const from = (address: string) => ({ 'x-forwarded-for': address });

const asBob = () =>
  new Visitor(application.api.url, { ...from('192.0.2.2'), cookie: `omni.sid=${bob.visitor.cookie('omni.sid')}` });

it('answers a gamer’s flood of genealogy reads with 429, and another gamer’s purchases meanwhile', async () => {
  await application.give(bob, 10_000);
  const flood = Array.from({ length: caseCount(200, 1_000) }, () =>
    alice.visitor.get(`/api/genealogy/${alice.id}`, from('192.0.2.1')),
  );
  for (let count = 0; count < 10; count += 1) {
    const bought = await asBob().post('/api/buy-from-balance', { quantity: 1, userId: bob.id });
    expect(bought.status).toBe(200);
  }
  const responses = await Promise.all(flood);
  const counts = statusesOf(responses);
  expect(counts[429]).toBeGreaterThanOrEqual(100);
  expect(responses.find(({ status }) => status === 429)).toMatchObject({
    body: {
      code: 'too-many-requests',
      error: expect.stringMatching(/^Too many requests\. Please try again in [\w ]+\.$/),
    },
  });
  expect(responses.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(Object.keys(counts).every((status) => ['200', '429', '503'].includes(status))).toBe(true);
});

it('limits an address before its sessions are looked up, and no other address', async () => {
  const visitor = new Visitor(application.api.url, from('198.51.100.7'));
  const responses = await Promise.all(Array.from({ length: 170 }, () => visitor.post('/api/login', 'not json')));
  expect(statusesOf(responses)[429]).toBeGreaterThanOrEqual(20);
  expect((await visitor.get('/api/health')).status).toBe(200);
  const other = new Visitor(application.api.url, from('198.51.100.8'));
  expect((await other.post('/api/logout')).status).not.toBe(429);
});

it('disconnects sockets that flood the server with messages, and still answers the others', async () => {
  const quiet = await application.socket(bob.visitor);
  const { url } = application.api;
  // Two sockets of an address are allowed.
  const flooding = Array.from({ length: caseCount(2, 200) }, (_, at) =>
    openSocket(url, { origin: url, ...from(`198.51.${100 + (at >> 1)}.9`) }),
  );
  const disconnected = flooding.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
  for (const socket of flooding) for (let count = 0; count < 200; count += 1) socket.emit('time:sync', () => {});
  await Promise.all(disconnected);
  for (const socket of flooding) socket.close();
  expect(quiet.connected).toBe(true);
  expect(await quiet.timeout(5_000).emitWithAck('time:sync')).toBeGreaterThan(0);
});
