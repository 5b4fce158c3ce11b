import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEventStore } from '../embedded/event-store/start-event-store.js';
import { Link } from '../embedded/event-store/testing/link.js';
import { TestCluster } from '../embedded/event-store/testing/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../embedded/postgres/testing/test-database.js';
import { EventLog } from './event-log.js';
import { LogUnavailable, type NewEvent, UnknownOutcome, WrongExpectedRevision } from './event-log.types.js';

const newEvent = (): NewEvent => ({
  id: randomUUID(),
  event: { type: 'AdminLoggedIn', data: { gamerId: 'admin' } },
  metadata: { commandId: 'c', actor: { id: 'system', role: 'system' }, at: 1, schema: 1 },
});

describe('a cluster of three', () => {
  const nodes: Link[] = [];
  const cluster = new TestCluster();
  let clusterDatabase: TestDatabase;
  let clusterStore: Awaited<ReturnType<typeof startEventStore>>;
  let clusterLog: EventLog;
  beforeAll(async () => {
    clusterDatabase = await createTestDatabase();
    clusterStore = await startEventStore({ databaseUrl: clusterDatabase.url, reroute: cluster.reroute });
  });
  afterAll(async () => {
    await clusterStore.close();
    await clusterDatabase.drop();
  });
  beforeEach(async () => {
    for (let count = 0; count < 3; count += 1) nodes.push(await Link.to(clusterStore.port));
    cluster.ports = nodes.map(({ port }) => port);
    cluster.leaderPort = cluster.ports[0] as number;
    clusterLog = new EventLog(clusterUrl());
  });
  const clusterUrl = () => `esdb://${cluster.ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  afterEach(async () => {
    await clusterLog.close();
    await Promise.all(nodes.splice(0).map((node) => node.kill()));
  });

  async function appendedAfterMs(stream: string): Promise<number> {
    const from = performance.now();
    for (;;) {
      try {
        await clusterLog.append(stream, [newEvent()], await clusterLog.headRevision(stream));
        return performance.now() - from;
      } catch (error) {
        const mayRepeat = error instanceof UnknownOutcome || error instanceof LogUnavailable;
        if (!mayRepeat && !(error instanceof WrongExpectedRevision)) throw error;
        await sleep(50);
      }
    }
  }

  it('is read once it has a leader again, if the reader waits for that', async () => {
    const stream = `post-${randomUUID()}`;
    await appendedAfterMs(stream);
    cluster.leaderPort = 0;
    const [impatient] = await Promise.allSettled([clusterLog.headRevision(stream)]);
    expect(impatient).toMatchObject({ status: 'rejected', reason: expect.any(LogUnavailable) });
    const onWaiting = jest.fn();
    const patient = new EventLog(clusterUrl(), { patienceMs: 30_000, onWaiting });
    const ids: string[] = [];
    const reading = (async () => {
      await patient.checkConnection();
      for await (const { id } of patient.readAll([stream])) ids.push(id);
      return patient.headRevision(stream);
    })();
    while (onWaiting.mock.calls.length === 0) await sleep(50);
    cluster.leaderPort = cluster.ports[1] as number;
    expect(await reading).toBe(0);
    expect(ids).toHaveLength(1);
    await patient.close();
  });

  it.each<[string, (leader: Link) => unknown]>([
    ['freezes', (leader) => leader.freeze()],
    ['dies', (leader) => leader.kill()],
    ['resigns, and answers that it leads no more', () => undefined],
  ])('is appended to again within 8 s when its leader %s', async (_, fail) => {
    const stream = `post-${randomUUID()}`;
    await appendedAfterMs(stream);
    await fail(nodes[0] as Link);
    cluster.leaderPort = cluster.ports[1] as number;
    expect(await appendedAfterMs(stream)).toBeLessThan(8_000);
    expect(await clusterLog.headRevision(stream)).toBeGreaterThanOrEqual(1);
  });
});
