import { MINUTE_MS } from '../../../../contracts/durations.js';
import { mailboxOf } from '../../../../contracts/email.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type {
  ExclusionsResponse,
  LimitsResponse,
  PlaySession,
  ProtectionResponse,
} from '../../../../contracts/http/protection.js';
import { NO_LIMITS } from '../../../../contracts/protection.js';
import { until } from '../../../../contracts/testing/until.js';
import { SESSION_SECRET, startApi } from '../../../test/api-under-test.js';
import { codeOf, errorOf, ok, Visitor } from '../../../test/visitor.js';
import { type Person, readAfter, WholeApplication } from '../../../test/whole-application.js';
import { AccountsStore } from '../gamers/accounts.store.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const wallet = { cryptoType: 'BTC', walletAddress: BITCOIN };

const application = WholeApplication.forTests({ REALITY_CHECK_MINUTES: '20' });
const admin = application.adminForTests();
const alice = application.gamerForTests('alice', 3_000, 500);
const bob = application.gamerForTests('bob');
const player = application.gamerForTests('player', 3_000);

beforeAll(() => admin.visitor.post('/api/admin/game/start-live'));

const post = ({ id, visitor }: Person, path: string, body: object = {}) =>
  visitor.post<ErrorBody & { message: string }>(`/api/gamer/${id}/${path}`, body);

describe('a time-out', () => {
  it('has one of the offered lengths, and begins at once: no purchase, deposit, invoice, transfer or post', async () => {
    for (const days of [2, '1'])
      expect(await codeOf(post(alice, 'exclusion', { kind: 'time-out', days }))).toBe('400 invalid-exclusion');
    const excluded = await post(alice, 'exclusion', { kind: 'time-out', days: 1 });
    expect(excluded).toMatchObject({
      status: 200,
      body: { message: expect.stringMatching(/^You are in a time-out until .* in New York\.$/) },
    });
    const { id, visitor } = alice;
    const order = { userId: id, currency: 'BTC' };
    const responses = [
      await visitor.post('/api/buy-from-balance', { quantity: 1, userId: id }),
      await visitor.post('/api/create-invoice', { ...order, quantity: 100 }),
      await visitor.post('/api/create-deposit-invoice', { ...order, amount: 50 }),
      await visitor.post('/api/community/posts', { gamerId: id, message: 'Hello' }),
      await post(alice, 'transfer-to-purchase', { amountCents: 100 }),
    ];
    for (const response of responses) expect(await codeOf(response)).toBe('403 gamer-excluded');
    expect(responses[0]?.body).toMatchObject({ error: expect.stringContaining('You can still withdraw') });
    // Login, support and statement stay.
    await ok(application.visitor().post('/api/login', { username: 'alice', password: 'open sesame' }));
    await ok(visitor.post('/api/support/tickets', { gamerId: id, subject: 'Help', message: 'Please' }));
    await ok(visitor.get(`/api/gamer/${id}/movements`));
  });

  it('lets the purchase balance be withdrawn with the winnings', async () => {
    const released = await post(alice, 'release-balance');
    expect(released).toMatchObject({
      status: 200,
      body: { message: '$30.00 is in your winnings now. A withdrawal is at least $10.00' },
    });
    const profile = await readAfter<GamerProfile>(alice.visitor, released, `/api/gamer/${alice.id}`);
    expect(profile).toMatchObject({
      wallet: { purchaseBalanceCents: 0 },
      balances: { currentWinningsCents: 3_500, totalWinningsCents: 500, transferredCents: 0, releasedCents: 3_000 },
    });
    expect((await post(alice, 'withdraw', { ...wallet, amountCents: 3_500 })).status).toBe(200);
  });

  it('is shown to the gamer and the admin, and cannot be lifted', async () => {
    const own = await alice.visitor.get<ProtectionResponse>(`/api/gamer/${alice.id}/protection`);
    expect(own.body.exclusion).toEqual({ kind: 'time-out', untilMs: expect.any(Number) });
    const all = await admin.visitor.get<ExclusionsResponse>('/api/admin/exclusions');
    expect(all.body).toEqual({ exclusions: [{ id: alice.id, gamerTag: 'alice', ...own.body.exclusion }], total: 1 });
    expect(await codeOf(post(alice, 'exclusion/lift'))).toBe('409 not-self-excluded');
  });
});

it('remembers a self-exclusion after the account is deleted, without its email', async () => {
  const register = (username: string, email: string) =>
    application.visitor().post<ErrorBody>('/api/register', { username, email, password: 'open sesame' });
  await application.api.app.get(AccountsStore).set(bob.id, { confirmedMailbox: mailboxOf('bob@example.com') });
  await ok(post(bob, 'exclusion', { kind: 'self-exclusion', days: 184 }));
  await ok(admin.visitor.delete(`/api/admin/gamers/${bob.id}`));
  expect(await errorOf(register('bob-again', 'bob@example.com'))).toEqual([
    403,
    expect.stringContaining('This email cannot be used.'),
  ]);
  await ok(register('somebody-else', 'bobby@example.com'));
});

describe('limits', () => {
  const none = { day: null, week: null, month: null };
  const limits = { spending: { ...none, day: 90 }, deposits: { ...none, week: 1_000 }, loss: none };
  let dora: Person;
  const set = (body: object) => dora.visitor.put<ErrorBody & { message: string }>(`/api/gamer/${dora.id}/limits`, body);
  const own = async () => (await dora.visitor.get<ProtectionResponse>(`/api/gamer/${dora.id}/protection`)).body;
  const buy = (quantity: number) =>
    dora.visitor.post<ErrorBody>('/api/buy-from-balance', { quantity, userId: dora.id });

  beforeAll(async () => {
    dora = await application.register('dora');
    await application.give(dora, 3_000);
  });

  it.each([
    ...[-1, 0.5, '5', 100_000_001].map((day) => ({ ...none, day })),
    ...[undefined, null, [], 'day', {}, { day: 5 }, { ...none, year: 5 }],
  ])('are refused when invalid: %j', async (loss) => {
    expect(await codeOf(set({ ...limits, loss }))).toBe('400 invalid-limits');
  });

  it('hold at once, for purchases and before an invoice is made', async () => {
    const { body } = await ok(set({ spending: none, deposits: none, loss: none }));
    expect(body.message).toBe('No limit is set');
    expect((await ok(set(limits))).body.message).toBe('Your limits hold from now on');
    expect((await buy(2)).status).toBe(200);
    expect(await buy(2)).toMatchObject({
      status: 403,
      body: {
        code: 'limit-reached',
        error: expect.stringMatching(
          /^Your spending limit is \$0\.90 a day\. \$0\.30 of it is left until .* in New York\.$/,
        ),
      },
    });
    const order = { userId: dora.id, currency: 'BTC' };
    expect(await errorOf(dora.visitor.post('/api/create-deposit-invoice', { ...order, amount: 11 }))).toEqual([
      403,
      expect.stringContaining('Your deposit limit is $10.00 a week. $10.00 of it is left'),
    ]);
    const invoice = dora.visitor.post('/api/create-invoice', { ...order, quantity: 2 });
    expect(await codeOf(invoice)).toBe('403 limit-reached');
  });

  it('are shown with the cents that they leave, the least first', async () => {
    expect(await own()).toMatchObject({
      limits,
      higher: null,
      mustChooseLimits: false,
      limitsInForce: [
        { kind: 'spending', period: 'day', limitCents: 90, leftCents: 30 },
        { kind: 'deposits', period: 'week', limitCents: 1_000, leftCents: 1_000 },
      ],
      used: { spending: { day: 60, week: 60 }, deposits: { week: 0 }, loss: { month: 60 } },
    });
  });

  it('are listed for the admin, with the site’s profile', async () => {
    const listed = await admin.visitor.get<LimitsResponse>('/api/admin/limits?pageSize=1');
    expect(listed.body).toEqual({
      profile: expect.objectContaining({ profile: 'none', mustChooseLimits: false }),
      limited: [{ id: dora.id, gamerTag: 'dora', limits, higher: null }],
      total: 1,
    });
    expect((await admin.visitor.get<LimitsResponse>('/api/admin/limits?pageSize=1&page=2')).body.limited).toEqual([]);
  });

  it('are raised only after a day', async () => {
    const higher = { ...limits, spending: none };
    expect((await ok(set(higher))).body.message).toContain('in 24 hours at the earliest');
    expect(await own()).toMatchObject({ limits, higher: { limits: higher } });
    expect((await buy(2)).status).toBe(403);
    expect(await codeOf(post(dora, 'limits/confirm'))).toBe('409 higher-limits-too-early');
  });
});

describe('the session of a login', () => {
  const session = async (visitor = player.visitor) => (await ok(visitor.get<PlaySession>('/api/play-session'))).body;
  const choose = (everyMinutes: unknown) =>
    player.visitor.put<ErrorBody>('/api/play-session/reality-check', { everyMinutes });

  it('begins with the login, has its first check after the site’s time, and counts a purchase at once', async () => {
    const { startedAtMs, realityCheck, ...figures } = await session();
    expect(Math.abs(startedAtMs - Date.now())).toBeLessThan(MINUTE_MS);
    expect(figures).toEqual({ spentCents: 0, wonCents: 0, netCents: 0 });
    expect(realityCheck).toEqual({ everyMinutes: 20, maxMinutes: 20, dueAtMs: startedAtMs + 20 * MINUTE_MS });
    const bought = await ok(player.visitor.post('/api/buy-from-balance', { quantity: 4, userId: player.id }));
    const after = await readAfter(player.visitor, bought, '/api/play-session');
    expect(after).toMatchObject({ spentCents: 120, netCents: -120 });
  });

  it('postpones the next check when one is answered, and stores that on the server', async () => {
    // Moves the login 50 minutes back.
    await application.database.query(`UPDATE auth.sessions SET begun_at = begun_at - interval '50 minutes'`);
    const overdue = await session();
    expect(overdue.realityCheck.dueAtMs).toBeLessThan(Date.now());
    expect(overdue).toMatchObject({ spentCents: 120 });
    await ok(player.visitor.post('/api/play-session/answer'));
    const { startedAtMs, realityCheck } = await session();
    expect(startedAtMs).toBe(overdue.startedAtMs);
    expect(Math.abs(realityCheck.dueAtMs - Date.now() - 20 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });

  it('asks at the gamer’s interval in every login, at most the site’s', async () => {
    expect((await choose(5)).status).toBe(200);
    const another = application.visitor();
    await ok(another.post('/api/login', { username: 'player', password: 'open sesame' }));
    // Another login does not see the first one's play.
    for (const [visitor, spentCents] of [[player.visitor, 120] as const, [another, 0] as const])
      expect(await session(visitor)).toMatchObject({ spentCents, realityCheck: { everyMinutes: 5, maxMinutes: 20 } });
    expect(await choose(21)).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', error: 'everyMinutes must be a whole number from 1 to 20' },
    });
    for (const wrong of [0, 2.5, '5', null]) expect((await choose(wrong)).status).toBe(400);
    expect((await session()).realityCheck.everyMinutes).toBe(5);
  });

  it('goes on when the gamer changes the password: nobody gets out of a check by that', async () => {
    const before = await session();
    const id = player.visitor.cookie('omni.sid');
    for (const [currentPassword, newPassword] of [
      ['open sesame', 'another sesame'],
      ['another sesame', 'open sesame'],
    ])
      await ok(
        player.visitor.post('/api/account/password', { currentPassword, newPassword, confirmPassword: newPassword }),
      );
    expect(player.visitor.cookie('omni.sid')).not.toBe(id);
    expect(await session()).toEqual(before);
  });
});

describe('the strict profile', () => {
  const rich = application.gamerForTests('rich', 30_000);
  const buy = (quantity: number) =>
    rich.visitor.post<ErrorBody>('/api/buy-from-balance', { quantity, userId: rich.id });
  const deposit = (amount: number) =>
    rich.visitor.post<ErrorBody>('/api/create-deposit-invoice', { userId: rich.id, currency: 'BTC', amount });
  const protection = async () => (await rich.visitor.get<ProtectionResponse>(`/api/gamer/${rich.id}/protection`)).body;
  const profile = async () => (await admin.visitor.get<LimitsResponse>('/api/admin/limits')).body.profile;

  it('is in force once a node with it has started, and shown to the admin', async () => {
    await application.startAnotherNode({ PROTECTION_PROFILE: 'strict' });
    expect(await until(profile, (shown) => shown.profile === 'strict')).toMatchObject({ mustChooseLimits: true });
  });

  it('lets nobody buy or deposit before they chose a limit of their own', async () => {
    expect(await protection()).toMatchObject({ mustChooseLimits: true });
    const body = { code: 'limits-required', error: expect.stringContaining('limit of your own') };
    for (const refused of [await buy(1), await deposit(10)]) expect(refused).toMatchObject({ status: 403, body });
    const spending = { day: 20_000, week: null, month: null };
    const deposits = { day: null, week: null, month: 50_000 };
    await ok(rich.visitor.put(`/api/gamer/${rich.id}/limits`, { ...NO_LIMITS, spending, deposits }));
    expect(await protection()).toMatchObject({ mustChooseLimits: false });
    await ok(buy(1));
  });

  it('refuses amounts beyond the site’s limits, and says whose limits they are', async () => {
    const refused = (error: string) => ({
      status: 403,
      body: { code: 'limit-reached', error: expect.stringContaining(error) },
    });
    expect(await buy(334)).toMatchObject(refused('The operator’s loss limit is $100.00 a day. $99.70 of it is left'));
    expect(await deposit(201)).toMatchObject(refused('The operator’s deposit limit is $200.00 a day.'));
    expect((await protection()).limitsInForce).toContainEqual(
      expect.objectContaining({ setBy: 'gamer', kind: 'deposits', period: 'month', limitCents: 50_000 }),
    );
  });
});

describe('another node', () => {
  it('without the secret under which gamers were excluded does not start, and says what to set', async () => {
    const start = startApi(application.stores, { SESSION_SECRET: 'a third secret of the tests' });
    await expect(start).rejects.toThrow('excluded gamers could register again');
  });

  it('with another session secret still knows an excluded gamer’s email', async () => {
    const secrets = { SESSION_SECRET: 'another secret of the tests', EXCLUSION_SECRET: SESSION_SECRET };
    const { url } = await application.startAnotherNode(secrets);
    const again = { username: 'bob-again', email: 'bob+2@example.com', password: 'open sesame' };
    expect(await codeOf(new Visitor(url).post('/api/register', again))).toBe('403 identity-refused');
  });
});
