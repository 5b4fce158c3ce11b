/* A logged-in gamer's attacks: concurrent commands, others' ids, odd bodies, cookies and headers, forged sessions. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { io } from 'socket.io-client';
import type { GamerProfile } from '../../../contracts/http/gamers.js';
import { SOCKET_PATH } from '../../../contracts/live.js';
import { caseCount } from '../../../contracts/testing/case-count.js';
import type { ApiResponse } from '../visitor.js';
import { nextMessage, readAfter, WholeApplication } from '../whole-application.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const AT_ONCE = caseCount(60, 200);

const application = WholeApplication.forTests();
const admin = application.adminForTests();
const mallory = application.gamerForTests('mallory');
const victim = application.gamerForTests('victim');

const withdrawal = (amountCents: number) => ({ cryptoType: 'BTC', walletAddress: BITCOIN, amountCents });

const atOnce = <T>(send: (index: number) => Promise<ApiResponse<T>>): Promise<ApiResponse<T>[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(index)));

const succeeded = (responses: ApiResponse<unknown>[]) => responses.filter(({ status }) => status === 200);

const latest = (responses: ApiResponse<unknown>[]): ApiResponse<unknown> =>
  responses.reduce((one, other) => (positionOf(other) > positionOf(one) ? other : one));
const positionOf = ({ headers }: ApiResponse<unknown>): bigint => BigInt(headers.get('x-position') ?? 0);

const cents = async (after: ApiResponse<unknown>) => {
  const profile = await readAfter<GamerProfile>(mallory.visitor, after, `/api/gamer/${mallory.id}`);
  return [profile.wallet.purchaseBalanceCents, profile.balances.currentWinningsCents];
};

describe('concurrent commands', () => {
  it('withdraw once with one idempotency key', async () => {
    await application.give(mallory, 0, 5_000);
    const key = { 'idempotency-key': 'double-click' };
    const responses = await atOnce(() =>
      mallory.visitor.post(`/api/gamer/${mallory.id}/withdraw`, withdrawal(1_000), key),
    );
    expect(succeeded(responses)).toHaveLength(AT_ONCE);
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    expect(await cents(latest(responses))).toEqual([0, 4_000]);
  });

  it('cannot spend a cent twice by transfers, withdrawals and purchases', async () => {
    expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
    const { id, visitor } = mallory;
    const responses = await atOnce<unknown>((index) => {
      if (index % 3 === 0) return visitor.post(`/api/gamer/${id}/transfer-to-purchase`, { amountCents: 100 });
      if (index % 3 === 1) return visitor.post(`/api/gamer/${id}/withdraw`, withdrawal(1_000));
      return visitor.post('/api/buy-from-balance', { quantity: 1, userId: id });
    });
    const count = (kind: number) => succeeded(responses.filter((_, index) => index % 3 === kind)).length;
    const [transfers, withdrawals, purchases] = [count(0), count(1), count(2)];
    const [purchase = -1, winnings = -1] = await cents(latest(succeeded(responses)));
    expect(winnings).toBe(4_000 - 100 * transfers - 1_000 * withdrawals);
    expect(purchase).toBe(100 * transfers - 30 * purchases);
    expect([purchase >= 0, winnings >= 0]).toEqual([true, true]);
    const { rows } = await application.database.query('SELECT sum(cents)::int AS sum FROM read.journal');
    expect(rows).toEqual([{ sum: 0 }]);
  });
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
    const socket = io(url, {
      path: SOCKET_PATH,
      auth: { gamerId: victim.id, token: victim.id },
      query: { gamerId: victim.id, channel: 'admin' },
      extraHeaders: { origin: url, cookie: `omni.sid=${victim.visitor.cookie('omni.sid')}x` },
      reconnection: false,
      forceNew: true,
    });
    const messages: string[] = [];
    socket.onAny((name: string) => messages.push(name));
    await new Promise<void>((resolve) => socket.once('state:update', () => resolve()));
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
