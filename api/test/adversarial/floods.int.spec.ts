/* Floods of one gamer or one address leave the other gamers' purchases alone (decision 44). */
import { io } from 'socket.io-client';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { Visitor } from '../visitor.js';
import { WholeApplication } from '../whole-application.js';

/** Tests share one address, so each visitor states its own behind the trusted proxy. */
const from = (address: string) => ({ 'x-forwarded-for': address });

const application = WholeApplication.forTests({
  RATE_LIMITS: 'on',
  LIMIT_LONG_READS_PER_GAMER: '20',
  LIMIT_WRITES_PER_ADDRESS: '50',
  LIMIT_MESSAGES_PER_SOCKET: '20',
});
const admin = application.adminForTests();
const alice = application.gamerForTests('alice');
const bob = application.gamerForTests('bob', 10_000);

beforeAll(async () => {
  expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
});

const statusesOf = (responses: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const asBob = () =>
  new Visitor(application.api.url, { ...from('192.0.2.2'), cookie: `omni.sid=${bob.visitor.cookie('omni.sid')}` });

it('answers a gamer’s flood of genealogy reads with 429, and another gamer’s purchases meanwhile', async () => {
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
  const responses = await Promise.all(Array.from({ length: 120 }, () => visitor.post('/api/login', 'not json')));
  expect(statusesOf(responses)[429]).toBeGreaterThanOrEqual(20);
  expect((await visitor.get('/api/health')).status).toBe(200);
  const other = new Visitor(application.api.url, from('198.51.100.8'));
  expect((await other.post('/api/logout')).status).not.toBe(429);
});

it('disconnects sockets that flood the server with messages, and still answers the others', async () => {
  const quiet = await application.socket(bob.visitor);
  const { url } = application.api;
  const options = { path: SOCKET_PATH, reconnection: false, forceNew: true };
  const flooding = Array.from({ length: caseCount(2, 200) }, () =>
    io(url, { ...options, extraHeaders: { origin: url, ...from('198.51.100.9') } }),
  );
  const disconnected = flooding.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
  for (const socket of flooding) for (let count = 0; count < 200; count += 1) socket.emit('time:sync', () => {});
  await Promise.all(disconnected);
  for (const socket of flooding) socket.close();
  expect(quiet.connected).toBe(true);
  expect(await quiet.timeout(5_000).emitWithAck('time:sync')).toBeGreaterThan(0);
});
