import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../contracts/testing/until.js';
import type { RunningApi } from '../../test/api-under-test.js';
import { ok, type Visitor } from '../../test/visitor.js';
import { type LiveSocket, WholeApplication } from '../../test/whole-application.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';
import { SocketSessions } from './socket-sessions.js';

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice', 100);
/** A session ended on one node must close its sockets on the other. */
const { api: here } = application;
const there = application.anotherNodeForTests();

beforeAll(() => ok(admin.post('/api/admin/game/start-live')));

it('tells the admin, and nobody else, that a withdrawal came', async () => {
  await application.give(alice, 0, 2_000);
  const [received, own] = [new Set<string>(), new Set<string>()];
  (await application.socket(admin)).onAny((name: string) => received.add(name));
  (await application.socket(alice.visitor)).onAny((name: string) => own.add(name));
  const form = { cryptoType: 'BTC', walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', amountCents: 1_000 };
  await ok(alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, form));
  await until(() => received.has('admin:money_updated') && own.has('winnings:updated'));
  expect(own.has('admin:money_updated')).toBe(false);
});

it('writes the responses to purchases before it builds the messages to sockets about them', async () => {
  const socket = await application.socket(alice.visitor);
  const { app } = application.api;
  const responses: ServerResponse[] = [];
  app.getHttpServer().prependListener('request', ({ url }: IncomingMessage, response: ServerResponse) => {
    // The socket's own polls wait for messages until it is upgraded.
    if (url === '/api/buy-from-balance') responses.push(response);
  });
  const accounts = app.get(AccountsStore);
  const tagsOf = accounts.tagsOf.bind(accounts);
  const unanswered: number[] = [];
  // Messages begin with the names in them; those about earlier events do not name the buyer.
  jest.spyOn(accounts, 'tagsOf').mockImplementation((gamerIds) => {
    if (gamerIds.includes(alice.id)) unanswered.push(responses.filter(({ writableEnded }) => !writableEnded).length);
    return tagsOf(gamerIds);
  });
  // Messages go out at once after a quiet time.
  await sleep(200);
  const received = new Promise((resolve) => socket.once('purchase:added', resolve));
  await ok(alice.visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id }));
  await received;
  expect(unanswered.length).toBeGreaterThan(0);
  expect(unanswered.every((count) => count === 0)).toBe(true);
});

describe('the sockets of a session', () => {
  const connect = (node: RunningApi, visitor?: Visitor) => application.socket(visitor, node.url);
  const gone = async (socket: LiveSocket) => until(() => !socket.connected);

  async function sweep(): Promise<void> {
    for (const { app } of [here, there]) await app.get(SocketSessions).sweep();
    await sleep(100);
  }

  it('close at once on every node when it ends, and only then', async () => {
    const { visitor } = await application.register('Leaver');
    const elsewhere = application.visitor();
    await ok(elsewhere.post('/api/login', { username: 'Leaver', password: 'open sesame' }));
    const { visitor: other } = await application.register('Stayer');
    const [mineHere, mineThere] = [await connect(here, visitor), await connect(there, visitor)];
    const others = [await connect(here, elsewhere), await connect(there, other), await connect(there)];
    await sweep();
    expect([mineHere, mineThere, ...others].map(({ connected }) => connected)).toEqual([true, true, true, true, true]);
    // Stops the sweep, so that only the event on this node can close the socket here.
    const sweeping = jest.spyOn(here.app.get(SocketSessions), 'sweep').mockResolvedValue();
    await visitor.post('/api/logout');
    await Promise.all([gone(mineHere), gone(mineThere)]);
    sweeping.mockRestore();
    await sweep();
    expect(others.map(({ connected }) => connected)).toEqual([true, true, true]);
  });

  it('close when the admin changes the role, and may be opened again with the current role', async () => {
    const { id, visitor } = await application.register('Promoted');
    const before = [await connect(here, visitor), await connect(there, visitor)];
    expect((await admin.post(`/api/admin/mini/gamers/${id}/role`, { role: 'auditor' })).status).toBe(200);
    await Promise.all(before.map(gone));
    const after = [await connect(here, visitor), await connect(there, visitor)];
    await sweep();
    expect(after.map(({ connected }) => connected)).toEqual([true, true]);
  });
});
