/* A Postgres that neither answers nor fails. The simulator plays the last second, slow stores and wrong clocks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Link } from '../../../embedded/event-store/testing/link.js';
import { startApi } from '../api-under-test.js';
import { Visitor } from '../visitor.js';
import { WholeApplication } from '../whole-application.js';

const application = WholeApplication.forTests();
const alice = application.gamerForTests('alice', 10_000);

it('answers every request within 6 s while Postgres is half open, and works again after it', async () => {
  const { stores } = application;
  const { port } = new URL(stores.databaseUrl);
  const database = await Link.to(Number(port));
  application.closesLater(() => database.kill());
  const node = await startApi(
    { ...stores, databaseUrl: stores.databaseUrl.replace(`:${port}`, `:${database.port}`) },
    {},
  );
  application.closesLater(() => node.close());
  const visitor = new Visitor(node.url, { cookie: `omni.sid=${alice.visitor.cookie('omni.sid')}` });
  expect((await visitor.get('/api/support/tickets')).status).toBe(200);
  const paths = ['/api/support/tickets', `/api/genealogy/${alice.id}`, `/api/gamer/${alice.id}/withdrawals`];
  const request = async (send: () => Promise<{ status: number }>) => {
    const startedAtMs = performance.now();
    const { status } = await send();
    expect(performance.now() - startedAtMs).toBeLessThan(6_000);
    return status;
  };
  database.freeze();
  // Exceeds the connections of both pools.
  const statuses = await Promise.all([
    ...Array.from({ length: 40 }, (_, index) => request(() => visitor.get(paths[index % paths.length] as string))),
    request(() => visitor.post('/api/login', { username: 'alice', password: 'a wrong pass phrase' })),
  ]);
  expect([...new Set(statuses)]).toEqual([503]);
  database.thaw();
  while ((await visitor.get('/api/support/tickets')).status !== 200) await sleep(100);
  for (const path of paths) expect((await visitor.get(path)).status).toBe(200);
});
