import { createPublicKey, verify } from 'node:crypto';
import { checkProofFile } from '../../../../audit/proof/proof-file.js';
import type { RecordedLedgerEvent } from '../../../../contracts/events/recorded.js';
import type { GamePhase, StateResponse } from '../../../../contracts/http/game.js';
import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import type { LedgerEventProof, LedgerKeys, LedgerProofFile } from '../../../../contracts/http/receipts.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { CHAIN_START, chainAfter } from '../../../../domain/ledger/chain.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { checkLedger } from '../../../../web/src/features/receipts/watch.js';
import { EMPTY_MEMORY, type LedgerMemory, withReceipt } from '../../../../web/src/shared/ledger/ledger-memory.js';
import { type RunningApi, type Stores, startApi, startStores } from '../../../test/api-under-test.js';
import { type Answer, Visitor } from '../../../test/visitor.js';
import { type Person, startWithAliceAndBob, type WholeApplication } from '../../../test/whole-application.js';

let application: WholeApplication;
let admin: Person;
let alice: Person;
let bob: Person;
let receipts: { bobs: PurchaseReceipt; alices: PurchaseReceipt };
let firstOfRound: string;
let stranger: Visitor;

/** A round of two purchases, which Alice wins. */
beforeAll(async () => {
  ({ application, admin, alice, bob } = await startWithAliceAndBob());
  stranger = application.visitor();
  const seconds = { pregameDurationSeconds: 1, liveDurationSeconds: 4, downtimeDurationSeconds: 600 };
  await done(admin.visitor.post('/api/admin/timers', { ...seconds, tokenExtensionSeconds: 1 }));
  for (const { id } of [alice, bob]) {
    const change = { purchaseBalanceCents: 500, totalWinningsCents: 0, reason: 'a gift' };
    await done(admin.visitor.post(`/api/admin/mini/gamers/${id}/adjust`, change));
  }
  await done(admin.visitor.post('/api/admin/game/start', {}));
  await until('live');
  firstOfRound = await checkpoint();
  receipts = { bobs: await buy(bob, 'bobs-key'), alices: await buy(alice, 'alices-key') };
  await until('downtime');
});

afterAll(() => application?.close());

async function done<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

async function until(phase: GamePhase): Promise<void> {
  while ((await stranger.get<StateResponse>('/api/state')).body.currentGame.gameState !== phase);
}

const buy = ({ id, visitor }: Person, key: string): Promise<PurchaseReceipt> =>
  done(visitor.post<PurchaseReceipt>('/api/buy-from-balance', { quantity: 1, userId: id }, { 'idempotency-key': key }));

const checkpoint = (query = ''): Promise<string> => done(stranger.get<string>(`/api/ledger/checkpoint${query}`));

interface Opened {
  name: string;
  size: number;
  /** Hex. */
  chain: string;
  lines: string[];
}

/** The lines of a checkpoint whose last signature line is of this key. Throws when it is not. */
function opened(note: string, key: string): Opened {
  const [text = '', signatures = ''] = note.split(/(?<=\n)\n/);
  const [, keyName, signed = ''] = /— (\S+) (\S+)\n$/.exec(signatures) ?? [];
  const [signer, keyId, encoded = ''] = key.split('+');
  const bytes = Buffer.from(signed, 'base64');
  expect([keyName, bytes.subarray(0, 4).toString('hex')]).toEqual([signer, keyId]);
  const x = Buffer.from(encoded, 'base64').subarray(1).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!verify(null, Buffer.from(text), publicKey, bytes.subarray(4))) throw new Error('the signature is wrong');
  const [name = '', size, chain = '', ...lines] = text.trimEnd().split('\n');
  return { name, size: Number(size), chain: Buffer.from(chain, 'base64').toString('hex'), lines };
}

const keyOf = async (visitor = stranger): Promise<string> =>
  (await done(visitor.get<LedgerKeys>('/api/ledger/key'))).keys.at(-1) ?? '';

const eventPath = ({ revision, eventId }: PurchaseReceipt, more = ''): string =>
  `/api/ledger/events/${revision}${more}?id=${eventId}`;

describe('a checkpoint', () => {
  it('is the signed head, as text for everyone', async () => {
    const { headers } = await stranger.get('/api/ledger/checkpoint');
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(headers.get('cache-control')).toBe('no-store');
    const key = await keyOf();
    const { name, size, chain, lines } = opened(await checkpoint(), key);
    expect(key.startsWith(`${name}+`)).toBe(true);
    const end = await done(stranger.get<LedgerEventProof>('/api/ledger/rounds/1'));
    expect({ size, chain }).toEqual({ size: end.recorded.revision + 1, chain: end.recorded.metadata.chain });
    expect(lines).toEqual([
      expect.stringMatching(/^time \d{4}-\d\d-\d\dT.*Z$/),
      `position ${end.recorded.position}`,
      `key ${key}`,
    ]);
  });

  it('is kept for ten seconds, and made anew at the round’s end', async () => {
    expect(opened(firstOfRound, await keyOf()).size).toBeLessThan(opened(await checkpoint(), await keyOf()).size);
    expect(await checkpoint()).toBe(await checkpoint());
    // Kept although the ledger has grown.
    const before = await checkpoint();
    const change = { purchaseBalanceCents: 1, totalWinningsCents: 0, reason: 'a gift' };
    await done(admin.visitor.post(`/api/admin/mini/gamers/${bob.id}/adjust`, change));
    expect(await checkpoint()).toBe(before);
  });

  it('of an earlier size has the chain of the event at that size', async () => {
    const key = await keyOf();
    for (const { revision, chain } of Object.values(receipts)) {
      expect(opened(await checkpoint(`?size=${revision + 1}`), key)).toMatchObject({ size: revision + 1, chain });
    }
    expect(opened(await checkpoint('?size=0'), key)).toMatchObject({ size: 0, chain: CHAIN_START });
    const number = 9_999;
    expect(await stranger.get(`/api/ledger/checkpoint?size=${number}`)).toMatchObject({
      status: 404,
      body: { error: refusalText({ code: 'event-not-found', parameters: { number } }), code: 'event-not-found' },
    });
    for (const size of ['-1', '1.5', 'x'])
      expect((await stranger.get(`/api/ledger/checkpoint?size=${size}`)).status).toBe(400);
  });

  it('of another node has the same hash and the same key', async () => {
    const node = new Visitor((await application.startAnotherNode()).url);
    const key = await keyOf();
    expect(await keyOf(node)).toBe(key);
    const path = `/api/ledger/checkpoint?size=${receipts.bobs.revision + 1}`;
    expect(opened(await done(node.get<string>(path)), key).chain).toBe(receipts.bobs.chain);
  });
});

describe('a receipt', () => {
  it('has the event’s id, chain and revision, also when it is replayed', async () => {
    const { recorded } = await done(stranger.get<LedgerEventProof>(eventPath(receipts.bobs)));
    const { eventId, chain, revision } = receipts.bobs;
    const { id, metadata } = recorded;
    expect({ eventId, chain, revision }).toEqual({ eventId: id, chain: metadata.chain, revision: recorded.revision });
    expect(await buy(bob, 'bobs-key')).toEqual(receipts.bobs);
  });

  it('opens its event, whose chain anyone can recompute, without a login', async () => {
    const { recorded, chainBefore } = await done(stranger.get<LedgerEventProof>(eventPath(receipts.alices)));
    const { id, type, data, metadata } = recorded as unknown as RecordedLedgerEvent & RecordedLedgerEvent['event'];
    expect({ type, data }).toMatchObject({ type: 'TokenPurchased', data: { buyerId: alice.id } });
    expect(chainAfter(chainBefore, id, { type, data } as never, metadata)).toBe(receipts.alices.chain);
  });

  it('opens no other event, and its chain hash, which is public, opens none', async () => {
    const { revision, eventId, chain } = receipts.bobs;
    const refused = { status: 404, body: { code: 'event-not-found' } };
    expect(await stranger.get(`/api/ledger/events/${revision + 1}?id=${eventId}`)).toMatchObject(refused);
    expect(await stranger.get(`/api/ledger/events/9999?id=${eventId}`)).toMatchObject(refused);
    const otherId = receipts.alices.eventId;
    expect(await stranger.get(`/api/ledger/events/${revision}?id=${otherId}`)).toMatchObject(refused);
    expect((await stranger.get(`/api/ledger/events/${revision}?id=${chain}`)).status).toBe(400);
    expect((await stranger.get(`/api/ledger/events/${revision}`)).status).toBe(400);
  });
});

it('everything that was answered makes a proof in which the auditor finds nothing wrong', async () => {
  const receipt = receipts.alices;
  const size = receipt.revision + 1;
  const end = await done(stranger.get<LedgerEventProof>('/api/ledger/rounds/1'));
  const proof: LedgerProofFile = {
    format: 'omni-jackpot proof 1',
    key: await keyOf(),
    receipt,
    event: await done(stranger.get<LedgerEventProof>(eventPath(receipt))),
    checkpoint: await checkpoint(`?size=${size}`),
    roundEnd: { event: end, checkpoint: await checkpoint(`?size=${end.recorded.revision + 1}`) },
  };
  const { holds, findings } = checkProofFile(JSON.stringify(proof));
  expect(findings).toEqual([]);
  expect(holds.at(-1)).toContain(`round 1 was won by ${alice.id}`);
  const other = checkProofFile(JSON.stringify({ ...proof, checkpoint: await checkpoint('?size=1') }));
  expect(other.findings).toHaveLength(1);
});

it('a round’s end names the winner; a round that has not ended has none', async () => {
  const { recorded } = await done(stranger.get<LedgerEventProof>('/api/ledger/rounds/1'));
  const winner = { gamerId: alice.id, purchaseId: receipts.alices.purchaseId };
  expect(recorded).toMatchObject({ type: 'RoundEnded', data: { roundId: 1, winner, jackpotCents: 26 } });
  for (const path of ['/api/ledger/rounds/2', '/api/ledger/rounds/x'])
    expect((await stranger.get(path)).status).toBe(404);
});

describe('a log whose history was replaced', () => {
  let stores: Stores;
  let node: RunningApi;
  let forger: Visitor;

  /** The same ledger with another buyer in Bob's purchase, and a correct chain from there on. */
  beforeAll(async () => {
    stores = await startStores();
    const [honest, forged] = [application.stores, stores].map((one) => new EventLog(one.eventStoreUrl)) as [
      EventLog,
      EventLog,
    ];
    let chain = CHAIN_START;
    for await (const one of honest.readStream('ledger')) {
      const { id, event, metadata, revision } = one as RecordedLedgerEvent;
      if (event.type === 'TokenPurchased' && revision === receipts.bobs.revision) event.data.buyerId = alice.id;
      chain = chainAfter(chain, id, event, metadata);
      await forged.append('ledger', [{ id, event, metadata: { ...metadata, chain } as never }], revision - 1);
    }
    await Promise.all([honest.close(), forged.close()]);
    node = await startApi(stores);
    forger = new Visitor(node.url);
  });

  afterAll(async () => {
    await node?.close();
    await stores?.close();
  });

  it('is contradicted by its own signature', async () => {
    const key = await keyOf(forger);
    expect(key).toBe(await keyOf());
    const { revision, chain } = receipts.bobs;
    const at = (size: number) => `/api/ledger/checkpoint?size=${size}`;
    const before = opened(await done(forger.get<string>(at(revision))), key);
    expect(before.chain).toBe(opened(await checkpoint(`?size=${revision}`), key).chain);
    const signed = opened(await done(forger.get<string>(at(revision + 1))), key);
    expect(signed).toMatchObject({ size: revision + 1 });
    expect(signed.chain).not.toBe(chain);
  });

  it('is noticed by a browser that holds a receipt, or that saw a head of the honest ledger', async () => {
    const start = withReceipt(EMPTY_MEMORY, receipts.bobs);
    const honest = await checked(start, stranger);
    expect(honest).toMatchObject({ alarm: null, checkpoints: { length: 1 }, receipts: [{ note: expect.any(String) }] });
    expect((await checked(honest, stranger)).alarm).toBeNull();
    expect((await checked(honest, forger)).alarm).toMatchObject({ kind: 'contradiction' });
    const { alarm } = await checked(start, forger);
    expect(alarm).toMatchObject({ kind: 'contradiction', size: receipts.bobs.revision + 1 });
  });

  const checked = (memory: LedgerMemory, visitor: Visitor): Promise<LedgerMemory> =>
    checkLedger(memory, { fetchCheckpoint: (size) => fetched(visitor, size), earlier: 4, turn: 0, nowMs: 0 });

  async function fetched(visitor: Visitor, size?: number): Promise<string | null> {
    const answer = await visitor.get<string>(`/api/ledger/checkpoint${size === undefined ? '' : `?size=${size}`}`);
    return answer.status === 404 ? null : answer.body;
  }
});

it('a key that is replaced still signs together with the new one, which the text names', async () => {
  const stores = await startStores();
  const before = 'a secret that only tests know';
  const node = await startApi(stores, {
    LEDGER_SIGNING_SECRET: 'another secret of tests',
    LEDGER_SIGNING_SECRET_BEFORE: before,
  });
  try {
    const visitor = new Visitor(node.url);
    const { keys } = await done(visitor.get<LedgerKeys>('/api/ledger/key'));
    const former = await keyOf();
    expect(keys).toEqual([expect.not.stringContaining(former), former]);
    const { lines } = opened(await done(visitor.get<string>('/api/ledger/checkpoint')), former);
    expect(lines.at(-1)).toBe(`key ${keys[0]}`);
  } finally {
    await node.close();
    await stores.close();
  }
});
