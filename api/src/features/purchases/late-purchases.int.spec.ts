import { randomUUID } from 'node:crypto';
import { verify } from '../../../../audit/replay/verify.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { LatePurchasesResponse, PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import type { GamerHistoryResponse } from '../../../../contracts/http/support.js';
import { lateStream } from '../../../../contracts/streams.js';
import { until } from '../../../../contracts/testing/until.js';
import { parseVerifierKey, verifySignature } from '../../../../contracts/transparency/signed-note.js';
import { latenessOf, parseSignedRefusal } from '../../../../contracts/transparency/signed-refusal.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { ok } from '../../../test/visitor.js';
import { type Person, WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';

const application = WholeApplication.forTests();
const { visitor: admin } = application.adminForTests();
const alice = application.gamerForTests('alice', 1_000);
const bob = application.gamerForTests('bob', 1_000);
const second = application.anotherNodeForTests();
let receipt: PurchaseReceipt;

const game = () => application.api.app.get(Ledger).committed.game;
const endedAtMs = () => game().lastResult?.endedAtMs as number;

beforeAll(async () => {
  const seconds = { pregameDurationSeconds: 1, downtimeDurationSeconds: 600, tokenExtensionSeconds: 1 };
  await ok(admin.post('/api/admin/timers', { ...seconds, liveDurationSeconds: 2 }));
  await ok(admin.post('/api/admin/game/start', {}));
  await application.reached('live');
  await ok(buy(alice));
  receipt = (await ok(buy(bob))).body as PurchaseReceipt;
  await application.reached('downtime');
});

const buy = ({ id, visitor }: Person, key: string = randomUUID()) =>
  visitor.post<ErrorBody & Partial<PurchaseReceipt>>(
    '/api/buy-from-balance',
    { quantity: 2, userId: id },
    { 'Idempotency-Key': key },
  );

const recorded = async () => {
  const events = await application.eventsOf(lateStream(1));
  return events.map(({ event, metadata }) => ({ ...event.data, ...metadata.actor, key: metadata.commandId }));
};

it('answers a purchase after zero with a refusal that the ledger’s key signed', async () => {
  const { status, body } = await buy(alice, 'press-1');
  expect([status, body.code]).toEqual([400, 'game-downtime']);
  const refusal = parseSignedRefusal(body.signedRefusal as string);
  expect(refusal.late).toEqual({
    roundId: 1,
    gamerId: alice.id,
    quantity: 2,
    commandId: 'press-1',
    endedAtMs: endedAtMs(),
    ledgerSize: application.api.app.get(Ledger).head.revision + 1,
    receivedAtEpochMs: endedAtMs() + (body.lateMs as number),
  });
  const { keys } = (await ok(application.visitor().get<LedgerKeys>('/api/ledger/key'))).body;
  expect(await verifySignature(refusal, await parseVerifierKey(keys[0] as string))).toBe('valid');
});

it('records at most three of a gamer and round over two nodes, and each command once', async () => {
  const elsewhere = { ...alice, visitor: alice.visitor.at(second.url) };
  await Promise.all([buy(alice, 'press-1'), buy(elsewhere, 'press-1'), buy(bob)]);
  const presses = Array.from({ length: 100 }, (_, at) => buy(at % 2 === 0 ? alice : elsewhere));
  for (const { body } of await Promise.all(presses)) expect(body.signedRefusal).toContain('purchase came late');
  const late = await until(recorded, (all) => all.length >= 4);
  expect(late.filter(({ id }) => id === alice.id)).toHaveLength(3);
  expect(late.filter(({ key }) => key === 'press-1')).toHaveLength(1);
  expect(late.filter(({ id }) => id === bob.id)).toEqual([
    expect.objectContaining({ roundId: 1, gamerId: bob.id, role: 'gamer' }),
  ]);
});

it('shows everyone how late purchases were, and each gamer their own', async () => {
  const read = async () => (await application.visitor().get<RoundResponse>('/api/rounds/1')).body;
  const { late, purchases } = await until(read, (round) => round.late.count === 4);
  expect(late.nearestMs).toEqual([...late.nearestMs].sort((one, other) => one - other));
  expect(purchases[0]?.leftMs).toBe(receipt.endsAtEpochMs - 2_000 - receipt.receivedAtEpochMs);
  const { signedRefusals } = (await ok(bob.visitor.get<LatePurchasesResponse>('/api/purchases/late'))).body;
  const [own] = signedRefusals.map((one) => parseSignedRefusal(one).late);
  expect(own).toMatchObject({ roundId: 1, gamerId: bob.id });
  expect(late.nearestMs).toContain(latenessOf(own as NonNullable<typeof own>));
});

it('shows support staff the outcomes of a gamer’s purchases, with signed refusals', async () => {
  const read = async ({ id }: Person) =>
    (await ok(admin.get<GamerHistoryResponse>(`/api/admin/gamers/${id}/history`))).body;
  const [ofAlice, ofBob] = await Promise.all([read(alice), read(bob)]);
  const ofPurchase = ({ movements }: GamerHistoryResponse) => movements.find(({ outcome }) => outcome !== null);
  const overtaken = ofPurchase(ofAlice);
  expect(overtaken).toMatchObject({ roundId: 1, cents: -60, outcome: { overtaken: { gamerTag: 'bob' } } });
  const last = ofPurchase(ofBob);
  expect(last).toMatchObject({ number: receipt.revision + 1, outcome: { overtaken: null } });
  const afterMs = overtaken?.outcome?.overtaken?.afterMs ?? 0;
  expect(overtaken?.outcome?.leftMs).toBe((last?.outcome?.leftMs ?? 0) - 2_000 + afterMs);
  expect(ofAlice).toMatchObject({ signedRefusals: { length: 3 }, paymentsInReview: [] });
  const verdict = await verify(application.api.app.get(EventLog), null);
  expect(verdict).toMatchObject({ latePurchases: 4, findings: [] });
});

it('opens a purchase for its buyer wherever they log in, for the admin, and for nobody else', async () => {
  const path = `/api/ledger/events/${receipt.revision}/proof`;
  const elsewhere = application.visitor();
  await ok(elsewhere.post('/api/login', { username: 'bob', password: 'open sesame' }));
  expect((await elsewhere.get<string>(path)).body).toContain('c2sp.org/tlog-proof@v1');
  expect((await admin.get(path)).status).toBe(200);
  expect(await alice.visitor.get(path)).toMatchObject({ status: 404, body: { code: 'event-not-found' } });
  expect(await application.visitor().get(path)).toMatchObject({ status: 401 });
});
