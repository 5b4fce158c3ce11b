import { hash } from 'node:crypto';
import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import { isOpened, type ProofFile, parseProofFile } from '../../../../contracts/transparency/proof-file.js';
import { bytesOfHex, parseVerifierKey, verifySignature } from '../../../../contracts/transparency/signed-note.js';
import { isIncluded, leafHash } from '../../../../contracts/transparency/tree.js';
import { words } from '../../../../contracts/words.js';
import { contentHashOf } from '../../../../domain/ledger/chain.js';
import { type ApiResponse, ok } from '../../../test/visitor.js';
import { type Person, withAliceAndBob } from '../../../test/whole-application.js';

const { application, admin, alice, bob } = withAliceAndBob();
const stranger = application.visitor();
let receipts: { bobs: PurchaseReceipt; alices: PurchaseReceipt };
/** The proof of Bob's purchase, fetched at once. */
let fresh: Promise<ApiResponse<string>>;

/** A round of two purchases, which Alice wins. */
beforeAll(async () => {
  const seconds = { pregameDurationSeconds: 1, liveDurationSeconds: 2, downtimeDurationSeconds: 600 };
  await ok(admin.visitor.post('/api/admin/timers', { ...seconds, tokenExtensionSeconds: 1 }));
  for (const gamer of [alice, bob]) await application.give(gamer, 500);
  await ok(admin.visitor.post('/api/admin/game/start', {}));
  await application.reached('live');
  const bobs = await buy(bob, 'bobs-key');
  fresh = stranger.get<string>(pathOf(bobs));
  receipts = { bobs, alices: await buy(alice, 'alices-key') };
  // Stands between the last purchase and the end.
  await application.give(bob, 100);
  await application.reached('downtime');
});

async function buy({ id, visitor }: Person, key: string): Promise<PurchaseReceipt> {
  const purchase = { quantity: 1, userId: id };
  return (await ok(visitor.post<PurchaseReceipt>('/api/buy-from-balance', purchase, { 'idempotency-key': key }))).body;
}

const pathOf = ({ revision, eventId }: PurchaseReceipt): string => `/api/ledger/events/${revision}/proof?id=${eventId}`;

const keyOf = async (visitor = stranger): Promise<string> =>
  (await ok(visitor.get<LedgerKeys>('/api/ledger/key'))).body.keys[0] ?? '';

/** The proof, and the chain hash that its events lead to. Throws unless its head is signed and has that chain hash. */
async function checkProof(text: string, key: string): Promise<ProofFile & { chain: string }> {
  const proof = parseProofFile(text);
  const { extra, index, hashes, head } = proof;
  let chain = extra.chainBefore;
  for (const event of extra.events) {
    const content = isOpened(event) ? contentHashOf(event.id, event.data, event.metadata as never) : event.contentHash;
    chain = hash('sha256', `${chain}\n${event.type}\n${content}\n`);
  }
  expect(await verifySignature(head, await parseVerifierKey(key))).toBe('valid');
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
      const { extra, index, chain } = await checkProof(body, await keyOf());
      expect({ index, chain }).toEqual({ index: receipt.revision, chain: receipt.chain });
      expect(extra.events).toMatchObject([
        { id: receipt.eventId, type: 'TokenPurchased', data: { purchaseId: receipt.purchaseId } },
      ]);
      expect(extra.events[0]).not.toHaveProperty('metadata.chain');
    }
  });

  it('exists for a fresh receipt, because a head is signed at once', async () => {
    await checkProof((await ok(fresh)).body, await keyOf());
  });

  it('is refused rather than wrong while the tiles are not those of the log', async () => {
    const { database } = application;
    const flip = 'UPDATE read.log_tiles SET hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40))';
    await database.query(flip);
    expect((await stranger.get(pathOf(receipts.bobs))).status).toBe(503);
    await database.query(flip);
    expect((await stranger.get(pathOf(receipts.bobs))).status).toBe(200);
  });
});

describe('the proof of a round’s end', () => {
  it('shows that the winner’s purchase was the last, and keeps the other events closed', async () => {
    const { body } = await ok(stranger.get<string>('/api/ledger/rounds/1/proof'));
    const { extra } = await checkProof(body, await keyOf());
    const { purchaseId } = receipts.alices;
    expect(extra.events.map(({ type }) => type)).toEqual(
      words('TokenPurchased TimeExtended BalanceAdjusted RoundEnded'),
    );
    expect(extra.events.map(isOpened)).toEqual([false, true, false, true]);
    expect(extra.events[1]).toMatchObject({ data: { purchaseId, buyerId: alice.id } });
    expect(extra.events[3]).toMatchObject({
      data: { roundId: 1, winner: { gamerId: alice.id, purchaseId }, jackpotCents: 26 },
    });
  });

  it('does not exist before the end', async () => {
    for (const path of ['/api/ledger/rounds/2/proof', '/api/ledger/rounds/x/proof'])
      expect((await stranger.get(path)).status).toBe(404);
  });
});
