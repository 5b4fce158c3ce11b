/* A logged-in gamer's attacks: concurrent commands, others' ids, odd bodies, cookies and headers, forged sessions, encrypted texts. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Socket } from 'socket.io-client';
import { ERASED_TEXT } from '../../../contracts/encrypted-text.js';
import type { GamerProfile } from '../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import { ok } from '../visitor.js';
import { isAccepted, nextMessage, openSocket, type Person, readAfter, WholeApplication } from '../whole-application.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

const application = WholeApplication.forTests();
const admin = application.adminForTests();
const mallory = application.gamerForTests('mallory');
const victim = application.gamerForTests('victim');

it('concurrent transfers, withdrawals and purchases cannot spend a cent twice', async () => {
  await application.give(mallory, 0, 4_000);
  await ok(admin.visitor.post('/api/admin/game/start-live'));
  const { id, visitor } = mallory;
  const withdrawal = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
  const commands: [path: string, body: object][] = [
    [`/api/gamer/${id}/transfer-to-purchase`, { amountCents: 100 }],
    [`/api/gamer/${id}/withdraw`, withdrawal],
    ['/api/buy-from-balance', { quantity: 1, userId: id }],
  ];
  const done = [0, 0, 0];
  const send = async (index: number) => {
    const [path, body] = commands[index % 3] as (typeof commands)[number];
    if ((await visitor.post(path, body)).status === 200) done[index % 3]! += 1;
  };
  await Promise.all(Array.from({ length: caseCount(60, 200) }, (_, index) => send(index)));
  const [transfers = 0, withdrawals = 0, purchases = 0] = done;
  const later = await application.give(victim, 1);
  const { wallet, balances } = await readAfter<GamerProfile>(visitor, later, `/api/gamer/${id}`);
  expect(balances.currentWinningsCents).toBe(4_000 - 100 * transfers - 1_000 * withdrawals);
  expect(wallet.purchaseBalanceCents).toBe(100 * transfers - 30 * purchases);
  expect(Math.min(balances.currentWinningsCents, wallet.purchaseBalanceCents)).toBeGreaterThanOrEqual(0);
  const { rows } = await application.database.query('SELECT sum(cents)::int AS sum FROM read.journal');
  expect(rows).toEqual([{ sum: 0 }]);
});

describe('another gamer’s identity', () => {
  it('cannot be taken with a forged, truncated, duplicated or malformed cookie', async () => {
    const genuine = victim.visitor.cookie('omni.sid') ?? '';
    const forged = [
      genuine.slice(0, -1),
      `${genuine}x`,
      decodeURIComponent(genuine).replace(/\..*/, '.AAAA'),
      `j%3A${encodeURIComponent(JSON.stringify({ gamerId: victim.id }))}`,
      '%',
      's%3A',
      '__proto__',
      'x'.repeat(3_000),
    ];
    for (const value of forged) {
      const { status, body } = await application
        .visitor({ cookie: `omni.sid=${value}; omni.sid=${value}` })
        .get('/api/auth/status');
      expect([value, status, body]).toEqual([value, 200, { isAuthenticated: false }]);
    }
  });

  it('cannot be taken on a socket with a forged cookie or a claimed id', async () => {
    const { url } = application.api;
    const claims = {
      auth: { gamerId: victim.id, token: victim.id },
      query: { gamerId: victim.id, channel: 'admin' },
    };
    const cookie = `omni.sid=${victim.visitor.cookie('omni.sid')}x`;
    const socket = openSocket(url, { origin: url, cookie }, claims) as Socket;
    const messages: string[] = [];
    socket.onAny((name: string) => messages.push(name));
    await isAccepted(socket);
    socket.emit('join', `gamer:${victim.id}`);
    socket.emit('subscribe', 'admin');
    const victims = await application.socket(victim.visitor);
    const message = nextMessage(victims, 'balanceUpdated');
    await application.give(victim, 100);
    await message;
    await new Promise<void>((resolve) => socket.emit('time:sync', () => resolve()));
    socket.close();
    expect(messages.filter((name) => ['balanceUpdated', 'winnings:updated'].includes(name))).toEqual([]);
  });
});

describe('a request that no browser sends', () => {
  const raw = (message: string): Promise<string> => {
    const { hostname, port } = new URL(application.api.url);
    const socket = connect(Number(port), hostname);
    socket.end(message);
    return text(socket);
  };

  it('with a wrong, doubled or contradictory content length ends only its connection', async () => {
    const { host } = new URL(application.api.url);
    const start = `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
    const smuggled = 'GET /api/admin/profits HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const message of [
      `${start}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}{}{}`,
      `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
      `${start}X-Long: ${'a'.repeat(40_000)}\r\n\r\n`,
    ]) {
      const response = await raw(message);
      expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
    }
    expect((await application.visitor().get('/api/health')).status).toBe(200);
  });

  it('with a foreign Host header is answered without that host', async () => {
    const headers = 'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close';
    const response = await raw(`GET /api/nowhere HTTP/1.1\r\n${headers}\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).not.toContain('evil.example');
  });
});

describe('an encrypted text', () => {
  const SECRET = 'lives in the yellow house';
  const thief = application.gamerForTests('bob');
  let encrypted: string;
  let withdrawals: Record<'victim' | 'thief', string>;

  beforeAll(async () => {
    const ids: string[] = [];
    for (const whom of [victim, thief]) {
      await application.give(whom, 0, 10_000, SECRET);
      const form = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
      const requested = await whom.visitor.post(`/api/gamer/${whom.id}/withdraw`, form);
      ids.push(
        (await readAfter<Withdrawal[]>(whom.visitor, requested, `/api/gamer/${whom.id}/withdrawals`))[0]?.id ?? '',
      );
      const note = { status: 'returned', adminNotes: SECRET };
      const noted = await admin.visitor.put(`/api/admin/withdrawals/${ids.at(-1)}`, note);
      await readAfter(admin.visitor, noted, '/api/admin/withdrawals');
    }
    withdrawals = { victim: ids[0] as string, thief: ids[1] as string };
    for (const { event } of await application.eventsOf(LEDGER_STREAM))
      if (event.type === 'WithdrawalReturned' && event.data.gamerId === victim.id)
        encrypted = event.data.adminNotes ?? '';
    expect(encrypted).toMatch(/^encrypted:1:.+:[\w-]{40,}$/);
  });

  const notesOf = async (whom: Person) =>
    (await whom.visitor.get<Withdrawal[]>(`/api/gamer/${whom.id}/withdrawals`)).body.map(
      ({ adminNotes }) => adminNotes,
    );

  const own = (text: string) => text.replace(victim.id, thief.id);
  it.each<[string, () => string]>([
    ['as another gamer has it', () => encrypted],
    ['for the thief', () => own(encrypted)],
    ['with space before it', () => `\n  ${encrypted}`],
    ['with nothing encrypted in it', () => 'encrypted:1:nobody:'],
    ['that only begins so', () => 'encrypted:1: please read'],
    ['in a long text', () => `${encrypted}${'A'.repeat(1_100)}`],
  ])('is refused by every form when typed, %s', async (_how, text) => {
    const adjust = { purchaseBalanceCents: 1, totalWinningsCents: 0, reason: text() };
    const attempts: [Person, string, string, object][] = [
      [admin, 'POST', `/api/admin/mini/gamers/${thief.id}/adjust`, adjust],
      [admin, 'POST', '/api/admin/game/reset', { reason: text() }],
      [admin, 'PUT', `/api/admin/withdrawals/${withdrawals.thief}`, { status: 'returned', adminNotes: text() }],
      [admin, 'PUT', `/api/admin/withdrawals/${withdrawals.thief}`, { status: 'completed', txid: text() }],
      [admin, 'POST', '/api/admin/reject-deposit', { depositId: 'd', adminNotes: text() }],
      [admin, 'POST', '/api/admin/lookup-payment', { paymentId: '1', gamerTag: 'bob', reason: text() }],
      [thief, 'POST', '/api/support/tickets', { subject: text(), message: 'x' }],
      [thief, 'POST', '/api/community/posts', { message: text() }],
      [thief, 'POST', '/api/anything', { deep: [{ deeper: text() }] }],
    ];
    for (const [{ visitor }, method, path, body] of attempts) {
      const response = await visitor.send<ErrorBody>(method, path, body);
      expect([path, response.status, response.body.code]).toEqual([path, 400, 'reserved-text']);
    }
  });

  it('is refused when typed with escaped letters', async () => {
    const body = `{"message":"\\u0065ncrypted:1:${victim.id}:AAAA"}`;
    const { status, body: refusal } = await thief.visitor.post<ErrorBody>('/api/community/posts', body, {
      'content-type': 'application/json',
    });
    expect([status, refusal.code]).toEqual([400, 'reserved-text']);
  });

  it('is not seen in a text that only mentions the marker', async () => {
    const message = 'My letter was encrypted:1:2 with wax.';
    expect((await thief.visitor.post('/api/community/posts', { gamerId: thief.id, message })).status).toBe(201);
  });

  it('that was put into another gamer’s row reads as erased there, for the gamer and for the admin, and stays readable in its own row', async () => {
    expect([await notesOf(victim), await notesOf(thief)]).toEqual([[SECRET], [SECRET]]);
    await application.database.query('UPDATE read.withdrawals SET admin_notes = $2 WHERE id = $1', [
      withdrawals.thief,
      encrypted,
    ]);
    expect([await notesOf(victim), await notesOf(thief)]).toEqual([[SECRET], [ERASED_TEXT]]);
    const all = (await admin.visitor.get<Withdrawal[]>('/api/admin/withdrawals')).body;
    expect(Object.fromEntries(all.map(({ id, adminNotes }) => [id, adminNotes]))).toMatchObject({
      [withdrawals.victim]: SECRET,
      [withdrawals.thief]: ERASED_TEXT,
    });
  });
});
