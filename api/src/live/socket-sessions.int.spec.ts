import type { RunningApi } from '../../test/api-under-test.js';
import type { Visitor } from '../../test/visitor.js';
import { type LiveSocket, WholeApplication } from '../../test/whole-application.js';
import { SocketSessions } from './socket-sessions.js';

const PASSWORD = 'open sesame';

const application = WholeApplication.forTests();
/** Two nodes: a session ended on one must close its sockets on the other. */
const { api: here } = application;
const there = application.anotherNodeForTests();
const { visitor: admin } = application.adminForTests();

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

async function sweep(): Promise<void> {
  for (const { app } of [here, there]) await app.get(SocketSessions).sweep();
  await new Promise((go) => setTimeout(go, 100));
}

describe('the sockets of a session', () => {
  it('close at once on every node when it ends, and only then', async () => {
    const { visitor } = await register('Leaver');
    const elsewhere = await logIn('Leaver');
    const { visitor: other } = await register('Stayer');
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
    const { id, visitor } = await register('Promoted');
    const before = [await connect(here, visitor), await connect(there, visitor)];
    expect((await admin.post(`/api/admin/mini/gamers/${id}/role`, { role: 'auditor' })).status).toBe(200);
    await Promise.all(before.map(gone));
    const after = [await connect(here, visitor), await connect(there, visitor)];
    await sweep();
    expect(after.map(({ connected }) => connected)).toEqual([true, true]);
  });
});
