import { createHash } from 'node:crypto';
import type { AuthStatus, GamerSession } from '../../../../contracts/http/gamers.js';
import type { ErrorBody, MessageResponse } from '../../../../contracts/http/headers.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { until } from '../../../../contracts/testing/until.js';
import { ADMIN_PASSWORD } from '../../../test/api-under-test.js';
import { mailsTo, type ReceivedMail } from '../../../test/mails.js';
import { errorOf, Visitor } from '../../../test/visitor.js';
import { WholeApplication } from '../../../test/whole-application.js';
import { AccountsStore } from './accounts.store.js';
import { MailedLinks } from './mailed-links.store.js';

const PASSWORD = 'open sesame';
const NEW_PASSWORD = 'another unusual one';
const ORIGIN = 'https://play.example';
const SENT = 'If your account exists, a password reset email has been sent. Please check your email.';
const GONE = [400, 'This reset link is invalid or has expired.'];

const application = WholeApplication.forTests(
  { MAIL_FROM: 'Omni Jackpot <play@omni.example>', PUBLIC_ORIGIN: `${ORIGIN},http://127.0.0.1:3000` },
  { worker: false, mail: true },
);
const { api, mail } = application;

const send = (path: string, body: object) =>
  new Visitor(api.url).post<MessageResponse & ErrorBody>(`/api/${path}`, body);

const ask = (gamerTag: unknown, email: unknown) => send('request-password-reset', { gamerTag, email });

const check = (token: string) => send('reset-password/check', { token });

const reset = (token: unknown, newPassword: unknown = NEW_PASSWORD, confirmPassword = newPassword) =>
  send('reset-password', { token, newPassword, confirmPassword });

const logIn = (username: string, password: string) =>
  new Visitor(api.url).post<GamerSession>('/api/login', { username, password });

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
  // Neither a check nor an invalid password uses the token up.
  expect((await check(token)).status).toBe(200);
  expect(await errorOf(reset(token, 'one unusual', 'other unusual'))).toEqual([400, 'Passwords do not match']);
  expect(await errorOf(reset(token, 'short'))).toEqual([400, 'Password must be at least 6 characters long']);
  const done = await reset(token);
  expect(done).toMatchObject({
    status: 200,
    body: { message: 'Your password has been updated successfully. Please log in with your new password.' },
  });
  expect(done.headers.get('x-position')).toMatch(/^\d+$/);
  expect((await visitor.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
  expect((await logIn('Forgetful', PASSWORD)).status).toBe(401);
  expect((await logIn('Forgetful', NEW_PASSWORD)).status).toBe(200);
  expect(await errorOf(check(token))).toEqual(GONE);
  for (const unusable of [token, '', undefined, 'x'.repeat(300), 'made-up', { $gt: '' }])
    expect(await errorOf(reset(unusable, 'a third unusual one'))).toEqual(GONE);

  const events = await application.eventsOf(gamerStream(id));
  expect(events.at(-1)).toMatchObject({
    event: { type: 'PasswordChanged', data: { gamerId: id, by: 'reset-link' } },
    metadata: { actor: { id, role: 'gamer' } },
  });
  expect(JSON.stringify(events)).not.toContain(NEW_PASSWORD);
});

it('answers alike whether the account exists or not, and mails only the account’s own address, none under .invalid', async () => {
  await application.register('Careful');
  const { body: admin } = await logIn('admin', ADMIN_PASSWORD);
  expect(admin.email).toMatch(/\.invalid$/);
  const responses = [
    await ask('Careful', 'stranger@example.com'),
    await ask('Nobody', 'Careful@example.com'),
    await ask('admin', admin.email),
    await ask('Careful', 'careful@example.com'),
  ];
  const visible = responses.map(({ status, body, headers }) => ({ status, body, type: headers.get('content-type') }));
  expect(new Set(visible.map((response) => JSON.stringify(response))).size).toBe(1);
  // The mail of the last request has arrived, so the others sent none.
  expect(await resetsTo('Careful', 1)).toHaveLength(1);
  for (const address of ['stranger@example.com', admin.email]) expect(await mailsTo(mail, address)).toEqual([]);
  const required = [400, 'All fields are required'];
  expect(await errorOf(ask('', 'careful@example.com'))).toEqual(required);
  expect(await errorOf(ask('Careful', undefined))).toEqual(required);
});

it('stores a token’s digest for one hour, and deletes all tokens of a gamer when one is used', async () => {
  const { id } = await application.register('Hasty');
  const tokens = [await newToken('Hasty', 1), await newToken('Hasty', 2), await newToken('Hasty', 3)];
  const [first = '', second, third] = tokens;
  const expireIn = (seconds: number, token: string) =>
    application.database.query<{ left: number }>(
      `UPDATE auth.mailed_links AS link SET expires_at = now() + make_interval(secs => $1) FROM auth.mailed_links AS former
       WHERE link.token_hash = $2 AND former.token_hash = link.token_hash
       RETURNING extract(epoch FROM former.expires_at - now())::float8 AS left`,
      [seconds, createHash('sha256').update(token).digest()],
    );
  const { rows } = await expireIn(-1, first);
  expect(Math.abs(rows[0]!.left - 3_600)).toBeLessThan(60);
  expect(await errorOf(reset(first))).toEqual(GONE);
  expect((await reset(second)).status).toBe(200);
  expect((await reset(third, 'one more unusual')).status).toBe(400);
  expect((await application.database.query('SELECT FROM auth.mailed_links WHERE gamer_id = $1', [id])).rowCount).toBe(
    0,
  );
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
  const { id } = await application.register('Watched');
  const path = `/api/admin/mini/gamers/${id}`;
  const before = await newToken('Watched', 1);
  expect((await admin.post(`${path}/reset-password`, { password: 'set by the admin' })).status).toBe(200);
  expect(await errorOf(reset(before))).toEqual(GONE);
  expect((await logIn('Watched', 'set by the admin')).status).toBe(200);

  const toOldAddress = await newToken('Watched', 2);
  expect((await admin.patch(`${path}/profile`, { email: 'elsewhere@example.com' })).status).toBe(200);
  expect(await errorOf(reset(toOldAddress))).toEqual(GONE);

  expect((await ask('Watched', 'elsewhere@example.com')).status).toBe(200);
  const toNewAddress = tokenIn((await resetsTo('elsewhere', 1))[0] as ReceivedMail);
  expect((await admin.patch(`${path}/profile`, { gamerTag: 'Renamed' })).status).toBe(200);
  expect((await reset(toNewAddress)).status).toBe(200);
  expect((await logIn('Renamed', NEW_PASSWORD)).status).toBe(200);
});

it('makes no link for an account that changed since it was read; a restored one without a password gets one', async () => {
  const { id } = await application.register('Restored');
  const accounts = api.app.get(AccountsStore);
  const read = (await accounts.findById(id))!;
  await accounts.set(id, { passwordHash: null });
  expect(await api.app.get(MailedLinks).create('reset-password', read.email, read)).toBeNull();
  expect((await logIn('Restored', PASSWORD)).status).toBe(401);
  expect((await reset(await newToken('Restored'))).status).toBe(200);
  expect((await logIn('Restored', NEW_PASSWORD)).status).toBe(200);
});
