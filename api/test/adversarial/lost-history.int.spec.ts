/* The log is restored from a random earlier point, with payouts in flight: the operator brings it back or accepts the loss. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBase58check } from '@scure/base';
import { Client, Pool } from 'pg';
import { verify } from '../../../audit/replay/verify.js';
import type { HeldPayoutsResponse } from '../../../contracts/http/history-loss.js';
import type { LedgerKeys } from '../../../contracts/http/receipts.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { caseCount, givenSeed } from '../../../contracts/testing/case-count.js';
import { until } from '../../../contracts/testing/until.js';
import { parseSignedHead } from '../../../contracts/transparency/signed-head.js';
import { toBase64 } from '../../../contracts/transparency/signed-note.js';
import { startEventStore } from '../../../embedded/event-store/start-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../../embedded/postgres/testing/test-database.js';
import { EventLog } from '../../../event-log/event-log.js';
import { Enrolment } from '../../src/features/gamers/enrolment.store.js';
import { HeadSigner } from '../../src/features/receipts/head-signer.js';
import { acceptLoss, lastSignedHead } from '../../src/ledger/history-loss.store.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { isOutage } from '../../src/platform/failures.js';
import { type RunningApi, type Stores, startApi } from '../api-under-test.js';
import { type EmbeddedPayments, Payer, startGateway } from '../payer.js';
import { seededRandom } from '../seeded-random.js';
import { Visitor } from '../visitor.js';
import { type Person, settingsOf, WholeApplication } from '../whole-application.js';

const ROUNDS = caseCount(2, 200);
const SEED = givenSeed ?? Date.now();

jest.setTimeout(120_000 + ROUNDS * 60_000);

/** Both stores. The log can be set back to an earlier state, as by an older backup, and brought back. */
class RestorableStores implements Stores {
  private constructor(
    private readonly tables: TestDatabase,
    private readonly events: TestDatabase,
    private running: Awaited<ReturnType<typeof startEventStore>>,
  ) {}

  static async start(): Promise<RestorableStores> {
    const [tables, events] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    return new RestorableStores(tables, events, await startEventStore({ databaseUrl: events.url }));
  }

  get databaseUrl(): string {
    return this.tables.url;
  }

  get eventStoreUrl(): string {
    return this.running.connectionString;
  }

  /** The state that a backup of the log would have now. */
  async backUp(): Promise<string> {
    return this.onLog(async (client) => {
      const { rows } = await client.query<{ position: string }>('SELECT max(position) AS position FROM runs');
      return rows[0]!.position;
    });
  }

  /** Sets the log back to a backup. */
  async restore(backup: string): Promise<void> {
    const keep = 'DROP TABLE IF EXISTS later; CREATE TABLE later AS SELECT * FROM runs WHERE position > $';
    await this.whileStopped(`${keep}; DELETE FROM runs WHERE position > $`, backup);
  }

  /** Undoes the last `restore`, if nothing was written since. */
  async bringBack(): Promise<void> {
    await this.whileStopped('INSERT INTO runs SELECT * FROM later; DROP TABLE later', '');
  }

  async close(): Promise<void> {
    await this.running.close();
    await Promise.all([this.tables.drop(), this.events.drop()]);
  }

  private async whileStopped(sql: string, position: string): Promise<void> {
    const { port } = this.running;
    await this.running.close();
    await this.onLog((client) => client.query(sql.replaceAll('$', position)));
    this.running = await startEventStore({ databaseUrl: this.events.url, port });
  }

  private async onLog<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.events.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

let stores: RestorableStores;
let pool: Pool;
let application: WholeApplication;
let admin: Person;
let alice: Person;
let bob: Person;
let gateway: EmbeddedPayments;
let payer: Payer;
/** How often each payout address was paid: each withdrawal has one of its own. */
const paid = new Map<string, number>();
/** The roots of all heads that were ever signed, by origin and size. */
const roots = new Map<string, string>();
let accepted = 0;

beforeAll(async () => {
  stores = await RestorableStores.start();
  gateway = await startGateway();
  payer = new Payer(gateway);
  pool = new Pool({ connectionString: stores.databaseUrl });
  await start();
  admin = await application.admin();
  alice = await application.register('alice');
  bob = await application.register('bob');
  await application.give(alice, 9_000_000, 9_000_000);
  await application.give(bob, 9_000_000);
});

afterAll(async () => {
  await application.close();
  await gateway.close();
  await pool.end();
  await stores.close();
});

async function start(): Promise<void> {
  const { databaseUrl, eventStoreUrl } = stores;
  const opened = () => ({ databaseUrl, eventStoreUrl, close: async () => {} });
  application = await WholeApplication.start(settingsOf(gateway), { stores: opened });
}

const at = (person: Person, { url }: { url: string } = application.api): Visitor => person.visitor.at(url);
const buy = (person: Person, api?: RunningApi) =>
  at(person, api).post('/api/buy-from-balance', { quantity: 1, userId: person.id });
const health = ({ url }: RunningApi) => new Visitor(url).get<{ checks: { signedHeads: string } }>('/api/health');

async function keepHeads(): Promise<void> {
  const { rows } = await pool.query<{ note: string }>('SELECT note FROM ledger.signed_heads');
  for (const { origin, size, root } of rows.map(({ note }) => parseSignedHead(note))) {
    const name = `${origin} ${size}`;
    expect([name, roots.get(name) ?? toBase64(root)]).toEqual([name, toBase64(root)]);
    roots.set(name, toBase64(root));
  }
}

/** Signs a head with all present events. Nothing is signed while the tiles are behind or a store is busy. */
async function signHead(): Promise<void> {
  const { size } = application.api.app.get(Ledger).head.tree;
  const signer = application.api.app.get(HeadSigner);
  await until(async () => {
    await signer.sign().catch((error) => {
      if (!isOutage(error)) throw error;
    });
    return ((await lastSignedHead(pool))?.size ?? 0) >= size;
  });
}

const payoutAddress = (): string => createBase58check(sha256).encode(Uint8Array.of(0, ...randomBytes(20)));
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** The position of the newest update, after which a list is to be read. */
let updatedAt: string | null = null;

async function updateWithdrawal(id: string, body: object): Promise<boolean> {
  const { status, headers } = await at(admin).command('PUT', `/api/admin/withdrawals/${id}`, body);
  updatedAt = headers.get('x-position') ?? updatedAt;
  return status === 200;
}

/** A cashier: pays each withdrawal that the admin panel lists, at the gateway, and then completes it. */
async function payAll(): Promise<void> {
  const { body: listed } = await at(admin).get<Withdrawal[]>(
    '/api/admin/withdrawals?listed=pending',
    updatedAt === null ? {} : { 'x-after-position': updatedAt },
  );
  for (const { id, status, walletAddress } of listed) {
    if (status === 'pending' && !(await updateWithdrawal(id, { status: 'processing' }))) continue;
    const hash = randomBytes(16).toString('hex');
    await payer.payOut({ address: walletAddress, hash });
    paid.set(walletAddress, (paid.get(walletAddress) ?? 0) + 1);
    expect(await updateWithdrawal(id, { status: 'completed', txid: hash })).toBe(true);
  }
}

/** Buys, registers, withdraws and pays, takes a backup in the midst of it, goes on, and signs. */
async function playWithBackup(round: number, random: () => number) {
  await at(admin).post('/api/admin/game/start-live');
  let isPlaying = true;
  const whilePlaying = async (act: () => Promise<unknown>) => {
    while (isPlaying) await act();
  };
  const buying = [alice, bob].map((person) =>
    whilePlaying(async () => {
      const bought = { quantity: 1, userId: person.id };
      expect((await at(person).command('POST', '/api/buy-from-balance', bought)).status).toBe(200);
    }),
  );
  const withdrawing = whilePlaying(async () => {
    const request = { cryptoType: 'BTC', walletAddress: payoutAddress(), amountCents: 1_000 };
    expect((await at(alice).command('POST', `/api/gamer/${alice.id}/withdraw`, request)).status).toBe(200);
    await sleep(100);
  });
  const playing = Promise.all([...buying, withdrawing, whilePlaying(payAll)]);
  await sleep(random() * 500);
  const backup = await stores.backUp();
  const [guest] = await Promise.all([application.register(`guest${round}`), sleep(random() * 500)]);
  await signHead();
  isPlaying = false;
  await playing;
  await keepHeads();
  return { backup, guest };
}

/** Does an admin's work after a loss: completes paid withdrawals, and settles payouts that no withdrawal names. */
async function settleDifferences(): Promise<void> {
  await until(async () => {
    const { status, body } = await at(admin).get<HeldPayoutsResponse>('/api/admin/losses/payouts');
    // The tables may still be built.
    if (status === 503) return false;
    expect([status, body]).toEqual([200, expect.anything()]);
    for (const { id, txid, withdrawal } of body.differences) {
      // The list may be seconds old, and the withdrawal completed already.
      if (withdrawal) await updateWithdrawal(withdrawal.id, { status: 'completed', txid });
      else {
        const settle = `/api/admin/losses/payouts/${id}/settle`;
        expect((await at(admin).post(settle, { notes: 'its request is lost' })).status).not.toBe(403);
      }
    }
    return body.loss === null;
  });
}

it(`signs no two histories under one name, and pays nothing twice (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { backup, guest } = await playWithBackup(round, random);
    await application.close();
    updatedAt = null;
    const signed = await lastSignedHead(pool);
    await stores.restore(backup);

    const fenced = await startApi(stores, settingsOf(gateway));
    expect(await health(fenced)).toMatchObject({ status: 503 });
    expect((await buy(bob, fenced)).status).toBe(503);
    await expect(fenced.app.get(HeadSigner).sign()).resolves.toBeUndefined();
    await fenced.close();
    expect((await lastSignedHead(pool))?.note).toBe(signed?.note);

    if (round % 2 === 0) await stores.bringBack();
    else {
      const log = new EventLog(stores.eventStoreUrl);
      const left = await log.headRevision('ledger');
      // Sometimes Postgres was restored as well, and the operator gives a head that somebody kept.
      const isKept = random() < 0.5;
      if (isKept) await pool.query('DELETE FROM ledger.signed_heads WHERE size > $1', [left + 1]);
      const lost = {
        signedSize: signed?.size ?? 0,
        logSize: left + 1,
        note: isKept ? (signed?.note ?? null) : null,
        acceptedBy: 'Ada',
        reason: `backup of round ${round}`,
      };
      await acceptLoss(stores.databaseUrl, log, lost);
      await log.close();
      await pool.query('DROP SCHEMA read CASCADE');
      accepted += 1;
    }
    await start();
    await until(async () => (await health(application.api)).status === 200);
    // Settling a payout needs a login of the last ten minutes.
    admin = await application.admin();
    await signHead();
    await keepHeads();
    await settleDifferences();
    // Also a gamer whose enrolment was lost: a sweep, which comes every minute, enrols them again.
    await application.api.app.get(Enrolment).sweep();
    await application.give(guest, 30);
  }
  const { body } = await application.visitor().get<LedgerKeys>('/api/ledger/key');
  expect(body.losses).toHaveLength(accepted);
  await payAll();
  expect(paid.size).toBeGreaterThan(0);
  expect([...paid].filter(([, times]) => times > 1)).toEqual([]);

  const log = new EventLog(stores.eventStoreUrl);
  const { findings, losses } = await verify(log, null);
  await log.close();
  expect([findings, losses.length]).toEqual([[], accepted]);
});
