import type { AuthStatus, GamerSession } from '../../../../contracts/http/gamers.js';
import { type ErrorBody, GAMER } from '../../../../contracts/http/headers.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { UnknownOutcome } from '../../../../event-log/event-log.types.js';
import { Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { Unavailable } from '../../platform/failures.js';
import { AccountsStore } from './accounts.store.js';
import { Enrolment } from './enrolment.store.js';
import { GamerLog } from './gamer-log.js';

const PASSWORD = 'quite unusual';
const COOKIE = 'omni.sid';

const application = WholeApplication.forTests({ PUBLIC_ORIGIN: 'http://play.example' }, { worker: false });
const { api } = application;

afterEach(() => jest.restoreAllMocks());

const form = (username: string, more: object = {}) => ({
  username,
  email: `${username}@example.com`,
  password: PASSWORD,
  ...more,
});

async function register(username: string, more: object = {}): Promise<{ visitor: Visitor; gamer: GamerSession }> {
  const visitor = new Visitor(api.url);
  const response = await visitor.post<GamerSession>('/api/register', form(username, more));
  expect(response.status).toBe(201);
  return { visitor, gamer: response.body };
}

describe('registration', () => {
  it('returns the gamer, begins a session and enrols them', async () => {
    const visitor = new Visitor(api.url);
    const { status, headers, body } = await visitor.post<GamerSession>('/api/register', form('Alice'));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{12}$/),
      gamerTag: 'Alice',
      email: 'Alice@example.com',
      refCode: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/),
      role: 'gamer',
      powers: [],
    });
    expect(headers.get('x-position')).toMatch(/^\d+$/);
    expect((await visitor.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: true, ...body });
    expect(await eventsOf(`gamer-${body.id}`)).toEqual(['GamerRegistered']);
    expect(await enrolmentsOf(body.id)).toEqual([expect.objectContaining({ sponsorId: null })]);
  });

  it('enrols a referred gamer below the owner of the code, in upper or lower case', async () => {
    const { gamer: sponsor } = await register('Sponsor');
    const { gamer } = await register('Referred', { referralCode: ` ${sponsor.refCode.toLowerCase()} ` });
    expect(await enrolmentsOf(gamer.id)).toEqual([
      expect.objectContaining({ sponsorId: sponsor.id, parentId: sponsor.id, slot: 0 }),
    ]);
  });

  it("accepts the admin's code: the admin is the sponsor", async () => {
    const admin = await application.admin();
    const { gamer } = await register('OfTheHouse', { referralCode: admin.refCode });
    expect(await enrolmentsOf(gamer.id)).toEqual([expect.objectContaining({ sponsorId: admin.id })]);
  });

  it.each([
    ['no email', { email: '' }, 'All fields are required'],
    ['a number for a tag', { username: 7 }, 'All fields are required'],
    ['a reserved tag', { username: 'the-admin' }, 'This GamerTag is reserved'],
    ['an unknown code', { referralCode: 'NOBODY22' }, 'Referral code not found'],
  ])('refuses %s with the text for it', async (_what, broken, text) => {
    const response = await new Visitor(api.url).post<ErrorBody>('/api/register', form('Refused', broken));
    expect(response).toMatchObject({ status: 400, body: { error: text } });
  });

  it('refuses a taken tag, and a taken email in any spelling', async () => {
    await register('Taken', { email: 'jane@bücher.example' });
    const visitor = new Visitor(api.url);
    const tag = await visitor.post('/api/register', form('tAKEN', { email: 'other@example.com' }));
    expect(tag).toMatchObject({ status: 400, body: { error: 'This GamerTag is already taken' } });
    for (const spelling of ['JANE@bücher.example', 'jane@xn--bcher-kva.example']) {
      const email = await visitor.post('/api/register', form('Other', { email: spelling }));
      expect(email).toMatchObject({ status: 400, body: { error: 'An account with this email already exists' } });
    }
  });

  it('gives a tag to exactly one of many concurrent registrations', async () => {
    const tries = Array.from({ length: 8 }, (_, index) =>
      new Visitor(api.url).post<ErrorBody>('/api/register', { ...form('Wanted'), email: `wanted${index}@example.com` }),
    );
    const responses = await Promise.all(tries);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of responses)
      if (status !== 201) expect(body.error).toBe('This GamerTag is already taken');
  });

  it('stores no password in the event log and returns none', async () => {
    const { gamer } = await register('Secretive');
    expect(JSON.stringify(gamer)).not.toContain(PASSWORD);
    const events = await application.eventsOf(`gamer-${gamer.id}`);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${PASSWORD}|argon2`));
  });
});

describe('logging in and out', () => {
  it('needs the right tag and password', async () => {
    const { gamer } = await register('Bob');
    const visitor = new Visitor(api.url);
    const wrong = await visitor.post('/api/login', { username: 'Bob', password: 'wrong words' });
    const nobody = await visitor.post('/api/login', { username: 'Nobody', password: PASSWORD });
    for (const response of [wrong, nobody]) {
      expect(response).toMatchObject({ status: 401, body: { error: 'Invalid GamerTag or password' } });
    }
    expect(visitor.cookie(COOKIE)).toBeUndefined();
    expect(await visitor.post('/api/login', { username: 'Bob' })).toMatchObject({ status: 400 });

    const right = await visitor.post<GamerSession>('/api/login', { username: 'bOB', password: PASSWORD });
    expect(right).toMatchObject({ status: 200, body: gamer });
  });

  it('sets a cookie that is HttpOnly and SameSite', async () => {
    await register('Cookie');
    const response = await new Visitor(api.url).post('/api/login', { username: 'Cookie', password: PASSWORD });
    const cookie = response.headers.getSetCookie().find((one) => one.startsWith('omni.sid=')) ?? '';
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).not.toMatch(/; (Secure|Domain)/);
  });

  it('begins each session under a new id', async () => {
    const { visitor } = await register('Fixed');
    const before = visitor.cookie(COOKIE) as string;
    await visitor.post('/api/login', { username: 'Fixed', password: PASSWORD });
    const after = visitor.cookie(COOKIE) as string;
    expect(after).not.toBe(before);

    const thief = new Visitor(api.url);
    thief.setCookie(COOKIE, before);
    expect((await thief.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
  });

  it('ends the session at once, for copies of the cookie too', async () => {
    const { visitor } = await register('Leaving');
    const copy = new Visitor(api.url);
    copy.setCookie(COOKIE, visitor.cookie(COOKIE) as string);
    expect((await copy.get<AuthStatus>('/api/auth/status')).body.isAuthenticated).toBe(true);

    expect(await visitor.post('/api/logout')).toMatchObject({ status: 200 });
    expect(visitor.cookie(COOKIE)).toBeUndefined();
    expect((await copy.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
    expect(await visitor.post('/api/logout')).toMatchObject({ status: 200 });
  });

  it('names the session’s gamer in each response, and refuses a command of another gamer’s page', async () => {
    const { gamer, visitor } = await register('Present');
    const gamerOf = (response: { headers: Headers }) => response.headers.get(GAMER);
    expect(gamerOf(await visitor.get('/api/stats'))).toBe(gamer.id);
    expect(gamerOf(await visitor.get('/api/admin/timers'))).toBe(gamer.id);
    expect(gamerOf(await new Visitor(api.url).get('/api/stats'))).toBe('none');
    expect(await visitor.post('/api/logout', undefined, { [GAMER]: 'another' })).toMatchObject({
      status: 409,
      body: { code: 'another-account' },
    });
    expect((await visitor.get<AuthStatus>('/api/auth/status')).body.isAuthenticated).toBe(true);
    expect(gamerOf(await visitor.post('/api/logout', undefined, { [GAMER]: gamer.id }))).toBe('none');
    const login = await visitor.post('/api/login', { username: 'Present', password: PASSWORD });
    expect(gamerOf(login)).toBe(gamer.id);
  });

  it('records that an admin logged in', async () => {
    const admin = await application.admin();
    const before = (await eventsOf(`gamer-${admin.id}`)).length;
    await Promise.all([application.admin(), application.admin(), application.admin()]);
    const events = await eventsOf(`gamer-${admin.id}`);
    expect(events[0]).toBe('GamerRegistered');
    expect(events.slice(before)).toEqual(['AdminLoggedIn', 'AdminLoggedIn', 'AdminLoggedIn']);
  });
});

const gone = () => new Unavailable('gone, for the test');

/** Interruptions of a registration, from its first step to its last. */
const interruptions: [string, () => void][] = [
  [
    'before the log has its event',
    () => jest.spyOn(api.app.get(GamerLog), 'recordRegistration').mockRejectedValueOnce(gone()),
  ],
  ['before the ledger has its event', () => jest.spyOn(api.app.get(Ledger), 'execute').mockRejectedValueOnce(gone())],
  ['before it is marked as done', () => jest.spyOn(api.app.get(AccountsStore), 'set').mockRejectedValueOnce(gone())],
];

describe.each(interruptions)('a registration interrupted %s', (when, interrupt) => {
  const tag = (use: string) => `${use}_${interruptions.findIndex(([name]) => name === when)}`;

  async function interruptRegistration(username: string): Promise<void> {
    interrupt();
    const response = await new Visitor(api.url).post('/api/register', form(username));
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
  }

  it('is completed when the gamer logs in', async () => {
    const username = tag('login');
    await interruptRegistration(username);
    const response = await new Visitor(api.url).post<GamerSession>('/api/login', { username, password: PASSWORD });
    expect(response.status).toBe(200);
    await expectOneOf(username);
  });

  it('is completed when the same person registers again, but not another person', async () => {
    const username = tag('again');
    await interruptRegistration(username);
    const other = await new Visitor(api.url).post('/api/register', form(username, { password: 'guessed words' }));
    expect(other).toMatchObject({ status: 400, body: { error: 'This GamerTag is already taken' } });
    expect(await new Visitor(api.url).post('/api/register', form(username))).toMatchObject({ status: 201 });
    await expectOneOf(username);
  });

  it('is completed by the sweep', async () => {
    const username = tag('sweep');
    await interruptRegistration(username);
    await api.app.get(Enrolment).sweep();
    await expectOneOf(username);
  });
});

it('completes a registration whose append has an unknown outcome', async () => {
  const log = api.app.get(EventLog);
  const append = log.append.bind(log);
  jest.spyOn(log, 'append').mockImplementationOnce(async (...what) => {
    await append(...what);
    throw new UnknownOutcome('no response, for the test');
  });
  expect(await new Visitor(api.url).post('/api/register', form('unknown_end'))).toMatchObject({ status: 201 });
  await expectOneOf('unknown_end');
});

it('enrols a sponsor with an interrupted registration before the referred gamer', async () => {
  jest.spyOn(api.app.get(Ledger), 'execute').mockRejectedValueOnce(gone());
  expect((await new Visitor(api.url).post('/api/register', form('half_sponsor'))).status).toBe(503);
  const sponsor = await api.app.get(AccountsStore).findByTag('half_sponsor');
  const referred = form('half_referred', { referralCode: sponsor?.refCode });
  expect(await new Visitor(api.url).post('/api/register', referred)).toMatchObject({ status: 201 });
  await expectOneOf('half_sponsor');
  await expectOneOf('half_referred');
});

/** Expects one account, registered and enrolled once, that can log in. */
async function expectOneOf(username: string): Promise<void> {
  const account = await api.app.get(AccountsStore).findByTag(username);
  expect(account).toMatchObject({ gamerTag: username, enrolled: true });
  const own = await application.eventsOf(`gamer-${account?.gamerId}`);
  expect(own.map(({ event }) => event.type)).toEqual(['GamerRegistered']);
  const places = (await application.eventsOf('ledger')).filter(
    ({ event }) => event.type === 'GamerEnrolled' && event.data.gamerId === account?.gamerId,
  );
  expect(places).toHaveLength(1);
  const login = await new Visitor(api.url).post('/api/login', { username, password: PASSWORD });
  expect(login.status).toBe(200);
}

const eventsOf = async (stream: string): Promise<string[]> =>
  (await application.eventsOf(stream)).map(({ event }) => event.type);

const enrolmentsOf = async (gamerId: string): Promise<object[]> =>
  (await application.eventsOf('ledger')).flatMap(({ event }) =>
    event.type === 'GamerEnrolled' && event.data.gamerId === gamerId ? [event.data] : [],
  );
