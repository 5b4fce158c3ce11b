import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { until } from '../../../contracts/testing/until.js';
import type { RunningApi } from '../../test/api-under-test.js';
import { ok, type Visitor } from '../../test/visitor.js';
import { type LiveSocket, WholeApplication } from '../../test/whole-application.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';
import { Ledger } from '../ledger/ledger.js';
import { SocketSessions } from './socket-sessions.js';

const STAKE_CENTS = 100_000;
const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice', STAKE_CENTS);
/** A session ended on one node must close its sockets on the other. */
const { api: here } = application;
const there = application.anotherNodeForTests();

beforeAll(async () => {
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
});

interface ReceivedMessage {
  name: string;
  version: number;
  previousVersion: number;
  purchaseBalanceCents: number;
}

function collectMessages(socket: LiveSocket): ReceivedMessage[] {
  const received: ReceivedMessage[] = [];
  socket.onAny((name: string, body: object) => received.push({ name, ...body } as ReceivedMessage));
  return received;
}

const buy = () => alice.visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });
const version = () => application.api.app.get(Ledger).committed.game.version;

it('sends a burst without a gap in the versions, and the buyer’s last balance', async () => {
  const everyone = collectMessages(await application.socket());
  const own = collectMessages(await application.socket(alice.visitor));
  let known = version();
  await Promise.all(Array.from({ length: 60 }, buy));
  const after = version();
  await until(() => [everyone, own].every((received) => received.some((message) => message.version === after)));
  for (const message of everyone.filter(({ version }) => version > known)) {
    if (message.name !== 'state:update') expect(message.previousVersion).toBe(known);
    known = message.version;
  }
  expect(known).toBe(after);
  const balances = own.filter(({ name }) => name === 'balanceUpdated');
  expect(balances.at(-1)?.purchaseBalanceCents).toBe(STAKE_CENTS - 60 * TOKEN_PRICE_CENTS);
  expect(everyone.some(({ name }) => name === 'balanceUpdated')).toBe(false);
});

it('tells the admin, and nobody else, that a withdrawal came', async () => {
  await application.give(alice, 0, 2_000);
  const sockets = [await application.socket(admin), await application.socket(alice.visitor)];
  const [received, own] = sockets.map(collectMessages) as [ReceivedMessage[], ReceivedMessage[]];
  const form = { cryptoType: 'BTC', walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', amountCents: 1_000 };
  expect((await alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, form)).status).toBe(200);
  const isAbout = (wanted: string) => (message: ReceivedMessage) => message.name === wanted;
  await until(() => received.some(isAbout('admin:money_updated')) && own.some(isAbout('winnings:updated')));
  expect(own.some(isAbout('admin:money_updated'))).toBe(false);
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
  expect((await buy()).status).toBe(200);
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
