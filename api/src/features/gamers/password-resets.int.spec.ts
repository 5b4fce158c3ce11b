import { createHash } from 'node:crypto';
import type { AuthStatus, GamerSession } from '../../../../contracts/http/gamers.js';
import type { ErrorBody, MessageResponse } from '../../../../contracts/http/headers.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { until } from '../../../../contracts/testing/until.js';
import { ADMIN_PASSWORD } from '../../../test/api-under-test.js';
import { mailsTo, type ReceivedMail } from '../../../test/mails.js';
import { type ApiResponse, Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { Clock } from '../../platform/clock.js';
import { AccountsStore } from './accounts.store.js';
import { MailedLinks } from './mailed-links.store.js';

const PASSWORD = 'open sesame';
const NEW_PASSWORD = 'another unusual one';
const ORIGIN = 'https://play.example';
const SENT = 'If your account exists, a password reset email has been sent. Please check your email.';

const application = WholeApplication.forTests(
  { MAIL_FROM: 'Omni Jackpot <play@omni.example>', PUBLIC_ORIGIN: `${ORIGIN},http://127.0.0.1:3000` },
  { worker: false, mail: true },
);
const { api, mail } = application;

const send = (path: string, body: object, at = api) =>
  new Visitor(at.url).post<MessageResponse & ErrorBody>(`/api/${path}`, body);

const ask = (gamerTag: unknown, email: unknown, at = api) => send('request-password-reset', { gamerTag, email }, at);

const check = (token: string) => send('reset-password/check', { token });

const reset = (token: unknown, newPassword: unknown = NEW_PASSWORD, confirmPassword = newPassword) =>
  send('reset-password', { token, newPassword, confirmPassword });

const logIn = (username: string, password: string) =>
  new Visitor(api.url).post<GamerSession>('/api/login', { username, password });

it('mails no link to an address under .invalid, with the same response', async () => {
  const { body } = await logIn('admin', ADMIN_PASSWORD);
  expect(body.email).toMatch(/\.invalid$/);
  expect((await ask('admin', body.email)).body.message).toBe(SENT);
  await application.register('after_invalid');
  expect((await ask('after_invalid', 'after_invalid@example.com')).body.message).toBe(SENT);
  // The later mail has arrived, so the earlier one was not sent.
  await until(async () => (await mailsTo(mail, 'after_invalid@example.com')).length);
  expect(await mailsTo(mail, body.email)).toEqual([]);
});

const resetsTo = (username: string, count: number): Promise<ReceivedMail[]> =>
  until(
    async () => (await mailsTo(mail, `${username}@example.com`)).filter(({ subject }) => subject.startsWith('Reset')),
    (mails) => mails.length >= count,
  );

const tokenIn = ({ text }: ReceivedMail): string => /\/reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? '';

async function newToken(username: string, count = 1): Promise<string> {
  expect((await ask(username, `${username}@example.com`)).status).toBe(200);
  return tokenIn((await resetsTo(username, count))[0] as ReceivedMail);
}

const refused = ({ status, body }: ApiResponse<ErrorBody>) => [status, body.error];

it('mails a link that sets a new password once and ends every session', async () => {
  const { id, visitor } = await application.register('Forgetful');
  const response = await ask(' forgetful ', 'FORGETFUL@example.com');
  expect(response).toMatchObject({ status: 200, body: { message: SENT } });
  const [received] = (await resetsTo('Forgetful', 1)) as [ReceivedMail];
  expect(received).toMatchObject({
    to: ['Forgetful@example.com'],
    from: 'play@omni.example',
    subject: 'Reset your Omni Jackpot password',
  });
  const token = tokenIn(received);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const link = `${ORIGIN}/reset-password?token=${token}`;
  expect(received.text).toContain(link);
  expect(received.html).toContain(`href="${link}"`);
  for (const form of [received.text, received.html]) expect(form).toContain('Forgetful');
  expect(received.text).toContain('within one hour');

  expect((await visitor.get<AuthStatus>('/api/auth/status')).body).toMatchObject({ isAuthenticated: true });
  expect((await check(token)).status).toBe(200);
  const done = await reset(token);
  expect(done).toMatchObject({
    status: 200,
    body: { message: 'Your password has been updated successfully. Please log in with your new password.' },
  });
  expect(done.headers.get('x-position')).toMatch(/^\d+$/);
  expect((await visitor.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
  expect((await logIn('Forgetful', PASSWORD)).status).toBe(401);
  expect((await logIn('Forgetful', NEW_PASSWORD)).status).toBe(200);
  for (const response of [await check(token), await reset(token, 'a third unusual one')])
    expect(refused(response)).toEqual([400, 'This reset link is invalid or has expired.']);

  const events = await application.eventsOf(gamerStream(id));
  expect(events.at(-1)).toMatchObject({
    event: { type: 'PasswordChanged', data: { gamerId: id, by: 'reset-link' } },
    metadata: { actor: { id, role: 'gamer' } },
  });
  expect(JSON.stringify(events)).not.toContain(NEW_PASSWORD);
});

it('answers alike whether the account exists or not, and mails only the account’s own address', async () => {
  await application.register('Careful');
  const responses = [
    await ask('Careful', 'stranger@example.com'),
    await ask('Nobody', 'Careful@example.com'),
    await ask('Careful', 'careful@example.com'),
  ];
  const visible = responses.map(({ status, body, headers }) => ({ status, body, type: headers.get('content-type') }));
  expect(new Set(visible.map((response) => JSON.stringify(response))).size).toBe(1);
  expect(await resetsTo('Careful', 1)).toHaveLength(1);
  const everything = (await (await fetch(`${mail.url}/messages`)).json()) as ReceivedMail[];
  expect(everything.flatMap(({ to }) => to)).not.toContain('stranger@example.com');
  const required = [400, 'All fields are required'];
  expect(refused(await ask('', 'careful@example.com'))).toEqual(required);
  expect(refused(await ask('Careful', undefined))).toEqual(required);
});

it('stores a token’s digest for one hour, and deletes all tokens of a gamer when one is used', async () => {
  await application.register('Hasty');
  const first = await newToken('Hasty', 1);
  const second = await newToken('Hasty', 2);
  expect(second).not.toBe(first);
  const { rows } = await application.database.query<{ token_hash: Buffer; left: string }>(
    'SELECT token_hash, extract(epoch FROM expires_at - now()) AS left FROM auth.mailed_links',
  );
  const hashes = rows.map(({ token_hash }) => token_hash.toString('hex'));
  for (const token of [first, second]) expect(hashes).toContain(createHash('sha256').update(token).digest('hex'));
  for (const { left } of rows) expect(Number(left)).toBeGreaterThan(3_000);

  const clock = api.app.get(Clock);
  const later = jest.spyOn(clock, 'now').mockReturnValue(Date.now() + 60 * 60 * 1000 + 1_000);
  expect(refused(await reset(first))).toEqual([400, 'This reset link is invalid or has expired.']);
  later.mockRestore();
  expect((await reset(first)).status).toBe(200);
  expect((await reset(second, 'one more unusual')).status).toBe(400);
});

it('accepts a token once when two requests use it at the same time', async () => {
  await application.register('Doubled');
  const token = await newToken('Doubled');
  const responses = await Promise.all([reset(token, 'one unusual word'), reset(token, 'other unusual word')]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = responses[0]?.status === 200 ? 'one unusual word' : 'other unusual word';
  expect((await logIn('Doubled', winner)).status).toBe(200);
});

it('voids links when the admin changes the password or the email, but not the tag', async () => {
  const { visitor: admin } = await application.admin();
  const gone = [400, 'This reset link is invalid or has expired.'];

  const { id } = await application.register('Watched');
  const path = `/api/admin/mini/gamers/${id}`;
  const before = await newToken('Watched', 1);
  expect((await admin.post(`${path}/reset-password`, { password: 'set by the admin' })).status).toBe(200);
  expect(refused(await reset(before))).toEqual(gone);
  expect((await logIn('Watched', 'set by the admin')).status).toBe(200);

  const toOldAddress = await newToken('Watched', 2);
  const moved = { gamerTag: 'Watched', email: 'elsewhere@example.com' };
  expect((await admin.patch(`${path}/profile`, moved)).status).toBe(200);
  expect(refused(await reset(toOldAddress))).toEqual(gone);

  expect((await ask('Watched', moved.email)).status).toBe(200);
  const toNewAddress = tokenIn((await resetsTo('elsewhere', 1))[0] as ReceivedMail);
  expect((await admin.patch(`${path}/profile`, { ...moved, gamerTag: 'Renamed' })).status).toBe(200);
  expect((await reset(toNewAddress)).status).toBe(200);
  expect((await logIn('Renamed', NEW_PASSWORD)).status).toBe(200);
});

it('mails no link when the account changed since the request', async () => {
  const { id } = await application.register('Overtaken');
  const accounts = api.app.get(AccountsStore);
  const found = await accounts.findByTag('Overtaken');
  const { visitor: admin } = await application.admin();
  await admin.post(`/api/admin/mini/gamers/${id}/reset-password`, { password: 'set by the admin' });
  jest.spyOn(accounts, 'findByTag').mockResolvedValueOnce(found);
  const keep = jest.spyOn(api.app.get(MailedLinks), 'create');
  expect((await ask('Overtaken', 'overtaken@example.com')).status).toBe(200);
  expect(await keep.mock.results[0]?.value).toBeNull();
  const sent = await resetsTo('Overtaken', 0);
  expect(sent).toEqual([]);
  keep.mockRestore();
});

it('does not use up a token for an invalid password', async () => {
  await application.register('Sloppy');
  const token = await newToken('Sloppy');
  expect(refused(await reset(token, 'one unusual', 'other unusual'))).toEqual([400, 'Passwords do not match']);
  expect(refused(await reset(token, 'short'))).toEqual([400, 'Password must be at least 6 characters long']);
  for (const nothing of ['', undefined, 'x'.repeat(300), 'made-up', { $gt: '' }]) {
    expect(refused(await reset(nothing))).toEqual([400, 'This reset link is invalid or has expired.']);
  }
  expect((await reset(token)).status).toBe(200);
});

it('lets a gamer with a restored account, which has no password, set one', async () => {
  const { id } = await application.register('Restored');
  const accounts = api.app.get(AccountsStore);
  await accounts.change(id, { passwordHash: null }, async () => ({ passwordHash: null }));
  expect((await logIn('Restored', PASSWORD)).status).toBe(401);
  expect((await reset(await newToken('Restored'))).status).toBe(200);
  expect((await logIn('Restored', NEW_PASSWORD)).status).toBe(200);
});

it('limits requests per account, existing or not, and per address', async () => {
  const limited = await application.startAnotherNode({
    SMTP_URL: mail.smtpUrl,
    RATE_LIMITS: 'on',
    LIMIT_PASSWORD_RESETS_PER_ACCOUNT: '2',
    LIMIT_PASSWORD_RESETS_PER_ADDRESS: '6',
  });
  const from = (ip: string) => new Visitor(limited.url, { 'x-forwarded-for': ip });
  const path = '/api/request-password-reset';
  for (const gamerTag of ['Careful', 'Nobody']) {
    const form = { gamerTag, email: 'careful@example.com' };
    for (let tries = 0; tries < 2; tries += 1) expect((await from('198.51.100.1').post(path, form)).status).toBe(200);
    const response = await from('198.51.100.2').post(path, { gamerTag: gamerTag.toUpperCase(), email: form.email });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const form = { token: 'made-up', newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
  const tries = [];
  for (let count = 0; count < 4; count += 1) {
    tries.push((await from('198.51.100.1').post('/api/reset-password', form)).status);
  }
  expect(tries).toEqual([400, 400, 429, 429]);
});

it('answers alike without a mail server, and stores no token', async () => {
  await application.register('Mailless');
  const mute = await application.startAnotherNode();
  const found = jest.spyOn(mute.app.get(AccountsStore), 'findByTag');
  expect(await ask('Mailless', 'mailless@example.com', mute)).toMatchObject({ status: 200, body: { message: SENT } });
  expect(found).toHaveBeenCalledWith('Mailless');
  const { rows } = await application.database.query(
    `SELECT FROM auth.mailed_links JOIN auth.accounts USING (gamer_id) WHERE gamer_tag = 'Mailless' AND page = 'reset-password'`,
  );
  expect(rows).toEqual([]);
});
