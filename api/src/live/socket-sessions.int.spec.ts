import { io, type Socket } from 'socket.io-client';
import type { GamerSession } from '../../../contracts/http/accounts.js';
import { type ClientToServer, type ServerToClient, SOCKET_PATH } from '../../../contracts/live.js';
import { ADMIN_PASSWORD, type RunningApi, type Stores, startApi, startStores } from '../testing/api-under-test.js';
import { Visitor } from '../testing/visitor.js';
import { SocketSessions } from './socket-sessions.js';

// Long enough for a machine that is busy with other things.
jest.setTimeout(120_000);

type LiveSocket = Socket<ServerToClient, ClientToServer>;

const PASSWORD = 'quite unusual';

let stores: Stores;
/** Two nodes: what ends on one must end sockets on the other. */
let here: RunningApi;
let there: RunningApi;
let admin: Visitor;
const opened: LiveSocket[] = [];

beforeAll(async () => {
  stores = await startStores();
  here = await startApi(stores);
  there = await startApi(stores);
  admin = await logIn('admin', ADMIN_PASSWORD);
});

afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

afterAll(async () => {
  await here?.close();
  await there?.close();
  await stores?.close();
});

async function logIn(username: string, password = PASSWORD): Promise<Visitor> {
  const visitor = new Visitor(here.url);
  expect((await visitor.post('/api/login', { username, password })).status).toBe(200);
  return visitor;
}

async function register(username: string): Promise<{ id: string; visitor: Visitor }> {
  const visitor = new Visitor(here.url);
  const form = { username, email: `${username}@example.com`, password: PASSWORD };
  const { status, body } = await visitor.post<GamerSession>('/api/register', form);
  expect(status).toBe(201);
  return { id: body.id, visitor };
}

/** A greeted socket of this browser's session, or of a visitor. */
async function connect(node: RunningApi, visitor?: Visitor): Promise<LiveSocket> {
  const session = visitor?.cookie('omni.sid');
  const socket: LiveSocket = io(node.url, {
    path: SOCKET_PATH,
    reconnection: false,
    forceNew: true,
    ...(session && { extraHeaders: { cookie: `omni.sid=${session}` } }),
  });
  opened.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('state:update', () => resolve());
    socket.once('connect_error', reject);
  });
  return socket;
}

const gone = (socket: LiveSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.connected) socket.once('disconnect', () => resolve());
    else resolve();
  });

/** Whoever should still be connected has then been looked at. */
async function sweep(): Promise<void> {
  for (const { app } of [here, there]) await app.get(SocketSessions).sweep();
  await new Promise((go) => setTimeout(go, 100));
}

it('close with the session they were opened with, on every node, and no others do', async () => {
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

it('close at once on the node that ended the session', async () => {
  const { visitor } = await register('Prompt');
  const socket = await connect(here, visitor);
  // Without its sweep, so that nothing else can close it.
  const sweeping = jest.spyOn(here.app.get(SocketSessions), 'sweep').mockResolvedValue();
  const closed = gone(socket);
  await visitor.post('/api/logout');
  await closed;
  sweeping.mockRestore();
});

it('close when the admin sets another password or role, and may be opened again as who one is then', async () => {
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
