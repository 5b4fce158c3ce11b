import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { Ledger } from '../ledger/ledger.js';
import type { RunningApi } from '../testing/api-under-test.js';
import type { Visitor } from '../testing/visitor.js';
import { type LiveSocket, type Person, startWithAliceAndBob, WholeApplication } from '../testing/whole-application.js';
import { SocketSessions } from './socket-sessions.js';

let application: WholeApplication;
let alice: Person;
let admin: Visitor;
/** Two nodes: a session ended on one must close its sockets on the other. */
let here: RunningApi;
let there: RunningApi;
const STAKE_CENTS = 100_000;

beforeAll(async () => {
  const started = await startWithAliceAndBob();
  ({ application, alice } = started);
  admin = started.admin.visitor;
  here = application.api;
  there = await application.startAnotherNode();
  const money = { purchaseBalanceCents: STAKE_CENTS, totalWinningsCents: 0, reason: 'play money' };
  await admin.post(`/api/admin/mini/gamers/${alice.id}/adjust`, money);
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
});

afterAll(() => application?.close());

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

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('sends two messages for each of a few purchases, with consecutive versions', async () => {
  const received = collectMessages(await application.socket());
  const before = version();
  for (let count = 0; count < 3; count += 1) expect((await buy()).status).toBe(200);
  const after = version();
  await until(() => received.some((message) => message.version === after));
  const board = received.filter(({ version }) => version > before);
  expect(board.map(({ name }) => name)).toEqual([1, 2, 3].flatMap(() => ['purchase:added', 'game:time-extended']));
  expect(board.map(({ previousVersion }) => previousVersion)).toEqual([
    before,
    ...board.slice(0, -1).map((m) => m.version),
  ]);
});

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
  expect(balances.at(-1)?.purchaseBalanceCents).toBe(STAKE_CENTS - 63 * TOKEN_PRICE_CENTS);
  expect(everyone.some(({ name }) => name === 'balanceUpdated')).toBe(false);
});

it('writes the answers to purchases before it builds the messages to sockets about them', async () => {
  const socket = await application.socket(alice.visitor);
  const { app } = here;
  const answers: ServerResponse[] = [];
  app.getHttpServer().prependListener('request', (_request: unknown, answer: ServerResponse) => answers.push(answer));
  const accounts = app.get(AccountsStore);
  const tagsOf = accounts.tagsOf.bind(accounts);
  const unanswered: number[] = [];
  // Messages begin with the names in them; those about earlier events do not name the buyer.
  jest.spyOn(accounts, 'tagsOf').mockImplementation((gamerIds) => {
    if (gamerIds.includes(alice.id)) unanswered.push(answers.filter(({ writableEnded }) => !writableEnded).length);
    return tagsOf(gamerIds);
  });
  // After a quiet time messages go out at once.
  await sleep(200);
  const received = new Promise((resolve) => socket.once('purchase:added', resolve));
  const bought = await alice.visitor.post('/api/buy-from-balance', { quantity: 1, userId: alice.id });
  expect(bought.status).toBe(200);
  await received;
  jest.restoreAllMocks();
  expect(unanswered.length).toBeGreaterThan(0);
  expect(unanswered.every((count) => count === 0)).toBe(true);
});

const PASSWORD = 'open sesame';

async function logIn(username: string): Promise<Visitor> {
  const visitor = application.visitor();
  expect((await visitor.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
  return visitor;
}

const register = (gamerTag: string) => application.register(gamerTag);
const connect = (node: RunningApi, visitor?: Visitor) => application.socket(visitor, node.url);

const gone = (socket: LiveSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.connected) socket.once('disconnect', () => resolve());
    else resolve();
  });

/** Waits until a sweep has checked all sockets. */
async function sweep(): Promise<void> {
  for (const { app } of [here, there]) await app.get(SocketSessions).sweep();
  await new Promise((go) => setTimeout(go, 100));
}

describe('the sockets of a session', () => {
  it('close on every node when it ends, and only then', async () => {
    const { visitor } = await register('Leaver');
    const elsewhere = await logIn('Leaver');
    const { visitor: other } = await register('Stayer');
    const [mineHere, mineThere] = [await connect(here, visitor), await connect(there, visitor)];
    const others = [await connect(here, elsewhere), await connect(there, other), await connect(there)];
    await sweep();
    expect([mineHere, mineThere, ...others].map(({ connected }) => connected)).toEqual([true, true, true, true, true]);
    await visitor.post('/api/logout');
    await Promise.all([gone(mineHere), gone(mineThere)]);
    await sweep();
    expect(others.map(({ connected }) => connected)).toEqual([true, true, true]);
  });

  it('close at once on the node that ended it', async () => {
    const { visitor } = await register('Prompt');
    const socket = await connect(here, visitor);
    // Stops the sweep, so that only the event on this node can close the socket.
    const sweeping = jest.spyOn(here.app.get(SocketSessions), 'sweep').mockResolvedValue();
    const closed = gone(socket);
    await visitor.post('/api/logout');
    await closed;
    sweeping.mockRestore();
  });

  it('close when the admin changes the password or role, and may be opened again with the present role', async () => {
    const { id, visitor } = await register('Promoted');
    const before = [await connect(here, visitor), await connect(there, visitor)];
    expect((await admin.post(`/api/admin/mini/gamers/${id}/role`, { role: 'auditor' })).status).toBe(200);
    await Promise.all(before.map(gone));
    const after = [await connect(here, visitor), await connect(there, visitor)];
    await sweep();
    expect(after.map(({ connected }) => connected)).toEqual([true, true]);
    const password = { password: 'something else entirely' };
    expect((await admin.post(`/api/admin/mini/gamers/${id}/reset-password`, password)).status).toBe(200);
    await Promise.all(after.map(gone));
  });

  it('close when their gamer is deleted', async () => {
    const { id, visitor } = await register('Deleted');
    const sockets = [await connect(here, visitor), await connect(there, visitor)];
    expect((await admin.delete(`/api/admin/gamers/${id}`)).status).toBe(200);
    await Promise.all(sockets.map(gone));
  });
});
