/* After a gamer's deletion and the scavenge no file and no table of a data folder holds any text that the gamer wrote. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, escapeIdentifier } from 'pg';
import type { CommunityPost } from '../../contracts/http/community.js';
import type { LookupPaymentResponse, PendingDeposit } from '../../contracts/http/deposits.js';
import type { GamerProfile, GamerSession } from '../../contracts/http/gamers.js';
import type { InvoiceResponse, PaymentStatusResponse } from '../../contracts/http/payments.js';
import type { PurchaseReceipt } from '../../contracts/http/purchases.js';
import type { SupportTicket } from '../../contracts/http/support.js';
import type { Withdrawal } from '../../contracts/http/withdrawals.js';
import { until } from '../../contracts/testing/until.js';
import { builtFile } from '../../embedded/launcher/built-files.js';
import { type Application, launch } from '../../embedded/launcher/launch.js';
import { Payer } from './payer.js';
import { ok, Visitor } from './visitor.js';
import { type Person, readAfter } from './whole-application.js';

// Generous, for slow machines.
jest.setTimeout(300_000);

const ADMIN_PASSWORD = 'the admin of a data folder';
const PASSWORD = 'open sesame, erasure';

/** The texts that must be gone. Each is unlike any other text. */
const TEXTS = {
  tag: 'zq7-first-tag',
  newTag: 'zq7-second-tag',
  email: 'zq7-first-mail@example.com',
  newEmail: 'zq7-second-mail@example.com',
  post: 'zq7 published this post',
  hidden: 'zq7 hid this post',
  subject: 'zq7 has a subject',
  message: 'zq7 has a question',
  ticketNotes: 'zq7 got an answer',
  ticketContinued: 'zq8 asks once more',
  savedAddress: 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L',
  payoutAddress: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  reason: 'zq7 was adjusted',
  processing: 'zq7 is being paid',
  completed: 'zq7 has been paid',
  txid: 'zq7-transaction-id',
  returned: 'zq7 was not paid',
  rejected: 'zq7 paid too little',
  reassigned: 'zq7 paid for a friend',
  browser: 'zq7-browser',
} as const;

let folder: string;
let application: Application;
let admin: Visitor;
let gamer: Person;
let payer: Payer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omni-erasure-'));
  application = await launch({
    dataDir: folder,
    port: 0,
    env: { ADMIN_PASSWORD, RATE_LIMITS: 'off', LOG_LEVEL: 'debug' },
  });
  admin = (await logIn('admin', ADMIN_PASSWORD)).visitor;
  const { paymentsUrl: url = '', practiceToken: token } = application;
  payer = new Payer({ url, apiUrl: `${url}/v1`, token });
  await payer.changeSettings({ stepMs: 5 });
});

afterAll(async () => {
  await application?.stop();
  for (const used of application?.dataFolders ?? [folder]) rmSync(used, { recursive: true, force: true });
});

async function logIn(username: string, password: string) {
  const visitor = new Visitor(application.url);
  const { status, body } = await visitor.post<GamerSession>('/api/login', { username, password });
  expect(status).toBe(200);
  return { ...body, visitor };
}

async function deposit(action: 'pay' | 'underpay', wanted: PaymentStatusResponse['status']): Promise<void> {
  const request = { userId: gamer.id, currency: 'LTC', amount: 50 };
  const { body } = await ok(gamer.visitor.post<InvoiceResponse>('/api/create-deposit-invoice', request));
  await payer.act((await payer.first(body.orderId)).id, action);
  await until(async () => {
    const response = await gamer.visitor.get<PaymentStatusResponse>(`/api/payments/${body.orderId}`);
    return response.body.status === wanted || undefined;
  });
}

/** Requests a withdrawal and settles it; returns what the gamer then sees. */
async function withdraw(...updates: object[]): Promise<Withdrawal | undefined> {
  const form = { cryptoType: 'BTC', walletAddress: TEXTS.payoutAddress, amountCents: 1_000 };
  let last = await ok(gamer.visitor.post(`/api/gamer/${gamer.id}/withdraw`, form));
  const [requested] = await readAfter<Withdrawal[]>(admin, last, '/api/admin/withdrawals');
  expect(requested?.walletAddress).toBe(TEXTS.payoutAddress);
  for (const update of updates) last = await ok(admin.put(`/api/admin/withdrawals/${requested?.id}`, update));
  return (await readAfter<Withdrawal[]>(gamer.visitor, last, `/api/gamer/${gamer.id}/withdrawals`))[0];
}

/** A text as it may stand in a file or a column: itself, in hexadecimal, or in base64 at each of the three offsets. */
function encodingsOf(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${'x'.repeat(offset)}${text}`).toString('base64');
    // The first and last characters also encode their neighbours.
    return encoded.slice(4, -4);
  });
  return [text, Buffer.from(text).toString('hex'), ...base64];
}

/** `grep` reads a data folder in a tenth of the time that Node takes. */
function inFiles(texts: readonly string[], folder: string): string[] {
  const patterns = texts.flatMap((text) => encodingsOf(text).flatMap((encoded) => ['-e', encoded]));
  const options = { encoding: 'latin1', env: { ...process.env, LC_ALL: 'C' }, maxBuffer: 1e9 } as const;
  const { stdout, error } = spawnSync('grep', ['-rsaioF', ...patterns, folder], options);
  if (error) throw error;
  const places = stdout.split('\n').flatMap((line) => {
    const [, path, found = ''] = /^(.+):(.+)$/.exec(line.toLowerCase()) ?? [];
    const isFound = (text: string) => encodingsOf(text).some((encoded) => encoded.toLowerCase() === found);
    return texts.filter(isFound).map((text) => `${path}: ${text}`);
  });
  return [...new Set(places)];
}

async function inTables(texts: readonly string[], databaseUrl: string): Promise<string[]> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows: tables } = await database.query<{ schema: string; name: string }>(
      `SELECT schemaname AS schema, relname AS name FROM pg_stat_user_tables
       UNION SELECT 'pg_catalog', 'pg_statistic'`,
    );
    const places: string[] = [];
    for (const { schema, name } of tables) {
      for (const text of texts) {
        const patterns = encodingsOf(text).map((encoded) => `%${encoded}%`);
        const { rowCount } = await database.query(
          `SELECT FROM ${escapeIdentifier(schema)}.${escapeIdentifier(name)} AS r WHERE r::text ILIKE ANY ($1) LIMIT 1`,
          [patterns],
        );
        if (rowCount !== 0) places.push(`${schema}.${name}: ${text}`);
      }
    }
    return places;
  } finally {
    await database.end();
  }
}

/** Runs a statement. Returns how many rows it read or changed. */
async function rowCountOf(databaseUrl: string, statement: string): Promise<number> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    return (await database.query(statement)).rowCount ?? 0;
  } finally {
    await database.end();
  }
}

const command = (script: string, ...more: string[]) =>
  promisify(execFile)(process.execPath, [builtFile(script), ...more], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: application.databaseUrl,
      ...(!script.includes('scavenge') && { EVENT_STORE_URL: application.eventStoreUrl }),
    },
  });

const eventsUrl = () => application.databaseUrl.replace(/omni$/, 'omni_events');
const findTexts = async () => {
  const texts = Object.values(TEXTS);
  const places = application.dataFolders.flatMap((used) => inFiles(texts, used));
  for (const url of [application.databaseUrl, eventsUrl()]) places.push(...(await inTables(texts, url)));
  return places;
};

it('stores a gamer’s texts in the data folder', async () => {
  const visitor = new Visitor(application.url);
  const body = { username: TEXTS.tag, email: TEXTS.email, password: PASSWORD, referralCode: null };
  gamer = { ...(await ok(visitor.post<GamerSession>('/api/register', body))).body, visitor };
  const own = `/api/gamer/${gamer.id}`;
  await visitor.post('/api/login', { username: TEXTS.tag, password: 'wrong' });
  await ok(visitor.post('/api/request-password-reset', { gamerTag: TEXTS.tag, email: TEXTS.email }));
  await ok(visitor.post(`${own}/crypto-wallets`, { cryptoType: 'DOGE', walletAddress: TEXTS.savedAddress }));

  await ok(visitor.post('/api/community/posts', { gamerId: gamer.id, message: TEXTS.post }));
  const posted = await ok(visitor.post('/api/community/posts', { gamerId: gamer.id, message: TEXTS.post }));
  const posts = await readAfter<CommunityPost[]>(visitor, posted, '/api/community/posts');
  await ok(admin.send('DELETE', `/api/admin/community/posts/${posts[0]?.id}`, { reason: TEXTS.hidden }));
  const ticket = { gamerId: gamer.id, subject: TEXTS.subject, message: `"${TEXTS.message}"` };
  const opened = await ok(visitor.post('/api/support/tickets', ticket));
  const [{ id: ticketId } = { id: '' }] = await readAfter<SupportTicket[]>(visitor, opened, '/api/support/tickets');
  const update = { status: 'closed', adminNotes: TEXTS.ticketNotes };
  await ok(admin.put(`/api/admin/support/tickets/${ticketId}`, update));
  await ok(visitor.post(`/api/support/tickets/${ticketId}/messages`, { message: TEXTS.ticketContinued }));

  await deposit('pay', 'settled');
  await deposit('underpay', 'review');
  const { body: pending } = await admin.get<PendingDeposit[]>('/api/admin/deposits/pending');
  const rejection = { depositId: pending[0]?.id, adminNotes: TEXTS.rejected };
  await ok(admin.post('/api/admin/reject-deposit', rejection));
  await deposit('underpay', 'review');
  const [taken] = (await admin.get<PendingDeposit[]>('/api/admin/deposits/pending')).body;
  const friend = { username: 'friend', email: 'friend@example.com', password: PASSWORD, referralCode: null };
  await ok(new Visitor(application.url).post('/api/register', friend));
  const lookup = { paymentId: taken?.paymentId, gamerTag: 'friend', reason: TEXTS.reassigned };
  const credited = await ok(admin.post<LookupPaymentResponse>('/api/admin/lookup-payment', lookup));
  expect(credited.body).toMatchObject({ success: true });
  const adjustment = { purchaseBalanceCents: 100, totalWinningsCents: 5_000, reason: TEXTS.reason };
  await ok(admin.post(`/api/admin/mini/gamers/${gamer.id}/adjust`, adjustment));
  expect(
    await withdraw(
      { status: 'processing', adminNotes: TEXTS.processing },
      { status: 'completed', adminNotes: TEXTS.completed, txid: TEXTS.txid },
    ),
  ).toMatchObject({ walletAddress: TEXTS.payoutAddress, adminNotes: TEXTS.completed, txid: TEXTS.txid });
  expect(await withdraw({ status: 'returned', adminNotes: TEXTS.returned })).toMatchObject({
    walletAddress: TEXTS.payoutAddress,
    adminNotes: TEXTS.returned,
    status: 'returned',
  });

  await ok(admin.post('/api/admin/game/start-live'));
  await ok(visitor.post<PurchaseReceipt>('/api/buy-from-balance', { quantity: 3, userId: gamer.id }));
  await ok(admin.post('/api/admin/game/reset', { reason: 'A test' }));
  // No round goes live any more, so nothing is sent there.
  const endpoint = `https://fcm.googleapis.com/fcm/send/${TEXTS.browser}`;
  await ok(visitor.put('/api/reminders', { endpoint, p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }));
  const renamed = { gamerTag: TEXTS.newTag, email: TEXTS.newEmail };
  await ok(admin.patch(`/api/admin/mini/gamers/${gamer.id}/profile`, renamed));
  await ok(visitor.post('/api/request-password-reset', renamed));
  await ok(visitor.post(`${own}/exclusion`, { kind: 'time-out', days: 1 }));
  const { body: profile } = await visitor.get<GamerProfile>(own);
  await new Visitor(application.url).get(`/api/ref/${profile.refCode}`);
  await admin.get(`/api/admin/mini/gamers?q=${TEXTS.newTag}`);
  await admin.get(`/api/audit/statements?account=winnings&gamer=${TEXTS.newTag}`);
  await admin.get(`/api/audit/ledger?find=${TEXTS.payoutAddress}`);

  const seen = (await findTexts()).map((place) => place.slice(place.lastIndexOf(': ') + 2));
  // Only these four must be readable before the deletion: the others are encrypted wherever they are stored.
  expect([...new Set(seen)]).toEqual(expect.arrayContaining([TEXTS.tag, TEXTS.newEmail, TEXTS.post, TEXTS.message]));
});

it('removes a gamer’s texts by deletion and scavenge, and the ledger still verifies', async () => {
  expect((await admin.delete(`/api/admin/gamers/${gamer.id}`)).status).toBe(200);
  // The last step waits for requests on other nodes.
  const { databaseUrl } = application;
  expect(await rowCountOf(databaseUrl, `UPDATE auth.removals SET begun_at = begun_at - interval '20 s'`)).toBe(1);
  await until(async () => (await rowCountOf(databaseUrl, 'SELECT FROM auth.removals')) === 0);
  await command('embedded/launcher/scavenge.js');
  expect(await findTexts()).toEqual([]);
  await command('audit/main.js', 'verify');
  await command('projections/src/compare.js', 'all');
  const { body: withdrawals } = await admin.get<Withdrawal[]>('/api/admin/withdrawals');
  expect(withdrawals.map(({ walletAddress, adminNotes, txid }) => [walletAddress, adminNotes, txid])).toEqual([
    ['erased', 'erased', null],
    ['erased', 'erased', 'erased'],
  ]);
});
