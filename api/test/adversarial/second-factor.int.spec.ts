/* A thief guesses codes on several nodes and places, races with one, stretches a proof to other sessions, or has a mailed link. */
import type { AuthStatus, GamerSession } from '../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import { Clock } from '../../src/platform/clock.js';
import { ADMIN_PASSWORD, type RunningApi } from '../api-under-test.js';
import { mailedToken } from '../mails.js';
import { ENROL, enrol, moveProofBack, ORIGIN, PROXIED, SESSION_COOKIE, sidOf, totpCode } from '../second-factor.js';
import { codeOf, Visitor } from '../visitor.js';
import { WholeApplication } from '../whole-application.js';

const STEP_UP = '/api/staff/step-up';
const GAMER_PASSWORD = 'a gamers long password';
const THIEFS_PASSWORD = 'the password of a thief';
const WRONG_CODE = 'AAAA';

const application = WholeApplication.forTests({ PUBLIC_ORIGIN: ORIGIN }, { worker: false, mail: true });
const nodes = [application.api, application.anotherNodeForTests({ PUBLIC_ORIGIN: ORIGIN })] as const;
let admin: Visitor;
let secret: Buffer;
let recoveryCodes: string[];
let laterMs = 0;

beforeAll(async () => {
  for (const node of nodes) setClock(node);
  admin = visitor();
  await logIn({}, admin);
  ({ secret, recoveryCodes } = await enrol(admin, ADMIN_PASSWORD, later()));
});

const setClock = ({ app }: RunningApi) =>
  jest.spyOn(app.get(Clock), 'now').mockImplementation(() => Date.now() + laterMs);

async function startLimitedNode(): Promise<RunningApi> {
  const node = await application.startAnotherNode({ PUBLIC_ORIGIN: ORIGIN, RATE_LIMITS: 'on' });
  setClock(node);
  return node;
}

const visitor = (node: RunningApi = nodes[0]) => new Visitor(node.url, PROXIED);

/** A minute later than before: each code works once. */
function later(): number {
  laterMs += 60_000;
  return Date.now() + laterMs;
}

const newCode = (of = secret) => totpCode(of, later());

const logIn = (more: object = {}, as = visitor()) =>
  as.post<GamerSession & ErrorBody>('/api/login', { username: 'admin', password: ADMIN_PASSWORD, ...more });

/** A session of the admin that has just proved the second factor, for use on a node. */
async function adminSession(node?: RunningApi): Promise<Visitor> {
  const as = visitor();
  expect((await logIn({ code: newCode() }, as)).status).toBe(200);
  return as.at((node ?? nodes[0]).url);
}

const emailOf = (gamerTag: string) => `${gamerTag}@example.com`;

async function register(username: string): Promise<{ id: string; as: Visitor }> {
  const as = visitor();
  const form = { username, email: emailOf(username), password: GAMER_PASSWORD };
  return { id: (await as.post<GamerSession>('/api/register', form)).body.id, as };
}

const setRole = async (by: Visitor, id: string, role: string, powers?: string[]) =>
  expect((await by.post(`/api/admin/mini/gamers/${id}/role`, { role, powers })).status).toBe(200);

async function timesOf(of: Visitor) {
  const times = 'SELECT proved_at, ends_at, begun_at FROM auth.sessions WHERE sid = $1';
  return (await application.database.query(times, [sidOf(of)])).rows[0];
}

const count = (outcomes: readonly string[], one: string) => outcomes.filter((outcome) => outcome === one).length;

describe('one code', () => {
  it('of the recovery codes opens one of many logins at the same time on two nodes', async () => {
    const [code] = recoveryCodes;
    const tries = Array.from({ length: 8 }, (_, index) => codeOf(logIn({ code }, visitor(nodes[index % 2]))));
    const outcomes = await Promise.all(tries);
    expect([count(outcomes, '200'), count(outcomes, '400 wrong-code')]).toEqual([1, 7]);
  });

  it('of the authenticator is for one login or one step-up, not for both, and never for an earlier time again', async () => {
    const session = await adminSession();
    const code = newCode();
    const outcomes = await Promise.all([
      codeOf(session.post(STEP_UP, { code })),
      ...[0, 1, 2].map((index) => codeOf(logIn({ code }, visitor(nodes[index % 2])))),
    ]);
    expect([count(outcomes, '200'), count(outcomes, '400 wrong-code')]).toEqual([1, 3]);
    // The code of the step before was never used, and its time is still tolerated.
    expect(await codeOf(logIn({ code: totpCode(secret, Date.now() + laterMs - 30_000) }))).toBe('400 wrong-code');
  });
});

describe('guesses', () => {
  let limited: RunningApi[];
  // New nodes for each test: over a limit, a node refuses from memory.
  beforeEach(async () => {
    await application.database.query('DELETE FROM auth.attempts');
    limited = [await startLimitedNode(), await startLimitedNode()];
  });

  it('are counted for all sessions and nodes together, those at the login apart from those at a step-up', async () => {
    const sessions = [await adminSession(limited[0]), await adminSession(limited[1])];
    for (let tries = 0; tries < 5; tries += 1)
      expect(await codeOf(logIn({ code: WRONG_CODE }, visitor(limited[tries % 2])))).toBe('400 wrong-code');
    for (const node of limited)
      expect(await codeOf(logIn({ code: newCode() }, visitor(node)))).toBe('429 too-many-attempts');
    // A thief with the password must not keep the owner from changing it.
    expect(await codeOf((sessions[0] as Visitor).post(STEP_UP, { code: newCode() }))).toBe('200');
    for (let tries = 0; tries < 5; tries += 1)
      expect(await codeOf((sessions[tries % 2] as Visitor).post(STEP_UP, { code: WRONG_CODE }))).toBe('400 wrong-code');
    for (const session of sessions)
      expect(await codeOf(session.post(STEP_UP, { code: newCode() }))).toBe('429 too-many-attempts');
  });

  it('stay limited when correct passwords are sent in between, and when they are sent concurrently', async () => {
    const thief = await adminSession(limited[0]);
    const outcomes: string[] = [];
    for (let rounds = 0; rounds < 3; rounds += 1) {
      for (let tries = 0; tries < 4; tries += 1) outcomes.push(await codeOf(thief.post(STEP_UP, { code: WRONG_CODE })));
      expect(await codeOf(thief.post(`${ENROL}/begin`, { password: ADMIN_PASSWORD }))).toBe('200');
    }
    expect([count(outcomes, '400 wrong-code'), count(outcomes, '429 too-many-attempts')]).toEqual([5, 7]);
    const concurrent = await Promise.all(
      Array.from({ length: 30 }, (_, index) => codeOf(logIn({ code: WRONG_CODE }, visitor(limited[index % 2])))),
    );
    expect(count(concurrent, '400 wrong-code')).toBeLessThanOrEqual(5);
  });
});

describe('a proof', () => {
  it('in one session counts in no other, and ends with its session', async () => {
    const [one, other] = [await adminSession(), await adminSession(nodes[1])];
    for (const session of [one, other]) await moveProofBack(application, session, 11);
    expect(await codeOf(one.post(STEP_UP, { code: newCode() }))).toBe('200');
    expect(await codeOf(one.post('/api/admin/game/reset', {}))).toBe('400 game-already-idle');
    expect(await codeOf(other.post('/api/admin/game/reset', {}))).toBe('403 step-up-required');
    const copy = one.at(nodes[1].url);
    expect((await one.post('/api/logout')).status).toBe(200);
    expect(await codeOf(one.post('/api/admin/game/reset', {}))).toBe('401 not-logged-in');
    for (let tries = 0; (await copy.get('/api/admin/timers')).status !== 401; tries += 1)
      expect(tries).toBeLessThan(50);
  });

  it('is not prolonged by a new password, nor is the session', async () => {
    const thief = await adminSession();
    await moveProofBack(application, thief, 9);
    const before = await timesOf(thief);
    const former = sidOf(thief);
    const change = { currentPassword: ADMIN_PASSWORD, newPassword: 'another battery staple' };
    const changed = thief.post('/api/account/password', { ...change, confirmPassword: change.newPassword });
    expect(await codeOf(changed)).toBe('200');
    expect(sidOf(thief)).not.toBe(former);
    expect(await timesOf(thief)).toEqual(before);
    const back = { currentPassword: change.newPassword, newPassword: ADMIN_PASSWORD };
    const restored = thief.post('/api/account/password', { ...back, confirmPassword: ADMIN_PASSWORD });
    expect(await codeOf(restored)).toBe('200');
    await moveProofBack(application, thief, 11);
    for (let tries = 0; tries < 50; tries += 1)
      if ((await codeOf(thief.post('/api/admin/game/reset', {}))) === '403 step-up-required') return;
    throw new Error('the old proof still counts');
  });

  it('made as a gamer does not count once the gamer is an operator', async () => {
    const session = await adminSession();
    const { id, as: gamer } = await register('Wavering');
    // A form that the route refuses only after the guards have admitted the operator.
    const setTimers = (as: Visitor) => as.post('/api/admin/timers', {});
    await setRole(session, id, 'operator', ['money', 'game']);
    const own = await enrol(gamer, GAMER_PASSWORD, later());
    expect((await setTimers(gamer)).status).toBe(400);
    await setRole(session, id, 'gamer');
    const asGamer = visitor();
    expect((await logIn({ username: 'Wavering', password: GAMER_PASSWORD }, asGamer)).status).toBe(200);
    await setRole(session, id, 'operator', ['money', 'game']);
    for (const [path, body] of [
      ['/api/admin/timers', {}],
      [`/api/admin/mini/gamers/${id}/adjust`, { purchaseBalanceCents: 1, totalWinningsCents: 0, reason: 'mine' }],
      [`${ENROL}/begin`, { password: GAMER_PASSWORD }],
      ['/api/account/password', { currentPassword: GAMER_PASSWORD, newPassword: 'x', confirmPassword: 'x' }],
    ] as const)
      expect(await codeOf(asGamer.post(path, body))).toBe('403 second-factor-required');
    expect(await codeOf(asGamer.post(STEP_UP, { password: GAMER_PASSWORD }))).toBe('400 wrong-code');
    expect(await codeOf(asGamer.post(STEP_UP, { code: newCode(own.secret) }))).toBe('200');
    expect((await setTimers(asGamer)).status).toBe(400);
  });
});

async function resetToken(gamerTag: string): Promise<string> {
  await visitor().post('/api/request-password-reset', { gamerTag, email: emailOf(gamerTag) });
  return mailedToken(application.mail, emailOf(gamerTag), 'reset-password');
}

async function emailToken(as: Visitor, newEmail: string): Promise<string> {
  expect((await as.post('/api/account/email', { newEmail, currentPassword: GAMER_PASSWORD })).status).toBe(200);
  return mailedToken(application.mail, newEmail, 'confirm-email');
}

const reset = (token: unknown, as = visitor()) =>
  as.post<ErrorBody>('/api/reset-password', { token, newPassword: THIEFS_PASSWORD, confirmPassword: THIEFS_PASSWORD });
const confirm = (token: unknown, as = visitor()) => as.post<ErrorBody>('/api/account/email/confirm', { token });
const statusOf = async (as: Visitor) => (await as.get<AuthStatus>('/api/auth/status')).body;

describe('a mailed link', () => {
  it('changes the account that it was mailed for, not that of its user, and logs nobody in', async () => {
    const [victim, thief] = [await register('victim'), await register('thief')];
    const token = await emailToken(thief.as, 'thief-two@example.com');
    // The thief makes the victim open it.
    expect((await confirm(token, victim.as)).status).toBe(200);
    expect(await statusOf(victim.as)).toMatchObject({ gamerTag: 'victim', email: emailOf('victim') });
    expect(await statusOf(thief.as)).toMatchObject({ gamerTag: 'thief', email: 'thief-two@example.com' });
    const other = await register('other');
    const used = await reset(await resetToken('other'), victim.as);
    expect([used.status, used.headers.get('set-cookie')]).toEqual([200, null]);
    expect([(await statusOf(victim.as)).isAuthenticated, (await statusOf(other.as)).isAuthenticated]).toEqual([
      true,
      false,
    ]);
    expect((await logIn({ username: 'victim', password: GAMER_PASSWORD })).status).toBe(200);
    expect((await logIn({ username: 'other', password: THIEFS_PASSWORD })).status).toBe(200);
  });

  it('for a reset confirms no email, and the reverse', async () => {
    const gamer = await register('twolinks');
    const [forReset, forEmail] = [await resetToken('twolinks'), await emailToken(gamer.as, 'twolinks-2@example.com')];
    expect((await confirm(forReset)).body.code).toBe('invalid-email-link');
    expect((await reset(forEmail)).body.code).toBe('invalid-reset-token');
    expect((await confirm(forEmail)).status).toBe(200);
  });

  it('of a gamer is void once its gamer is staff: the password of a gamer was enough to request it', async () => {
    const gamer = await register('promoted');
    const [forReset, forEmail] = [await resetToken('promoted'), await emailToken(gamer.as, 'promoted-2@example.com')];
    await setRole(await adminSession(), gamer.id, 'operator', ['support']);
    expect((await confirm(forEmail)).body.code).toBe('invalid-email-link');
    expect((await reset(forReset)).body.code).toBe('invalid-reset-token');
    expect(await statusOf(gamer.as)).toMatchObject({ email: emailOf('promoted') });
  });
});

it('the mailbox of a staff member opens no session past the second factor', async () => {
  const operator = await register('operator');
  await setRole(await adminSession(), operator.id, 'operator', ['support']);
  const own = await enrol(operator.as, GAMER_PASSWORD, later());
  expect((await reset(await resetToken('operator'))).status).toBe(200);
  expect((await statusOf(operator.as)).isAuthenticated).toBe(false);
  const thief = visitor();
  const form = { username: 'operator', password: THIEFS_PASSWORD };
  expect(await codeOf(logIn(form, thief))).toBe('401 second-factor-code-required');
  expect(await codeOf(logIn({ ...form, code: 'AAAA-BBBB-CCCC' }, thief))).toBe('400 wrong-code');
  expect(thief.cookie(SESSION_COOKIE)).toBeUndefined();
  expect((await logIn({ ...form, code: newCode(own.secret) }, operator.as)).status).toBe(200);
});
