import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { PurchaseReceipt } from '../../../contracts/http/purchases.js';
import { LedgerReplica } from '../../src/ledger/ledger-replica.js';
import { Snapshots } from '../../src/ledger/snapshots.js';
import { SnapshotsStore } from '../../src/ledger/snapshots.store.js';
import { SESSION_SECRET } from '../api-under-test.js';
import { Visitor } from '../visitor.js';
import { WholeApplication } from '../whole-application.js';

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const bob = application.gamerForTests('bob', 500);

beforeAll(async () => {
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
});

beforeEach(async () => {
  await application.database.query('DELETE FROM ledger.snapshots');
  await takeSnapshot();
});

async function takeSnapshot(): Promise<void> {
  const replica = new LedgerReplica();
  for (const recorded of await application.eventsOf('ledger')) replica.apply(recorded as RecordedLedgerEvent);
  const snapshots = new Snapshots(new SnapshotsStore(application.database), [SESSION_SECRET]);
  expect(await snapshots.save(replica)).toBe(true);
}

async function forgeMoney(): Promise<void> {
  const { database } = application;
  const { rows } = await database.query<{ number: number; bytes: Buffer }>(
    'SELECT number, bytes FROM ledger.snapshot_chunks ORDER BY number',
  );
  const before = `"gamer:${bob.id}:purchase",`;
  const chunks = rows.map(({ bytes }) => {
    const text = gunzipSync(bytes).toString();
    return text.includes(before) ? gzipSync(text.replace(new RegExp(`${before}\\d+`), `${before}500000000`)) : bytes;
  });
  for (const [number, bytes] of chunks.entries())
    await database.query('UPDATE ledger.snapshot_chunks SET bytes = $1 WHERE number = $2', [bytes, number]);
  const digests = Buffer.concat(chunks.map((bytes) => hash('sha256', bytes, 'buffer')));
  expect((await database.query('UPDATE ledger.snapshots SET digests = $1', [digests])).rowCount).toBe(1);
}

const keptSnapshots = async (): Promise<number> =>
  (await application.database.query('SELECT FROM ledger.snapshots')).rowCount ?? 0;

async function buyOnNewNode(quantity: number) {
  const visitor = new Visitor((await application.startAnotherNode()).url);
  const { status } = await visitor.post('/api/login', { username: 'bob', password: 'open sesame' });
  expect(status).toBe(200);
  // As a page does: on a busy machine the node's clock may not be compared with Postgres' yet.
  for (;;) {
    const answer = await visitor.post<PurchaseReceipt>('/api/buy-from-balance', { quantity, userId: bob.id });
    if (answer.status !== 503) return answer;
  }
}

it('starts a node from an honest snapshot, with the money of the log', async () => {
  expect(await buyOnNewNode(1)).toMatchObject({ status: 200, body: { purchaseBalanceCents: 470 } });
  expect(await keptSnapshots()).toBe(1);
});

it('gives nobody the money of a forged snapshot, and deletes it', async () => {
  await forgeMoney();
  const { status, body } = await buyOnNewNode(10_000);
  expect([status, body]).toMatchObject([400, { code: 'insufficient-balance' }]);
  expect(await keptSnapshots()).toBe(0);
  expect(await buyOnNewNode(1)).toMatchObject({ status: 200, body: { purchaseBalanceCents: 440 } });
});
