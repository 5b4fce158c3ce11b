import type { ErrorBody } from '../../../contracts/http/headers.js';
import { type RunningApi, type Stores, startApi, startStores } from '../testing/api-under-test.js';
import { type Answer, Visitor } from '../testing/visitor.js';

const PASSWORD = 'quite unusual';
const HOME = '203.0.113.1';

let stores: Stores;
let api: RunningApi;

beforeAll(async () => {
  stores = await startStores();
  api = await startApi(stores, {
    RATE_LIMITS: 'on',
    LIMIT_LOGINS_PER_ACCOUNT_AND_ADDRESS: '3',
    LIMIT_LOGINS_PER_ADDRESS: '6',
    LIMIT_LOGINS_PER_ACCOUNT_FROM_STRANGERS: '5',
    LIMIT_REGISTRATIONS_PER_ADDRESS: '4',
  });
}, 60_000);

afterAll(async () => {
  await api?.close();
  await stores?.close();
});

const from = (ip: string) => new Visitor(api.url, { 'x-forwarded-for': ip });

const logIn = (ip: string, username: string, password: string) =>
  from(ip).post<ErrorBody>('/api/login', { username, password });

async function registerAtHome(username: string, ip: string): Promise<void> {
  const form = { username, email: `${username}@example.com`, password: PASSWORD };
  expect(await from(ip).post('/api/register', form)).toMatchObject({ status: 201 });
  expect(await logIn(ip, username, PASSWORD)).toMatchObject({ status: 200 });
}

function expectTooMany({ status, headers, body }: Answer<ErrorBody>): void {
  expect(status).toBe(429);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(body.error).toBe(`Too many attempts. Please try again in ${seconds} seconds.`);
}

it('lets a stranger guess a few times, and never locks the gamer out', async () => {
  await registerAtHome('Target', HOME);
  for (let i = 0; i < 3; i++) expect(await logIn('198.51.100.1', 'Target', 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn('198.51.100.1', 'target', 'a guess'));
  expectTooMany(await logIn('198.51.100.1', 'Target', PASSWORD));

  // Many addresses use the strangers' limit up; home is no stranger.
  for (let i = 2; i < 4; i++)
    expect(await logIn(`198.51.100.${i}`, 'Target', 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn('198.51.100.9', 'Target', 'a guess'));
  expect(await logIn(HOME, 'Target', PASSWORD)).toMatchObject({ status: 200 });
});

it('counts one address over all accounts, existing or not', async () => {
  const ip = '198.51.100.20';
  for (let i = 0; i < 6; i++) expect(await logIn(ip, `nobody${i}`, 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn(ip, 'nobody7', 'a guess'));
});

it('limits a tag that nobody has like any other', async () => {
  for (let i = 0; i < 3; i++) expect(await logIn('198.51.100.30', 'Ghost', 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn('198.51.100.30', 'Ghost', 'a guess'));
});

it('does not count a login that was right', async () => {
  await registerAtHome('Frequent', '203.0.113.5');
  for (let i = 0; i < 8; i++) expect(await logIn('203.0.113.5', 'Frequent', PASSWORD)).toMatchObject({ status: 200 });
});

it('is not slipped past by asking all at once', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => logIn('198.51.100.40', 'Rushed', 'a guess')));
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(3);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(9);
});

it('limits registrations from one address, an IPv6 subscriber being one', async () => {
  const register = (i: number) =>
    from(`2001:db8::${i}`).post<ErrorBody>('/api/register', {
      username: `Sock${i}`,
      email: `sock${i}@example.com`,
      password: PASSWORD,
    });
  for (let i = 1; i <= 4; i++) expect(await register(i)).toMatchObject({ status: 201 });
  expectTooMany(await register(5));
});
