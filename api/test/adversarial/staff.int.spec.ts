/* A thief has a staff member's password, session or used code: alone they open nothing, and the trail has it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { base32nopad } from '@scure/base';
import type { AuthStatus, GamerSession } from '../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type {
  EnrolmentResponse,
  RecoveryCodesResponse,
  SecurityEventsResponse,
} from '../../../contracts/http/staff.js';
import { words } from '../../../contracts/words.js';
import { AppModule } from '../../src/app.module.js';
import { SecurityTrail } from '../../src/features/staff/security-trail.store.js';
import { recoverStaff } from '../../src/features/staff/staff-recovery.store.js';
import { routesOf } from '../../src/http/openapi.js';
import { LiveGateway } from '../../src/live/live.gateway.js';
import { SocketSessions } from '../../src/live/socket-sessions.js';
import { Clock } from '../../src/platform/clock.js';
import { ADMIN_PASSWORD } from '../api-under-test.js';
import { moveProofBack, ORIGIN, PROXIED, SESSION_COOKIE, totpCode } from '../second-factor.js';
import { codeOf, Visitor } from '../visitor.js';
import { isAccepted, type LiveSocket, openSocket, WholeApplication } from '../whole-application.js';

const CLIENT = '203.0.113.7';
/** The header that nginx sends. The first address is the client's own claim, and must not be believed. */
const CLAIMING = { ...PROXIED, 'x-forwarded-for': `6.6.6.6, ${CLIENT}` };

const application = WholeApplication.forTests({ PUBLIC_ORIGIN: ORIGIN }, { worker: false });
const { api, stores } = application;
let admin: Visitor;
let adminId: string;
let secret: Buffer;
let recoveryCodes: string[];
/** Added to the time of day, so that each test can have new codes. */
let laterMs = 0;

beforeAll(async () => {
  jest.spyOn(api.app.get(Clock), 'now').mockImplementation(() => Date.now() + laterMs);
});

const visitor = (url = api.url) => new Visitor(url, CLAIMING);
const code = () => totpCode(secret, Date.now() + laterMs);
const newCode = () => {
  laterMs += 60_000;
  return code();
};
const logIn = (more: object = {}, as = visitor()) =>
  as.post<GamerSession & ErrorBody>('/api/login', { username: 'admin', password: ADMIN_PASSWORD, ...more });

const query = (sql: string, ...parameters: unknown[]) => application.database.query(sql, parameters);

async function connect(as: Visitor): Promise<LiveSocket> {
  const socket = openSocket(api.url, { ...CLAIMING, cookie: `${SESSION_COOKIE}=${as.cookie(SESSION_COOKIE)}` });
  expect(await isAccepted(socket)).toBe(true);
  return socket;
}

const socketsOfAdmin = async (): Promise<number> => {
  const { server } = api.app.get(LiveGateway) as unknown as {
    server: { in(name: string): { fetchSockets(): Promise<[]> } };
  };
  return (await server.in('admin').fetchSockets()).length;
};

const trail = async (query = ''): Promise<SecurityEventsResponse> =>
  (await admin.get<SecurityEventsResponse>(`/api/admin/security-events?pageSize=100${query}`)).body;

describe('a staff member without a second factor, on https', () => {
  it('can only enrol one', async () => {
    admin = visitor();
    const { status, body } = await logIn({}, admin);
    expect([status, body.needsSecondFactor]).toEqual([200, true]);
    adminId = body.id;
    expect((await admin.get<AuthStatus>('/api/auth/status')).body).toMatchObject({ needsSecondFactor: true });
    const open = routesOf(AppModule).filter(({ role, path }) => role !== 'visitor' && !path.startsWith('/api/staff/'));
    expect(open.length).toBeGreaterThan(50);
    for (const { method, path } of open) {
      const at = path.replace(/\{\w+\}/g, adminId);
      const response = admin.send<ErrorBody>(method.toUpperCase(), at, method === 'get' ? undefined : {});
      expect([path, await codeOf(response)]).toEqual([path, '403 second-factor-required']);
    }
    const socket = await connect(admin);
    expect(await socketsOfAdmin()).toBe(0);
    socket.close();
  });

  it('enrols with the password and the first code, and gets recovery codes once', async () => {
    const elsewhere = visitor();
    await logIn({}, elsewhere);
    const path = '/api/staff/second-factor';
    expect(await codeOf(admin.post(`${path}/confirm`, { code: '123456' }))).toBe('409 enrolment-not-begun');
    for (const wrong of [{}, { password: 'wrong horse battery' }, { password: [ADMIN_PASSWORD] }, { code: '000000' }])
      expect(await codeOf(admin.post(`${path}/begin`, wrong))).toBe('400 wrong-password');
    const begun = await admin.post<EnrolmentResponse>(`${path}/begin`, { password: ADMIN_PASSWORD });
    secret = Buffer.from(base32nopad.decode(begun.body.secret));
    expect(begun.body.uri).toContain(begun.body.secret);
    const wrong = code() === '000000' ? '111111' : '000000';
    expect(await codeOf(admin.post(`${path}/confirm`, { code: wrong }))).toBe('400 wrong-code');
    const before = admin.cookie(SESSION_COOKIE);
    const confirmed = await admin.post<RecoveryCodesResponse>(`${path}/confirm`, { code: code() });
    recoveryCodes = confirmed.body.recoveryCodes;
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await admin.get('/api/docs-json')).status).toBe(200);
    for (const recoveryCode of recoveryCodes)
      expect(recoveryCode).toMatch(/^([2-9A-HJKMNP-Z]{4}-){5}[2-9A-HJKMNP-Z]{4}$/);
    expect(admin.cookie(SESSION_COOKIE)).not.toBe(before);
    expect((await admin.get('/api/admin/timers')).status).not.toBe(403);
    await application.untilNotified();
    expect(await codeOf(elsewhere.get(path))).toBe('401 not-logged-in');
    const { rows } = await query('SELECT secret FROM auth.second_factors');
    expect(rows[0].secret.includes(secret)).toBe(false);
    const { rows: hashes } = await query('SELECT code_hash FROM auth.recovery_codes');
    expect(hashes).toHaveLength(10);
    const socket = await connect(admin);
    expect(await socketsOfAdmin()).toBe(1);
    socket.close();
  });
});

describe('the password alone', () => {
  it('begins no session', async () => {
    const thief = visitor();
    expect(await codeOf(logIn({}, thief))).toBe('401 second-factor-code-required');
    expect(await codeOf(logIn({ password: 'wrong horse battery', code: newCode() }, thief))).toBe(
      '401 invalid-credentials',
    );
    for (const wrong of ['', '12345', '１２３４５６', 'AAAA-BBBB-CCCC-DDDD', "' OR 1=1 --"])
      expect(await codeOf(logIn({ code: wrong }, thief))).toMatch(/^4\d\d (wrong-code|second-factor-code-required)$/);
    for (const wrong of [7, ['1'], { $gt: '' }, 'x'.repeat(65)])
      expect(await codeOf(logIn({ code: wrong }, thief))).toBe('400 wrong-code');
    expect(thief.cookie(SESSION_COOKIE)).toBeUndefined();
  });

  it('with a recovery code opens once, however it is typed', async () => {
    const [first = ''] = recoveryCodes;
    expect((await logIn({ code: ` ${first.toLowerCase().replaceAll('-', ' ')} ` })).status).toBe(200);
    expect(await codeOf(logIn({ code: first }))).toBe('400 wrong-code');
  });
});

describe('a stolen session', () => {
  /** Calls that move no money, and give nobody rights or another's account. */
  const WITHOUT_STEP_UP = [
    'delete /api/admin/community/posts/{id}',
    'post /api/admin/game/schedule',
    'post /api/admin/game/schedule/cancel',
    'post /api/admin/game/start',
    'post /api/admin/game/start-live',
    'post /api/admin/reject-deposit',
    'post /api/admin/timers',
    'put /api/admin/support/tickets/{id}',
  ];

  it('needs a step-up for every staff command outside WITHOUT_STEP_UP', () => {
    const acts = routesOf(AppModule).filter(({ method, path }) => method !== 'get' && path.startsWith('/api/admin/'));
    const others = acts.filter(({ needsStepUp }) => !needsStepUp).map(({ method, path }) => `${method} ${path}`);
    expect(others.sort()).toEqual(WITHOUT_STEP_UP);
  });

  it('moves no money and makes nobody staff ten minutes after the login', async () => {
    const guarded = routesOf(AppModule).filter(({ needsStepUp }) => needsStepUp);
    await logIn({ code: newCode() }, admin);
    const stolen = admin.at(api.url);
    await moveProofBack(application, admin, 11);
    await application.untilNotified();
    for (const { method, path } of guarded) {
      const response = stolen.send<ErrorBody>(method.toUpperCase(), path.replace('{id}', 'nobody'), {});
      expect([path, await codeOf(response)]).toEqual([path, '403 step-up-required']);
    }
    for (const proof of [{ password: ADMIN_PASSWORD }, { code: '000000' }, {}])
      expect(await codeOf(stolen.post('/api/staff/step-up', proof))).toBe('400 wrong-code');
    expect(await codeOf(stolen.post('/api/staff/second-factor/begin', { password: ADMIN_PASSWORD }))).toBe(
      '403 step-up-required',
    );
    expect(await codeOf(stolen.post('/api/admin/game/reset', {}))).toBe('403 step-up-required');
  });

  it('ends when its owner steps up: the session goes on under another id', async () => {
    const stolen = admin.at(api.url);
    const socket = await connect(stolen);
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    expect((await admin.post('/api/staff/step-up', { code: newCode() })).status).toBe(200);
    await closed;
    expect(await codeOf(admin.post('/api/admin/game/reset', {}))).toBe('400 game-already-idle');
    await application.untilNotified();
    expect(await codeOf(stolen.get('/api/admin/security-events'))).toBe('401 not-logged-in');
  });

  it('gets no socket messages after it has expired', async () => {
    const socket = await connect(admin);
    expect(await socketsOfAdmin()).toBe(1);
    await query('ALTER TABLE auth.sessions DISABLE TRIGGER notify_change');
    await query(`UPDATE auth.sessions SET expire = now() - interval '1 s' WHERE sess->>'gamerId' = $1`, adminId);
    await query('ALTER TABLE auth.sessions ENABLE TRIGGER notify_change');
    await api.app.get(SocketSessions).sweep();
    while (socket.connected) await sleep(20);
    expect(await socketsOfAdmin()).toBe(0);
    await logIn({ code: newCode() }, admin);
  });
});

it('a gamer who becomes staff does nothing as staff with the session and the short password of a gamer', async () => {
  const gamer = visitor();
  const { id } = await application.register('Promoted', null, gamer);
  expect((await admin.post(`/api/admin/mini/gamers/${id}/role`, { role: 'auditor' })).status).toBe(200);
  await application.untilNotified();
  expect(await codeOf(gamer.get('/api/audit/ledger'))).toBe('403 second-factor-required');
  const begin = gamer.post('/api/staff/second-factor/begin', { password: 'open sesame' });
  expect(await codeOf(begin)).toBe('400 staff-password-too-short');
  const set = (password: string) => admin.post(`/api/admin/mini/gamers/${id}/reset-password`, { password });
  expect(await codeOf(set('eleven char'))).toBe('400 staff-password-too-short');
  expect((await set('twelve chars')).status).toBe(200);
  const { events } = await trail('&q=promoted');
  expect(events.map(({ type, actorGamerTag, detail }) => [type, actorGamerTag, detail])).toEqual([
    ['password-set', 'admin', null],
    ['role-changed', 'admin', 'auditor'],
    ['registered', null, null],
  ]);
});

describe('the security trail', () => {
  it('has every attempt, with the address that the trusted proxy saw', async () => {
    const { events } = await trail('&q=admin');
    const types = new Set(events.map(({ type }) => type));
    const tried = words(
      'logged-in code-required code-failed login-failed step-up-failed stepped-up second-factor-enrolled',
    );
    expect(tried.filter((type) => !types.has(type as never))).toEqual([]);
    expect(new Set(events.map(({ address }) => address))).toEqual(new Set([CLIENT]));
    expect((await trail('&q=6.6.6.6')).total).toBe(0);
    expect((await trail('&q=203.0.113.')).total).toBe((await trail()).total);
    expect((await trail(`&q=${encodeURIComponent("%' OR 1=1 --")}`)).total).toBe(0);
  });

  it('has no text that somebody typed, such as a password in the wrong field', async () => {
    await visitor().post('/api/login', { username: ADMIN_PASSWORD, password: 'admin' });
    expect((await trail()).events[0]).toMatchObject({ type: 'login-failed', gamerTag: null });
    const { rows } = await query('SELECT * FROM auth.security_events');
    expect(JSON.stringify(rows)).not.toContain(ADMIN_PASSWORD);
  });

  it('forgets a deleted gamer, and everything after 90 days', async () => {
    const { id } = await application.register('Leaving', null, visitor());
    expect((await trail('&q=leaving')).total).toBe(1);
    await query('DELETE FROM auth.accounts WHERE gamer_id = $1', id);
    const { rows } = await query('SELECT 1 FROM auth.security_events WHERE gamer_id = $1', id);
    expect(rows).toEqual([]);
    await query(`UPDATE auth.security_events SET at = at - interval '90 days 1 hour' WHERE type = 'logged-in'`);
    const others = (await trail()).events.filter(({ type }) => type !== 'logged-in');
    laterMs += 1;
    await api.app.get(SecurityTrail).record({ type: 'stepped-up', gamerId: null, address: '127.0.0.1' });
    expect((await trail()).events).toMatchObject([{ type: 'stepped-up' }, ...others]);
  });
});

describe('the command that recovers a staff member', () => {
  const recover = (gamerTag: string) =>
    recoverStaff({ databaseUrl: stores.databaseUrl, linkOrigin: ORIGIN }, gamerTag, new Date(Date.now() + laterMs));

  it('works for staff only', async () => {
    await application.register('Plain', null, visitor());
    await expect(recover('Plain')).rejects.toThrow('No staff member is called Plain.');
    await expect(recover('Nobody')).rejects.toThrow('No staff member is called Nobody.');
  });

  it('ends the sessions and the second factor, and gives a link for a new password', async () => {
    const token = new URL(await recover('ADMIN')).searchParams.get('token');
    await application.untilNotified();
    expect(await codeOf(admin.get('/api/admin/security-events'))).toBe('401 not-logged-in');
    const reset = (newPassword: string) =>
      visitor().post<ErrorBody>('/api/reset-password', { token, newPassword, confirmPassword: newPassword });
    expect(await codeOf(reset('eleven char'))).toBe('400 staff-password-too-short');
    expect((await reset('a new pass phrase')).status).toBe(200);
    const back = await logIn({ password: 'a new pass phrase' }, admin);
    expect([back.status, back.body.needsSecondFactor]).toEqual([200, true]);
    expect(
      (await query(`SELECT type FROM auth.security_events WHERE type IN ('recovered', 'password-reset')`)).rows,
    ).toHaveLength(2);
  });
});
