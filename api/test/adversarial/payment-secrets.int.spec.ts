/* docs/operations.md, "Rotating secrets": the gateway's secrets change at the gateway first, then in the settings, while a payment is open. */
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { GamerProfile } from '../../../contracts/http/gamers.js';
import type { InvoiceResponse } from '../../../contracts/http/payments.js';
import type { EmbeddedPayments } from '../../../embedded/payments/start-embedded-payments.js';
import { Poller } from '../../src/features/payments/poller.js';
import { type RunningApi, startApi } from '../api-under-test.js';
import { deliver } from '../callback-relay.js';
import { ACCOUNT, Payer, startGateway } from '../payer.js';
import { Visitor } from '../visitor.js';
import { type Person, settingsOf, WholeApplication } from '../whole-application.js';

const CHANGED = { ...ACCOUNT, apiKey: 'another key', ipnSecret: 'another secret', password: 'another password' };
const changedSettings = {
  PAYMENTS_API_KEY: CHANGED.apiKey,
  PAYMENTS_IPN_SECRET: CHANGED.ipnSecret,
  PAYMENTS_PASSWORD: CHANGED.password,
};

let folder: string;
let gateway: EmbeddedPayments;
let application: WholeApplication;
let restarted: RunningApi | undefined;
let gamer: Person;
let orderId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'omni-gateway-'));
  gateway = await startGateway({ dataDir: folder, settings: { losesCallbacks: true, stepMs: 5 } });
  application = await WholeApplication.start(settingsOf(gateway));
  gamer = await application.register('payer');
  const order = { userId: gamer.id, amount: 20, currency: 'LTC' };
  orderId = (await gamer.visitor.post<InvoiceResponse>('/api/create-deposit-invoice', order)).body.orderId;
});
afterAll(async () => {
  await restarted?.close();
  await application?.close();
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

async function callbackSigned(secret: string, apiUrl: string): Promise<number> {
  const { id } = await new Payer(gateway).first(orderId);
  const fields = { order_id: orderId, pay_currency: 'ltc', payment_id: Number(id), payment_status: 'waiting' };
  const text = JSON.stringify(fields);
  return deliver(apiUrl, {
    body: Buffer.from(text),
    signature: createHmac('sha512', secret).update(text).digest('hex'),
  });
}

const balance = async (visitor: Visitor) =>
  (await visitor.get<GamerProfile>(`/api/gamer/${gamer.id}`)).body.wallet.purchaseBalanceCents;

it('a node with the former settings refuses callbacks signed with the new secret, and credits nothing', async () => {
  expect(await callbackSigned(ACCOUNT.ipnSecret, application.api.url)).toBe(200);
  const { port } = new URL(gateway.url);
  await gateway.close();
  gateway = await startGateway({ ...CHANGED, dataDir: folder, port: Number(port) });
  const payer = new Payer(gateway, CHANGED.apiKey);
  await payer.act((await payer.first(orderId)).id, 'pay');
  expect(await callbackSigned(CHANGED.ipnSecret, application.api.url)).toBe(401);
  const invoice = { userId: gamer.id, amount: 30, currency: 'LTC' };
  expect((await gamer.visitor.post('/api/create-deposit-invoice', invoice)).status).toBeGreaterThanOrEqual(400);
  expect(await balance(gamer.visitor)).toBe(0);
});

it('a node with the new settings refuses the former secret, and its poller finds the payment, once', async () => {
  // The node that still has the former settings would take turns at polling, and fail.
  jest.spyOn(application.api.app.get(Poller), 'round').mockResolvedValue();
  restarted = await startApi(application.stores, { ...settingsOf(gateway), ...changedSettings });
  await application.database.query('UPDATE ledger.payment_polls SET next_at_ms = 0');
  expect(await callbackSigned(ACCOUNT.ipnSecret, restarted.url)).toBe(401);
  const visitor = new Visitor(restarted.url);
  await visitor.post('/api/login', { username: gamer.gamerTag, password: 'open sesame' });
  while ((await balance(visitor)) === 0) await delay(100);
  expect(await balance(visitor)).toBe(2_000);
  expect(await callbackSigned(CHANGED.ipnSecret, restarted.url)).toBe(200);
  const order = { userId: gamer.id, amount: 30, currency: 'LTC' };
  expect((await visitor.post('/api/create-deposit-invoice', order)).status).toBe(200);
  expect(await balance(visitor)).toBe(2_000);
});
