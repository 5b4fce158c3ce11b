import { hash, randomUUID } from 'node:crypto';
import { verify } from '../../../../audit/replay/verify.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { LatePurchasesResponse, PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import type { GamerHistoryResponse } from '../../../../contracts/http/support.js';
import { lateStream } from '../../../../contracts/streams.js';
import { until } from '../../../../contracts/testing/until.js';
import { isOpened, type ProofFile, parseProofFile } from '../../../../contracts/transparency/proof-file.js';
import { bytesOfHex, parseVerifierKey, verifySignature } from '../../../../contracts/transparency/signed-note.js';
import { latenessOf, parseSignedRefusal } from '../../../../contracts/transparency/signed-refusal.js';
import { isIncluded, leafHash } from '../../../../contracts/transparency/tree.js';
import { words } from '../../../../contracts/words.js';
import { contentHashOf } from '../../../../domain/ledger/chain.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { type ApiResponse, ok } from '../../../test/visitor.js';
import { type Person, withAliceAndBob } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';

const { application, admin, alice, bob } = withAliceAndBob();
const second = application.anotherNodeForTests();
const stranger = application.visitor();
let receipts: { alices: PurchaseReceipt; bobs: PurchaseReceipt };
/** The proof of Alice's purchase, fetched at once. */
let fresh: Promise<ApiResponse<string>>;

/** A round of two purchases, which Bob wins. */
beforeAll(async () => {
  const seconds = { pregameDurationSeconds: 1, liveDurationSeconds: 2, downtimeDurationSeconds: 600 };
  await ok(admin.visitor.post('/api/admin/timers', { ...seconds, tokenExtensionSeconds: 1 }));
  for (const gamer of [alice, bob]) await application.give(gamer, 500);
  await ok(admin.visitor.post('/api/admin/game/start', {}));
  await application.reached('live');
  const alices = (await ok(buy(alice))).body as PurchaseReceipt;
  fresh = stranger.get<string>(pathOf(alices));
  receipts = { alices, bobs: (await ok(buy(bob))).body as PurchaseReceipt };
  // Stands between the last purchase and the end.
  await application.give(alice, 100);
  await application.reached('downtime');
});

const buy = ({ id, visitor }: Person, key: string = randomUUID()) =>
  visitor.post<ErrorBody & Partial<PurchaseReceipt>>(
    '/api/buy-from-balance',
    { quantity: 1, userId: id },
    { 'idempotency-key': key },
  );

const pathOf = ({ revision, eventId }: PurchaseReceipt): string => `/api/ledger/events/${revision}/proof?id=${eventId}`;

const keyOf = async (): Promise<string> => (await ok(stranger.get<LedgerKeys>('/api/ledger/key'))).body.keys[0] ?? '';

/** The proof, and the chain hash that its events lead to. Throws unless its head is signed and has that chain hash. */
async function checkProof(text: string): Promise<ProofFile & { chain: string }> {
  const proof = parseProofFile(text);
  const { extra, index, hashes, head } = proof;
  let chain = extra.chainBefore;
  for (const event of extra.events) {
    const content = isOpened(event) ? contentHashOf(event.id, event.data, event.metadata as never) : event.contentHash;
    chain = hash('sha256', `${chain}\n${event.type}\n${content}\n`);
  }
  expect(await verifySignature(head, await parseVerifierKey(await keyOf()))).toBe('valid');
  const leaf = await leafHash(bytesOfHex(chain));
  expect(await isIncluded(index, leaf, head, hashes)).toBe(true);
  return { ...proof, chain };
}

describe('the proof of a purchase', () => {
  it('opens its event, which a signed head contains, as text for everyone', async () => {
    for (const receipt of Object.values(receipts)) {
      const { status, headers, body } = await stranger.get<string>(pathOf(receipt));
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      const { extra, index, chain } = await checkProof(body);
      expect({ index, chain }).toEqual({ index: receipt.revision, chain: receipt.chain });
      expect(extra.events).toMatchObject([
        { id: receipt.eventId, type: 'TokenPurchased', data: { purchaseId: receipt.purchaseId } },
      ]);
      expect(extra.events[0]).not.toHaveProperty('metadata.chain');
    }
  });

  it('exists for a fresh receipt, because a head is signed at once', async () => {
    await checkProof((await ok(fresh)).body);
  });

  it('opens without the event’s id for its buyer wherever they log in, for the admin, and for nobody else', async () => {
    const path = `/api/ledger/events/${receipts.bobs.revision}/proof`;
    const elsewhere = application.visitor();
    await ok(elsewhere.post('/api/login', { username: 'bob', password: 'open sesame' }));
    expect((await elsewhere.get<string>(path)).body).toContain('c2sp.org/tlog-proof@v1');
    expect((await admin.visitor.get(path)).status).toBe(200);
    expect(await alice.visitor.get(path)).toMatchObject({ status: 404, body: { code: 'event-not-found' } });
    expect(await stranger.get(path)).toMatchObject({ status: 401 });
  });

  it('is refused rather than wrong while the tiles are not those of the log', async () => {
    const { database } = application;
    const flip = 'UPDATE read.log_tiles SET hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40))';
    await database.query(flip);
    expect((await stranger.get(pathOf(receipts.alices))).status).toBe(503);
    await database.query(flip);
    expect((await stranger.get(pathOf(receipts.alices))).status).toBe(200);
  });
});

describe('the proof of a round’s end', () => {
  it('shows that the winner’s purchase was the last, and keeps the other events closed', async () => {
    const { body } = await ok(stranger.get<string>('/api/ledger/rounds/1/proof'));
    const { extra } = await checkProof(body);
    const { purchaseId } = receipts.bobs;
    expect(extra.events.map(({ type }) => type)).toEqual(
      words('TokenPurchased TimeExtended BalanceAdjusted RoundEnded'),
    );
    expect(extra.events.map(isOpened)).toEqual([false, true, false, true]);
    expect(extra.events[1]).toMatchObject({ data: { purchaseId, buyerId: bob.id } });
    expect(extra.events[3]).toMatchObject({
      data: { roundId: 1, winner: { gamerId: bob.id, purchaseId }, jackpotCents: 26 },
    });
  });

  it('does not exist before the end', async () => {
    for (const path of ['/api/ledger/rounds/2/proof', '/api/ledger/rounds/x/proof'])
      expect((await stranger.get(path)).status).toBe(404);
  });
});

describe('a purchase after zero', () => {
  const endedAtMs = () => application.api.app.get(Ledger).committed.game.lastResult?.endedAtMs as number;

  const recorded = async () => {
    const events = await application.eventsOf(lateStream(1));
    return events.map(({ event, metadata }) => ({ ...event.data, ...metadata.actor, key: metadata.commandId }));
  };

  it('is answered with a refusal that the ledger’s key signed', async () => {
    const { status, body } = await buy(alice, 'press-1');
    expect([status, body.code]).toEqual([400, 'game-downtime']);
    const refusal = parseSignedRefusal(body.signedRefusal as string);
    expect(refusal.late).toEqual({
      roundId: 1,
      gamerId: alice.id,
      quantity: 1,
      commandId: 'press-1',
      endedAtMs: endedAtMs(),
      ledgerSize: application.api.app.get(Ledger).head.revision + 1,
      receivedAtEpochMs: endedAtMs() + (body.lateMs as number),
    });
    expect(await verifySignature(refusal, await parseVerifierKey(await keyOf()))).toBe('valid');
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
    const read = async () => (await stranger.get<RoundResponse>('/api/rounds/1')).body;
    const { late, purchases } = await until(read, (round) => round.late.count === 4);
    expect(late.nearestMs).toEqual([...late.nearestMs].sort((one, other) => one - other));
    expect(purchases[0]?.leftMs).toBe(receipts.bobs.endsAtEpochMs - 1_000 - receipts.bobs.receivedAtEpochMs);
    const { signedRefusals } = (await ok(bob.visitor.get<LatePurchasesResponse>('/api/purchases/late'))).body;
    const [own] = signedRefusals.map((one) => parseSignedRefusal(one).late);
    expect(own).toMatchObject({ roundId: 1, gamerId: bob.id });
    expect(late.nearestMs).toContain(latenessOf(own as NonNullable<typeof own>));
  });

  it('shows support staff the outcomes of a gamer’s purchases, with signed refusals', async () => {
    const read = async ({ id }: Person) =>
      (await ok(admin.visitor.get<GamerHistoryResponse>(`/api/admin/gamers/${id}/history`))).body;
    const [ofAlice, ofBob] = await Promise.all([read(alice), read(bob)]);
    const ofPurchase = ({ movements }: GamerHistoryResponse) => movements.find(({ outcome }) => outcome !== null);
    const overtaken = ofPurchase(ofAlice);
    expect(overtaken).toMatchObject({ roundId: 1, cents: -30, outcome: { overtaken: { gamerTag: 'bob' } } });
    const last = ofPurchase(ofBob);
    expect(last).toMatchObject({ number: receipts.bobs.revision + 1, outcome: { overtaken: null } });
    const afterMs = overtaken?.outcome?.overtaken?.afterMs ?? 0;
    expect(overtaken?.outcome?.leftMs).toBe((last?.outcome?.leftMs ?? 0) - 1_000 + afterMs);
    expect(ofAlice).toMatchObject({ signedRefusals: { length: 3 }, paymentsInReview: [] });
    const verdict = await verify(application.api.app.get(EventLog), null);
    expect(verdict).toMatchObject({ latePurchases: 4, findings: [] });
  });
});
