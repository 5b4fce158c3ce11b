import { Pool } from 'pg';
import { SYSTEM } from '../../../../contracts/events/metadata.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import { waitingText } from '../../../../contracts/refusals.js';
import { mailedToken } from '../../../test/mails.js';
import { type ApiResponse, Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';

const PASSWORD = 'quite unusual';
const HOME = '203.0.113.1';

const { api, mail } = WholeApplication.forTests(
  {
    RATE_LIMITS: 'on',
    LIMIT_LOGINS_PER_ACCOUNT_AND_ADDRESS: '3',
    LIMIT_LOGINS_PER_ADDRESS: '6',
    LIMIT_LOGINS_PER_ACCOUNT_FROM_STRANGERS: '5',
    LIMIT_REGISTRATIONS_PER_ADDRESS: '4',
    LIMIT_SUCCESSFUL_LOGINS_PER_ACCOUNT: '25',
    LIMIT_MAILED_LINKS_PER_ACCOUNT: '2',
    LIMIT_MAILED_LINKS_PER_ADDRESS: '6',
  },
  { worker: false, mail: true },
);

const from = (ip: string) => new Visitor(api.url, { 'x-forwarded-for': ip });

const logIn = (ip: string, username: string, password: string) =>
  from(ip).post<ErrorBody>('/api/login', { username, password });

const formOf = (username: string) => ({ username, email: `${username}@example.com`, password: PASSWORD });

const register = (ip: string, username: string) =>
  from(ip).post<{ id: string } & ErrorBody>('/api/register', formOf(username));

async function registerAtHome(username: string, ip: string): Promise<void> {
  expect(await register(ip, username)).toMatchObject({ status: 201 });
  expect(await logIn(ip, username, PASSWORD)).toMatchObject({ status: 200 });
}

function expectTooMany({ status, headers, body }: ApiResponse<ErrorBody>): void {
  expect(status).toBe(429);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(body.error).toBe(`Too many attempts. Please try again in ${waitingText({ retryAfterSeconds: seconds })}.`);
}

it('limits guesses from unknown devices, and not the gamer on a known one, whose limit is its own', async () => {
  const device = from(HOME);
  const onDevice = (password: string) =>
    device.post<ErrorBody>('/api/login', { username: 'Target', password }, { 'x-forwarded-for': '198.51.100.1' });
  expect(await device.post('/api/register', formOf('Target'))).toMatchObject({ status: 201 });
  for (let i = 0; i < 3; i++) expect(await logIn('198.51.100.1', 'Target', 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn('198.51.100.1', 'target', 'a guess'));
  expectTooMany(await logIn('198.51.100.1', 'Target', PASSWORD));
  // Many addresses reach the limit of the account.
  for (let i = 2; i < 4; i++)
    expect(await logIn(`198.51.100.${i}`, 'Target', 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn('198.51.100.9', 'Target', 'a guess'));
  expectTooMany(await logIn(HOME, 'Target', PASSWORD));
  // Account and address are used up, by others.
  expect(await onDevice(PASSWORD)).toMatchObject({ status: 200 });
  for (let i = 0; i < 3; i++) expect(await onDevice('a guess')).toMatchObject({ status: 401 });
  expectTooMany(await onDevice(PASSWORD));
});

it('takes the email for the GamerTag in any spelling, with the same limits and responses for known and unknown ones', async () => {
  await registerAtHome('Mailer', '203.0.113.60');
  expect(await logIn('203.0.113.60', 'MAILER@Example.COM', PASSWORD)).toMatchObject({ status: 200 });
  const responsesTo = async (ip: string, email: string) => {
    const guesses = [];
    for (let i = 0; i < 4; i++) guesses.push(await logIn(ip, i % 2 ? email : email.toUpperCase(), 'a guess'));
    return guesses.map(({ status, body }) => [status, body.code]);
  };
  const known = await responsesTo('198.51.100.61', 'mailer@example.com');
  expect(known.map(([status]) => status)).toEqual([401, 401, 401, 429]);
  expect(await responsesTo('198.51.100.62', 'nobody@example.com')).toEqual(known);
});

it('limits correct logins, and ends the oldest of a gamer’s sessions', async () => {
  await registerAtHome('Busy', '203.0.113.80');
  const responses = [];
  for (let i = 0; i < 30; i++) responses.push(await logIn('203.0.113.80', 'Busy', PASSWORD));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(24);
  expectTooMany(responses.at(-1) as ApiResponse<ErrorBody>);
  const sessions = await api.app
    .get(Pool)
    .query(`SELECT 1 FROM auth.sessions JOIN auth.accounts ON gamer_id = sess->>'gamerId' WHERE gamer_tag = 'Busy'`);
  expect(sessions.rowCount).toBe(20);
});

it('counts one address over all accounts, existing or not', async () => {
  const ip = '198.51.100.20';
  for (let i = 0; i < 6; i++) expect(await logIn(ip, `nobody${i}`, 'a guess')).toMatchObject({ status: 401 });
  expectTooMany(await logIn(ip, 'nobody7', 'a guess'));
});

it('limits registrations per address, where an IPv6 /64 counts as one, until their mailboxes are confirmed', async () => {
  const sock = (i: number) => register(`2001:db8::${i}`, `sock${i}`);
  for (let i = 1; i <= 4; i++) expect(await sock(i)).toMatchObject({ status: 201 });
  const refused = await sock(5);
  expectTooMany(refused);
  expect(refused.body.error).toContain('in an hour.');
  // Refused attempts count no more than proved ones.
  for (const i of [3, 4]) {
    const token = await mailedToken(mail, `sock${i}@example.com`, 'confirm-email');
    const confirmed = await from(HOME).post('/api/account/email/confirm', { token });
    expect(confirmed.status).toBe(200);
  }
  for (const i of [5, 6]) expect(await sock(i)).toMatchObject({ status: 201 });
  expectTooMany(await sock(7));
});

it('subtracts a registration from the count once its gamer has paid, and only once', async () => {
  const payer = await register('203.0.113.90', 'payer');
  for (const idle of ['idle_1', 'idle_2', 'idle_3']) await register('203.0.113.90', idle);
  expectTooMany(await register('203.0.113.90', 'neighbour'));
  const money = { amountCents: 1_000, feeCents: 50, cryptoType: 'BTC' } as const;
  const metadata = (commandId: string) => ({ actor: SYSTEM, commandId });
  for (const paymentId of ['p1', 'p2']) {
    const command = { type: 'CreditDeposit', paymentId, gamerId: payer.body.id, money } as const;
    await api.app.get(Ledger).execute(command, metadata(paymentId));
  }
  const token = await mailedToken(mail, 'payer@example.com', 'confirm-email');
  expect((await from(HOME).post('/api/account/email/confirm', { token })).status).toBe(200);
  // No payment waits for the count.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await register('203.0.113.90', 'neighbour')).toMatchObject({ status: 201 });
  expectTooMany(await register('203.0.113.90', 'neighbour_2'));
});

it('limits guesses of the password with a stolen session, also of the right one and by the other route', async () => {
  const thief = from('203.0.113.100');
  expect(await thief.post('/api/register', formOf('Guessed'))).toMatchObject({ status: 201 });
  const words = { newPassword: 'a better one', confirmPassword: 'a better one' };
  const change = (currentPassword: string) => thief.post('/api/account/password', { currentPassword, ...words });
  const statuses: number[] = [];
  for (let tries = 0; tries < 15; tries += 1) statuses.push((await change(`guess ${tries}`)).status);
  expect(statuses).toContain(429);
  expect((await change(PASSWORD)).status).toBe(429);
  const email = { newEmail: 'thief@example.com', currentPassword: PASSWORD };
  expect((await thief.post('/api/account/email', email)).status).toBe(429);
});

it('limits requests for reset links per account, existing or not, and resets per address', async () => {
  const path = '/api/request-password-reset';
  for (const gamerTag of ['Target', 'Nobody']) {
    const form = { gamerTag, email: 'target@example.com' };
    for (let tries = 0; tries < 2; tries += 1) expect((await from('198.51.100.1').post(path, form)).status).toBe(200);
    const response = await from('198.51.100.2').post(path, { gamerTag: gamerTag.toUpperCase(), email: form.email });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const form = { token: 'made-up', newPassword: PASSWORD, confirmPassword: PASSWORD };
  const tries = [];
  for (let count = 0; count < 4; count += 1)
    tries.push((await from('198.51.100.1').post('/api/reset-password', form)).status);
  expect(tries).toEqual([400, 400, 429, 429]);
});
