/*
 * An admin lets the gateway pay a batch of withdrawals, and the api process is killed at one of its steps: before a
 * call to the gateway or the event store is forwarded, or when it was carried out, before the answer. It starts again, and
 * the admin repeats the request with the same or a new key, or enters the code again. In the end the gateway's own record has
 * one transfer for each withdrawal, and the ledger has completed each.
 */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { verify } from '../../../audit/replay/verify.js';
import type { LedgerEvent } from '../../../contracts/events/ledger-events.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { until } from '../../../contracts/testing/until.js';
import { PRACTICE_CODE } from '../../../embedded/payments/api-routes.js';
import type { Payout } from '../../../embedded/payments/records.js';
import { anyFreePort } from '../../../embedded/postgres/free-port.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { spawnApi } from '../api-under-test.js';
import { Payer, startGateway } from '../payer.js';
import { StepProxy } from '../step-proxy.js';
import type { Visitor } from '../visitor.js';
import { readAfter, settingsOf, WholeApplication } from '../whole-application.js';

/** `npm run campaigns` kills at every step, `npm test` where the gateway acts and before the log says so. */
const IS_FULL = process.env.CAMPAIGNS === 'full';
const BATCH = IS_FULL ? 50 : 10;
const DECISIVE = ['after POST /v1/payout 1', 'before BatchAppend 2', 'after BatchAppend 2', 'after verify 1'];
jest.setTimeout(1_800_000);

/** Its own api has no gateway: only the process that is killed pays. */
const application = WholeApplication.forTests();
const alice = application.gamerForTests('alice', 0, 20_000_000);
const proxy = new StepProxy();
let payer: Payer;
let node: ChildProcess;
let admin: Visitor;
let start: () => Promise<void>;
let plays = 0;

beforeAll(async () => {
  const url = `http://127.0.0.1:${await anyFreePort()}`;
  const gateway = await startGateway({ settings: { stepMs: 0, callbackRepeatMs: 50 } });
  application.closesLater(() => gateway.close());
  payer = new Payer(gateway);
  const { eventStoreUrl } = application.stores;
  const storePort = Number(new URL(eventStoreUrl.replace('esdb:', 'http:')).port);
  const stores = {
    ...application.stores,
    eventStoreUrl: eventStoreUrl.replace(`${storePort}`, `${await proxy.grpc(storePort)}`),
  };
  application.closesLater(() => proxy.close());
  const settings = {
    ...settingsOf({ apiUrl: `${await proxy.http(gateway.url)}/v1` }),
    PAYMENTS_CALLBACK_URL: url,
    PAYOUTS_BY_GATEWAY: 'yes',
  };
  start = async () => {
    node = await spawnApi(stores, url, settings);
    admin = (await application.admin(application.visitor().at(url))).visitor;
  };
  await start();
});

afterAll(async () => {
  const ended = once(node, 'exit');
  node.kill('SIGKILL');
  await ended;
});

const ledger = () => application.api.app.get(Ledger);
const openOf = (ids: readonly string[]) => ids.filter((id) => ledger().decided.fields.withdrawals.has(id));

async function requestBatch(): Promise<string[]> {
  const body = { amountCents: 1_000, cryptoType: 'BTC', walletAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' };
  const request = () => {
    const key = { 'idempotency-key': randomUUID() };
    const path = `/api/gamer/${alice.id}/withdraw`;
    return until(
      () => alice.visitor.post(path, body, key),
      ({ status }) => status === 200,
    );
  };
  await Promise.all(Array.from({ length: BATCH - 1 }, request));
  await readAfter(alice.visitor, await request(), `/api/gamer/${alice.id}/withdrawals`);
  return [...ledger().decided.fields.withdrawals.keys()];
}

/** Pays a batch with a process that is killed at this step, if that step comes. Returns the steps taken. */
async function play(lastStep: string | null): Promise<string[]> {
  const ids = await requestBatch();
  expect(ids).toHaveLength(BATCH);
  plays += 1;
  const steps: string[] = [];
  let isAnswered = false;
  let isKilled = false;
  proxy.onStep = (name) => {
    const step = `${name} ${steps.filter((one) => one.startsWith(name)).length + 1}`;
    // Reads after the answer belong to no request.
    if (!isKilled && !(isAnswered && name.endsWith('Read'))) steps.push(step);
    if (step === lastStep) isKilled = node.kill('SIGKILL');
    return isKilled;
  };
  const ended = once(node, 'exit');
  const key = randomUUID();
  const order = (idempotencyKey: string, withdrawalIds = ids) =>
    admin.post('/api/admin/payouts', { withdrawalIds, code: PRACTICE_CODE }, { 'idempotency-key': idempotencyKey });
  const answer = await order(key).catch(() => null);
  // On a busy machine the answer may come too late, and the admin tries again.
  if (answer?.status === 503) await order(key).catch(() => null);
  else expect(answer?.status ?? 200).toBe(200);
  isAnswered = true;
  const paid = until(() => openOf(ids).length === 0);
  if (await Promise.race([ended.then(() => true), paid.then(() => false)])) {
    proxy.onStep = () => false;
    await start();
    const repetition = plays % 3;
    // One of the ordered payouts is enough to enter the code of their batch.
    const ordered = [...ledger().decided.fields.withdrawals].filter(([, withdrawal]) => withdrawal.order !== null);
    const again = repetition === 0 && ordered.length > 0 ? ordered.slice(0, 1).map(([id]) => id) : ids;
    expect((await order(repetition === 1 ? key : randomUUID(), again)).status).toBe(200);
  }
  await paid;
  await mustBeSentOnce(ids);
  return steps;
}

async function mustBeSentOnce(ids: readonly string[]): Promise<void> {
  const payouts = await payer.call<Payout[]>('/payouts');
  const events = (await application.eventsOf(LEDGER_STREAM)).map(({ event }) => event as LedgerEvent);
  for (const id of ids) {
    const sent = payouts.filter((payout) => payout.unique_external_id?.startsWith(`${id}-`) && payout.hash !== null);
    expect(sent.map(({ status, unique_external_id }) => [status, unique_external_id])).toEqual([
      ['FINISHED', `${id}-0`],
    ]);
    const outcomes = events.filter(
      ({ type, data }) => 'withdrawalId' in data && data.withdrawalId === id && /^Payout|Completed$/.test(type),
    );
    expect(outcomes.map(({ type }) => type)).toEqual(['PayoutOrdered', 'WithdrawalCompleted']);
  }
}

it(`sends each of ${BATCH} payouts once, wherever the process is killed`, async () => {
  const steps = await play(null);
  expect(steps).toEqual(expect.arrayContaining(DECISIVE));
  const killedAt: (string | undefined)[] = [];
  for (const step of IS_FULL ? steps : DECISIVE) killedAt.push((await play(step)).at(-1));
  expect(killedAt).toEqual(expect.arrayContaining(DECISIVE));
  const log = new EventLog(application.stores.eventStoreUrl);
  expect((await verify(log, null)).findings).toEqual([]);
  await log.close();
});
