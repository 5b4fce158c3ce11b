/* Campaign 21: the witness cosigns every head of the ledger, though the api is killed (SIGKILL) again and again. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { fsck } from '../../../audit/proof/fsck.js';
import { checkProof } from '../../../audit/proof/receipt.js';
import { headInFile, verify } from '../../../audit/replay/verify.js';
import type { PurchaseReceipt } from '../../../contracts/http/purchases.js';
import type { LedgerKeys } from '../../../contracts/http/receipts.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { folderForTests } from '../../../contracts/testing/folder.js';
import { until } from '../../../contracts/testing/until.js';
import { logPrefix, tileReader } from '../../../contracts/transparency/log-client.js';
import { parseProofFile } from '../../../contracts/transparency/proof-file.js';
import { parseSignedHead, type SignedHead } from '../../../contracts/transparency/signed-head.js';
import { consistencyProof, isConsistent } from '../../../contracts/transparency/tree.js';
import { anyFreePort } from '../../../embedded/postgres/free-port.js';
import { startWitness } from '../../../embedded/witness/start-witness.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Runner } from '../../../projections/src/runner.js';
import { allViews } from '../../../projections/src/views/all-views.js';
import { ADMIN_PASSWORD, isOk, type Stores, spawnApi, startStores } from '../api-under-test.js';
import { Visitor } from '../visitor.js';

const HEADS = caseCount(4, 1_000);
const KILLS = Math.min(10, Math.ceil(HEADS / 5));

// A head is signed once a second at most, and a node starts within seconds.
jest.setTimeout(180_000 + HEADS * 10_000);

const folder = folderForTests('all');
let stores: Stores;
let log: EventLog;
let worker: Runner;
let witness: Awaited<ReturnType<typeof startWitness>>;
let policy = '';
let key = '';
let node: ChildProcess;
let url: string;

beforeAll(async () => {
  stores = await startStores();
  log = new EventLog(stores.eventStoreUrl);
  url = `http://127.0.0.1:${await anyFreePort()}`;
  await startNode();
  worker = new Runner({
    databaseUrl: stores.databaseUrl,
    log,
    views: allViews,
    logger: pino({ level: 'silent' }),
    onFatal: (error) => {
      throw error;
    },
  });
  worker.start();
  key = (await new Visitor(url).get<LedgerKeys>('/api/ledger/key')).body.keys[0] ?? '';
  witness = await startWitness({ stateFile: join(folder(), 'witness.json'), logKeys: [key] });
  policy = `${witness.policyLine}\nquorum ${witness.policyLine.split(' ')[1]}`;
  await kill();
  await startNode();
});

afterAll(async () => {
  await kill();
  await worker.stop();
  await log.close();
  await witness.close();
  await stores.close();
});

async function startNode(): Promise<void> {
  node = await spawnApi(stores, url, { WITNESSES: policy });
}

async function kill(): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  node.kill('SIGKILL');
  await ended;
}

/** The response's text, as soon as it is there and satisfies the condition. A node that was just started has none yet. */
const textOf = (path: string, condition: (text: string) => boolean = () => true): Promise<string> =>
  until(async () => {
    const response = await fetch(url + path).catch(() => null);
    const text = await response?.text();
    return response?.ok && text !== undefined && condition(text) ? text : null;
  });

async function startRound(): Promise<() => Promise<PurchaseReceipt>> {
  const admin = new Visitor(url);
  expect((await admin.post('/api/login', { username: 'admin', password: ADMIN_PASSWORD })).status).toBe(200);
  const alice = new Visitor(url);
  const body = { username: 'alice', email: 'alice@example.com', password: 'open sesame', referralCode: null };
  const { id } = (await alice.post<{ id: string }>('/api/register', body)).body;
  const money = { purchaseBalanceCents: 50_000, totalWinningsCents: 0, reason: 'play money' };
  expect((await admin.post(`/api/admin/mini/gamers/${id}/adjust`, money)).status).toBe(200);
  expect((await admin.post('/api/admin/game/start-live')).status).toBe(200);
  let bought = 0;
  return async () => {
    bought += 1;
    const headers = { 'idempotency-key': `purchase-${bought}` };
    const buy = () => alice.post<PurchaseReceipt>('/api/buy-from-balance', { quantity: 1, userId: id }, headers);
    const response = await until(
      () => buy().catch(() => null),
      (one) => one?.status === 200,
    );
    return response.body;
  };
}

it('is cosigned at every head, each of which extends the one before, and every proof holds', async () => {
  const buy = await startRound();
  const heads: SignedHead[] = [];
  let kills = 0;
  while (heads.length < HEADS) {
    const { revision, eventId } = await buy();
    const path = `/api/ledger/events/${revision}/proof?id=${eventId}`;
    if (kills < KILLS && heads.length >= (kills + 0.5) * (HEADS / KILLS)) {
      kills += 1;
      // The node signs meanwhile, or sends the head, or keeps the cosignature.
      const asked = isOk(url + path);
      await sleep((kills * 137) % 1_500);
      await kill();
      await asked;
      await startNode();
    }
    await textOf(path);
    const head = parseSignedHead(
      await textOf('/log/checkpoint/witnessed', (note) => parseSignedHead(note).size > revision),
    );
    const before = heads.at(-1) ?? head;
    const proof = await consistencyProof(before.size, head.size, tileReader(logPrefix(url)));
    expect(await isConsistent(before, head, proof)).toBe(true);
    const witnessed = await textOf(path, (text) => parseProofFile(text).head.signatures.length > 1);
    expect((await checkProof(witnessed, { key, policy })).findings).toEqual([]);
    heads.push(head);
  }
  expect(kills).toBe(KILLS);
  expect(new Set(heads.map(({ size }) => size)).size).toBe(HEADS);

  const lines: string[] = [];
  expect([await fsck(url, key, (line) => lines.push(line)), lines]).toEqual([true, expect.any(Array)]);
  const { findings } = await verify(
    log,
    null,
    heads.map(({ note }, at) => headInFile(`head ${at}`, note)),
  );
  expect(findings).toEqual([]);
});
