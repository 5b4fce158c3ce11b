/* A thief has a mailed link or a mailbox: of a gamer, of one who becomes staff, of staff with a second factor. */
import type { AuthStatus, GamerSession } from '../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import { ADMIN_PASSWORD } from '../api-under-test.js';
import { mailedToken } from '../mails.js';
import { enrol, ORIGIN, PROXIED, SESSION_COOKIE, totpCode } from '../second-factor.js';
import { Visitor } from '../visitor.js';
import { WholeApplication } from '../whole-application.js';

const PASSWORD = 'a password of a gamer';
const NEXT = 'the password of a thief';

const { api, mail } = WholeApplication.forTests({ PUBLIC_ORIGIN: ORIGIN }, { worker: false, mail: true });
let admin: Visitor;

beforeAll(async () => {
  admin = visitor();
  await logIn(admin, 'admin', ADMIN_PASSWORD);
  await enrol(admin, ADMIN_PASSWORD);
});

const visitor = () => new Visitor(api.url, PROXIED);
const emailOf = (gamerTag: string) => `${gamerTag}@example.com`;

const logIn = (as: Visitor, username: string, password: string, code?: string) =>
  as.post<GamerSession & ErrorBody>('/api/login', { username, password, ...(code && { code }) });

async function register(username: string): Promise<{ id: string; as: Visitor }> {
  const as = visitor();
  const form = { username, email: emailOf(username), password: PASSWORD };
  return { id: (await as.post<GamerSession>('/api/register', form)).body.id, as };
}

const setRole = async (id: string, role: string, powers?: string[]) =>
  expect((await admin.post(`/api/admin/mini/gamers/${id}/role`, { role, powers })).status).toBe(200);

async function resetToken(gamerTag: string): Promise<string> {
  await visitor().post('/api/request-password-reset', { gamerTag, email: emailOf(gamerTag) });
  return mailedToken(mail, emailOf(gamerTag), 'reset-password');
}

async function emailToken(as: Visitor, newEmail: string): Promise<string> {
  expect((await as.post('/api/account/email', { newEmail, currentPassword: PASSWORD })).status).toBe(200);
  return mailedToken(mail, newEmail, 'confirm-email');
}

const reset = (token: unknown, as = visitor()) =>
  as.post<ErrorBody>('/api/reset-password', { token, newPassword: NEXT, confirmPassword: NEXT });
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
    expect((await logIn(visitor(), 'victim', PASSWORD)).status).toBe(200);
    expect((await logIn(visitor(), 'other', NEXT)).status).toBe(200);
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
    await setRole(gamer.id, 'operator', ['support']);
    expect((await confirm(forEmail)).body.code).toBe('invalid-email-link');
    expect((await reset(forReset)).body.code).toBe('invalid-reset-token');
    expect(await statusOf(gamer.as)).toMatchObject({ email: emailOf('promoted') });
  });
});

it('the mailbox of a staff member opens no session past the second factor', async () => {
  const operator = await register('operator');
  await setRole(operator.id, 'operator', ['support']);
  const { secret } = await enrol(operator.as, PASSWORD);
  expect((await reset(await resetToken('operator'))).status).toBe(200);
  expect((await statusOf(operator.as)).isAuthenticated).toBe(false);
  const thief = visitor();
  expect((await logIn(thief, 'operator', NEXT)).body.code).toBe('second-factor-code-required');
  expect((await logIn(thief, 'operator', NEXT, 'AAAA-BBBB-CCCC')).body.code).toBe('wrong-code');
  expect(thief.cookie(SESSION_COOKIE)).toBeUndefined();
  const later = totpCode(secret, Date.now() + 30_000);
  expect((await logIn(operator.as, 'operator', NEXT, later)).status).toBe(200);
});
