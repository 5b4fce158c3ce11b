import type { AuthStatus, GamerSession } from '../../../../contracts/http/gamers.js';
import { type ErrorBody, GAMER } from '../../../../contracts/http/headers.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { UnknownOutcome } from '../../../../event-log/event-log.types.js';
import { codeOf, errorOf, Visitor } from '../../../test/visitor.js';
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

const statusOf = async (visitor: Visitor) => (await visitor.get<AuthStatus>('/api/auth/status')).body;

describe('registration', () => {
  it('returns the gamer, begins a session, enrols them, and shows no password', async () => {
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
    expect(await statusOf(visitor)).toEqual({ isAuthenticated: true, ...body });
    const events = await application.eventsOf(`gamer-${body.id}`);
    expect(events.map(({ event }) => event.type)).toEqual(['GamerRegistered']);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${PASSWORD}|argon2`));
    expect(await enrolmentsOf(body.id)).toEqual([expect.objectContaining({ sponsorId: null })]);
  });

  it('enrols a referred gamer below the owner of the code, in upper or lower case; the admin may be the sponsor', async () => {
    const { gamer: sponsor } = await register('Sponsor');
    const { gamer } = await register('Referred', { referralCode: ` ${sponsor.refCode.toLowerCase()} ` });
    const admin = await application.admin();
    const { gamer: ofTheHouse } = await register('OfTheHouse', { referralCode: admin.refCode });
    expect(await enrolmentsOf(gamer.id)).toMatchObject([{ sponsorId: sponsor.id, parentId: sponsor.id, slot: 0 }]);
    expect(await enrolmentsOf(ofTheHouse.id)).toMatchObject([{ sponsorId: admin.id }]);
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
    for (const [username, email, error] of [
      ['tAKEN', 'other@example.com', 'This GamerTag is already taken'],
      ['Other', 'JANE@bücher.example', 'An account with this email already exists'],
      ['Other', 'jane@xn--bcher-kva.example', 'An account with this email already exists'],
    ] as const)
      expect(await errorOf(new Visitor(api.url).post('/api/register', form(username, { email })))).toEqual([
        400,
        error,
      ]);
  });

  it('gives a tag to exactly one of many concurrent registrations', async () => {
    const tries = Array.from({ length: 8 }, (_, index) =>
      new Visitor(api.url).post<ErrorBody>('/api/register', form('Wanted', { email: `wanted${index}@example.com` })),
    );
    const errors = (await Promise.all(tries)).map(({ status, body }) => (status === 201 ? null : body.error));
    expect(errors.sort()).toEqual([...Array(7).fill('This GamerTag is already taken'), null]);
  });
});

describe('logging in and out', () => {
  it('needs the right tag and password', async () => {
    const { gamer } = await register('Bob');
    const visitor = new Visitor(api.url);
    const wrong = await visitor.post('/api/login', { username: 'Bob', password: 'wrong words' });
    const nobody = await visitor.post('/api/login', { username: 'Nobody', password: PASSWORD });
    for (const response of [wrong, nobody])
      expect(response).toMatchObject({ status: 401, body: { error: 'Invalid GamerTag or password' } });
    expect(visitor.cookie(COOKIE)).toBeUndefined();
    expect(await visitor.post('/api/login', { username: 'Bob' })).toMatchObject({ status: 400 });

    const right = await visitor.post<GamerSession>('/api/login', { username: 'bOB', password: PASSWORD });
    expect(right).toMatchObject({ status: 200, body: gamer });
    const cookie = right.headers.getSetCookie().find((one) => one.startsWith('omni.sid=')) ?? '';
    for (const attribute of [/; HttpOnly/, /; SameSite=Lax/, /; Path=\//]) expect(cookie).toMatch(attribute);
    expect(cookie).not.toMatch(/; (Secure|Domain)/);
  });

  it('begins each session under a new id, and ends it at once, for copies of the cookie too', async () => {
    const { visitor } = await register('Fixed');
    const copyOf = (original: Visitor) => original.at(api.url);
    const thief = copyOf(visitor);
    await visitor.post('/api/login', { username: 'Fixed', password: PASSWORD });
    expect(visitor.cookie(COOKIE)).not.toBe(thief.cookie(COOKIE));
    expect(await statusOf(thief)).toEqual({ isAuthenticated: false });

    const copy = copyOf(visitor);
    expect(await statusOf(copy)).toMatchObject({ isAuthenticated: true });
    expect(await visitor.post('/api/logout')).toMatchObject({ status: 200 });
    expect(visitor.cookie(COOKIE)).toBeUndefined();
    expect(await statusOf(copy)).toEqual({ isAuthenticated: false });
    expect(await visitor.post('/api/logout')).toMatchObject({ status: 200 });
  });

  it('names the session’s gamer in each response, and refuses a command of another gamer’s page', async () => {
    const { gamer, visitor } = await register('Present');
    const gamerOf = (response: { headers: Headers }) => response.headers.get(GAMER);
    expect(gamerOf(await visitor.get('/api/stats'))).toBe(gamer.id);
    expect(gamerOf(await visitor.get('/api/admin/timers'))).toBe(gamer.id);
    expect(gamerOf(await new Visitor(api.url).get('/api/stats'))).toBe('none');
    expect(await codeOf(visitor.post('/api/logout', undefined, { [GAMER]: 'another' }))).toBe('409 another-account');
    expect(await statusOf(visitor)).toMatchObject({ isAuthenticated: true });
    expect(gamerOf(await visitor.post('/api/logout', undefined, { [GAMER]: gamer.id }))).toBe('none');
    const login = await visitor.post('/api/login', { username: 'Present', password: PASSWORD });
    expect(gamerOf(login)).toBe(gamer.id);
  });

  it('records that an admin logged in', async () => {
    const { id } = await application.admin();
    const before = (await application.eventsOf(`gamer-${id}`)).length;
    await Promise.all([application.admin(), application.admin(), application.admin()]);
    const types = (await application.eventsOf(`gamer-${id}`)).map(({ event }) => event.type);
    expect(types[0]).toBe('GamerRegistered');
    expect(types.slice(before)).toEqual(['AdminLoggedIn', 'AdminLoggedIn', 'AdminLoggedIn']);
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

it.each(interruptions)(
  'a registration interrupted %s is completed by a login, by the same person’s repeated request, and by the sweep',
  async (when, interrupt) => {
    const [byLogin, again, bySweep] = ['login', 'again', 'sweep'].map(
      (use) => `${use}_${interruptions.findIndex(([name]) => name === when)}`,
    ) as [string, string, string];
    for (const username of [byLogin, again, bySweep]) {
      interrupt();
      const response = await new Visitor(api.url).post('/api/register', form(username));
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    }
    // Its first step is the login.
    await expectOneOf(byLogin);
    const other = await new Visitor(api.url).post('/api/register', form(again, { password: 'guessed words' }));
    expect(other).toMatchObject({ status: 400, body: { error: 'This GamerTag is already taken' } });
    expect(await new Visitor(api.url).post('/api/register', form(again))).toMatchObject({ status: 201 });
    await expectOneOf(again);
    await api.app.get(Enrolment).sweep();
    expect(await api.app.get(AccountsStore).findByTag(bySweep)).toMatchObject({ enrolled: true });
    await expectOneOf(bySweep);
  },
);

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
  for (const username of ['half_sponsor', 'half_referred']) await expectOneOf(username);
});

/** Expects that the gamer can log in, and then one account, registered and enrolled once. */
async function expectOneOf(username: string): Promise<void> {
  const login = await new Visitor(api.url).post('/api/login', { username, password: PASSWORD });
  expect(login.status).toBe(200);
  const account = await api.app.get(AccountsStore).findByTag(username);
  expect(account).toMatchObject({ gamerTag: username, enrolled: true });
  const own = await application.eventsOf(`gamer-${account?.gamerId}`);
  expect(own.map(({ event }) => event.type)).toEqual(['GamerRegistered']);
  expect(await enrolmentsOf(`${account?.gamerId}`)).toHaveLength(1);
}

const enrolmentsOf = async (gamerId: string): Promise<object[]> =>
  (await application.eventsOf('ledger')).flatMap(({ event }) =>
    event.type === 'GamerEnrolled' && event.data.gamerId === gamerId ? [event.data] : [],
  );
