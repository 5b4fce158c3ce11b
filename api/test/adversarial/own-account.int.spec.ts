/* A thief with a session changes nothing without the password; what one with it does, the gamer reads in a mail. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthStatus, GamerSession, OwnSession } from '../../../contracts/http/gamers.js';
import type { ErrorBody, MessageResponse } from '../../../contracts/http/headers.js';
import type { ProtectionResponse } from '../../../contracts/http/protection.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import { gamerStream } from '../../../contracts/streams.js';
import { until } from '../../../contracts/testing/until.js';
import { startEmbeddedMail } from '../../../embedded/mail/start-embedded-mail.js';
import { anyFreePort } from '../../../embedded/postgres/free-port.js';
import { startApi } from '../api-under-test.js';
import { mailsTo as allMailsTo, type ReceivedMail } from '../mails.js';
import { type ApiResponse, ok, Visitor } from '../visitor.js';
import { type Person, readAfter, WholeApplication } from '../whole-application.js';

const PASSWORD = 'open sesame';
const NEXT = 'a better one than before';
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' };
const IPHONE = {
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1',
};
const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
const LINK_SENT = 'If this address can be used, a link was sent to it. Your email stays the same until you open it.';

const application = WholeApplication.forTests({}, { mail: true });
const { mail } = application;
const other = application.anotherNodeForTests();
const admin = application.adminForTests();

type Outcome = MessageResponse & ErrorBody;
const emailOf = ({ gamerTag }: Person) => `${gamerTag}@example.com`;

/** The mails to an address, newest first, once there are so many; without that of its registration. */
const mailsTo = (address: string, count: number, from = mail): Promise<ReceivedMail[]> =>
  until(
    async () =>
      (await allMailsTo(from, address)).filter(
        ({ text }) => !text.includes('registered at Omni Jackpot with this email'),
      ),
    (mails) => mails.length >= count,
  );

async function logIn(username: string, password = PASSWORD, headers = FIREFOX as Record<string, string>, url?: string) {
  const visitor = new Visitor(url ?? application.api.url, headers);
  const response = await visitor.post<GamerSession & ErrorBody>('/api/login', { username, password });
  return { visitor, response };
}

const isIn = async (visitor: Visitor) => (await visitor.get<AuthStatus>('/api/auth/status')).body.isAuthenticated;

const changePassword = (by: Visitor, currentPassword: unknown, newPassword = NEXT, confirmPassword = newPassword) =>
  by.post<Outcome>('/api/account/password', { currentPassword, newPassword, confirmPassword });

const changeEmail = (visitor: Visitor, newEmail: unknown, currentPassword: unknown = PASSWORD) =>
  visitor.post<Outcome>('/api/account/email', { newEmail, currentPassword });

const confirm = (token: unknown) => application.visitor().post<Outcome>('/api/account/email/confirm', { token });

const register = (username: string, email: string, visitor = application.visitor()) =>
  visitor.post<Outcome & GamerSession>('/api/register', { username, email, password: PASSWORD });

async function registerAs(gamerTag: string, email: string): Promise<Person> {
  const visitor = application.visitor();
  return { ...(await register(gamerTag, email, visitor)).body, gamerTag, visitor };
}

const exclude = ({ id, visitor }: Person, days = 184) =>
  visitor.post(`/api/gamer/${id}/exclusion`, { kind: 'self-exclusion', days });

const codeOf = ({ body }: ApiResponse<Outcome>) => body.code;
const tokenIn = (mailed: ReceivedMail | undefined) =>
  /\/confirm-email\?token=([\w-]+)/.exec(mailed?.text ?? '')?.[1] ?? '';
/** Follows the link in the newest mail to an address, which has got so many. */
const confirmMailed = async (address: string, count = 1) => confirm(tokenIn((await mailsTo(address, count))[0]));
const sessionsOf = async (visitor: Visitor) => (await visitor.get<OwnSession[]>('/api/account/sessions')).body;

/** Waits until everything that follows a response is done. */
const untilQuiet = () => sleep(300);

describe('the password', () => {
  it('is changed only with the current one, and by its rules', async () => {
    const gamer = await application.register('changer');
    expect(codeOf(await changePassword(gamer.visitor, 'a guess'))).toBe('wrong-password');
    expect(codeOf(await changePassword(gamer.visitor, PASSWORD, NEXT, 'another'))).toBe('passwords-do-not-match');
    expect(codeOf(await changePassword(gamer.visitor, PASSWORD, 'password1'))).toBe('password-too-common');
    for (const nothing of [undefined, { $ne: '' }])
      expect(codeOf(await changePassword(gamer.visitor, nothing))).toBe('all-fields-required');
    expect((await changePassword(application.visitor(), PASSWORD)).status).toBe(401);
    expect((await logIn('changer')).response.status).toBe(200);
    expect(codeOf(await changePassword(admin.visitor, 'a guess', 'elevenchars'))).toBe('staff-password-too-short');
  });

  it('ends all other sessions and their sockets on every node, and keeps the changer in under a new id', async () => {
    const gamer = await application.register('owner_p');
    const { visitor: thief } = await logIn('owner_p', PASSWORD, IPHONE, other.url);
    const sockets = [await application.socket(gamer.visitor), await application.socket(thief, other.url)];
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('disconnect', resolve)));
    const former = gamer.visitor.at(application.api.url);

    const { body } = await ok(changePassword(gamer.visitor, PASSWORD));
    expect(body.message).toContain('other sessions have ended');
    await Promise.all(closed);
    expect([await isIn(gamer.visitor), await isIn(thief), await isIn(former)]).toEqual([true, false, false]);
    expect((await logIn('owner_p')).response.status).toBe(401);
    expect((await logIn('owner_p', NEXT)).response.status).toBe(200);
    const texts = (await mailsTo('owner_p@example.com', 2)).map(({ text }) => text);
    expect(texts.join()).toContain('The password of owner_p was changed');
  });

  it('is changed once by two requests at the same time', async () => {
    const gamer = await application.register('twice');
    const words = [NEXT, 'one more unusual'];
    await Promise.all(words.map((word) => changePassword(gamer.visitor, PASSWORD, word)));
    const works = await Promise.all(words.map(async (word) => (await logIn('twice', word)).response.status));
    expect(works.sort()).toEqual([200, 401]);
    expect((await logIn('twice')).response.status).toBe(401);
  });
});

describe('the email', () => {
  it('changes only once its mailbox confirms it, with notices to the former one', async () => {
    const gamer = await application.register('mover');
    const requested = await changeEmail(gamer.visitor, ' moved@example.com ');
    expect(requested).toMatchObject({ status: 200, body: { message: LINK_SENT } });
    const [notice] = await mailsTo(emailOf(gamer), 1);
    expect(notice).toMatchObject({ subject: 'Another email for your Omni Jackpot account' });
    expect(notice?.text).toContain('Nothing changes until the other mailbox confirms it');
    expect(notice?.text).toContain('change your password now');
    expect(notice?.text).not.toContain('token=');
    const token = tokenIn((await mailsTo('moved@example.com', 1))[0]);
    expect((await gamer.visitor.get<GamerSession>('/api/auth/status')).body.email).toBe(emailOf(gamer));

    expect((await confirm(token)).status).toBe(200);
    expect((await gamer.visitor.get<GamerSession>('/api/auth/status')).body.email).toBe('moved@example.com');
    expect(codeOf(await confirm(token))).toBe('invalid-email-link');
    const [last] = await mailsTo(emailOf(gamer), 2);
    expect(last).toMatchObject({ subject: 'The email of your Omni Jackpot account was changed' });
    // The former mailbox resets nothing any more.
    await application.visitor().post('/api/request-password-reset', { gamerTag: 'mover', email: emailOf(gamer) });
    await untilQuiet();
    expect(await mailsTo(emailOf(gamer), 2)).toHaveLength(2);
  });

  it('is refused without the password or without a valid address', async () => {
    const gamer = await application.register('keeper');
    expect(codeOf(await changeEmail(gamer.visitor, 'thief@example.com', 'a guess'))).toBe('wrong-password');
    expect(codeOf(await changeEmail(gamer.visitor, 'nowhere'))).toBe('invalid-email');
    expect(codeOf(await changeEmail(gamer.visitor, ['thief@example.com']))).toBe('all-fields-required');
    expect((await changeEmail(application.visitor(), 'thief@example.com')).status).toBe(401);
    for (const nothing of ['', undefined, 'made-up', 'x'.repeat(300), { $gt: '' }])
      expect(codeOf(await confirm(nothing))).toBe('invalid-email-link');
    await untilQuiet();
    expect(await mailsTo('thief@example.com', 0)).toEqual([]);
  });

  it('answers alike for a free address, a taken one and that of an excluded gamer, and mails the free one only', async () => {
    const victim = await application.register('victim_e');
    const excluded = await application.register('excluded_e');
    expect((await exclude(excluded)).status).toBe(200);
    await confirmMailed(emailOf(excluded));
    const curious = await application.register('curious');
    for (const email of ['Victim_E@example.com', 'excluded_e+again@example.com', 'curious.two@example.com']) {
      const { status, body } = await changeEmail(curious.visitor, email);
      expect([email, status, body]).toEqual([email, 200, { message: LINK_SENT }]);
    }
    await mailsTo('curious.two@example.com', 1);
    // Three notices: their number says nothing either.
    await mailsTo(emailOf(curious), 3);
    expect(await mailsTo(emailOf(victim), 0)).toEqual([]);
    expect(await mailsTo('excluded_e+again@example.com', 0)).toEqual([]);
  });

  it('of a mailed link is void once another email is requested', async () => {
    const gamer = await application.register('wavering');
    await changeEmail(gamer.visitor, 'wavering-wanted@example.com');
    const [link] = await mailsTo('wavering-wanted@example.com', 1);
    await changeEmail(gamer.visitor, 'wavering-third@example.com');
    await mailsTo('wavering-third@example.com', 1);
    expect(codeOf(await confirm(tokenIn(link)))).toBe('invalid-email-link');
  });

  it('goes to exactly one of two gamers who confirm the same address', async () => {
    const rivals = [await application.register('rival_a'), await application.register('rival_b')];
    for (const { visitor } of rivals) await changeEmail(visitor, 'wanted@example.com');
    const tokens = (await mailsTo('wanted@example.com', 2)).map(tokenIn);
    const responses = await Promise.all(tokens.map(confirm));
    expect(responses.map(codeOf).sort()).toEqual(['email-taken', undefined].sort());
    const events = (await Promise.all(rivals.map(({ id }) => application.eventsOf(gamerStream(id))))).flat();
    expect(events.filter(({ event }) => event.type === 'EmailChanged')).toHaveLength(1);
  });
});

const [ASCII, UNICODE] = ['uma@xn--bcher-kva.example', 'UMA@b\u00fccher.example'];

it('a mailbox is one in both spellings of its domain: for login, reset, confirmation, change and exclusion', async () => {
  const uma = await registerAs('uma', ASCII);
  expect((await logIn(UNICODE)).response.status).toBe(200);
  await application.visitor().post('/api/request-password-reset', { gamerTag: 'uma', email: UNICODE });
  const subjects = async (count: number) => (await mailsTo(UNICODE, count)).map(({ subject }) => subject).sort();
  expect(await subjects(2)).toEqual(['New login to your Omni Jackpot account', 'Reset your Omni Jackpot password']);
  expect((await changeEmail(uma.visitor, UNICODE)).status).toBe(200);
  expect((await subjects(3))[0]).toBe('Confirm your email for Omni Jackpot');
  const link = (await mailsTo(UNICODE, 3)).find((mailed) => tokenIn(mailed) !== '');
  expect((await confirm(tokenIn(link))).body.message).toBe('Your email is confirmed');
  expect(codeOf(await changeEmail(uma.visitor, UNICODE))).toBe('email-unchanged');
  expect((await exclude(uma)).status).toBe(200);
  expect(codeOf(await register('uma_2', UNICODE.replace('UMA', 'uma+2')))).toBe('identity-refused');
});

describe('an exclusion', () => {
  const protectionOf = async (gamer: Person) =>
    (await gamer.visitor.get<ProtectionResponse>(`/api/gamer/${gamer.id}/protection`)).body;
  const confirmOwn = async (gamer: Person, email = emailOf(gamer)) => {
    await changeEmail(gamer.visitor, email);
    await confirmMailed(email);
  };

  it('bars no mailbox before its owner followed a link to it', async () => {
    const stranger = await application.register('not_owner');
    expect((await exclude(stranger)).status).toBe(200);
    expect((await protectionOf(stranger)).exclusion).toMatchObject({ kind: 'self-exclusion' });
    expect((await register('true_owner', 'not_owner+mine@example.com')).status).toBe(201);
    const [link] = await mailsTo(emailOf(stranger), 1);
    expect(link?.text).toMatch(/not_owner is self-excluded until \w{3} \d\d, \d{4}, .* in New York\./);
    expect((await confirm(tokenIn(link))).body).toMatchObject({ message: 'Your email is confirmed' });
    expect(codeOf(await register('not_owner_2', 'NOT_owner+2@example.com'))).toBe('identity-refused');
  });

  it.each(['before', 'after'])('that begins %s a change of the email bars both mailboxes', async (order) => {
    const gamer = await application.register(`leaver_${order}`);
    await confirmOwn(gamer);
    if (order === 'before') await exclude(gamer);
    await confirmOwn(gamer, `new.box_${order}@example.com`);
    if (order === 'after') await exclude(gamer);
    for (const email of [`leaver_${order}+2@example.com`, `new.box_${order}+2@example.com`])
      expect(codeOf(await register('leaver_2', email))).toBe('identity-refused');
  });

  it('holds to its end for the accounts whose confirmed mailbox is the same, and names no others', async () => {
    const first = await registerAs('jan', 'jan@example.com');
    const second = await registerAs('jan_2', 'jan+2@example.com');
    const shorter = await registerAs('not_jan', 'jan+3@example.com');
    const later = await registerAs('jan_4', 'jan+4@example.com');
    expect((await protectionOf(first)).sameMailbox).toEqual([]);
    await confirmOwn(first, 'jan@example.com');
    await confirmOwn(second, 'jan+2@example.com');
    for (const gamer of [first, second]) expect((await protectionOf(gamer)).sameMailbox).toEqual(['jan', 'jan_2']);
    expect((await exclude(shorter)).status).toBe(200);
    expect((await exclude(first, 1_827)).status).toBe(200);
    const { exclusion } = await protectionOf(first);
    expect((await protectionOf(second)).exclusion).toEqual(exclusion);
    expect((await protectionOf(shorter)).exclusion).not.toEqual(exclusion);
    expect((await protectionOf(later)).exclusion).toBeNull();
    // The person who confirms the mailbox later is the excluded person.
    await confirmOwn(shorter, 'jan+3@example.com');
    await confirmOwn(later, 'jan+4@example.com');
    for (const gamer of [first, shorter, later]) expect((await protectionOf(gamer)).exclusion).toEqual(exclusion);
  });
});

describe('the sessions', () => {
  it('are listed with device and time, without the ids that a cookie holds', async () => {
    const gamer = await application.register('lister');
    const { visitor } = await logIn('lister', PASSWORD, IPHONE);
    const list = await sessionsOf(visitor);
    expect(list.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
      ['Safari on iPhone', true],
      ['Another browser on another system', false],
    ]);
    for (const { begunAtMs } of list) expect(Math.abs(begunAtMs - Date.now())).toBeLessThan(60_000);
    const sids = `SELECT sid FROM auth.sessions WHERE sess->>'gamerId' = $1`;
    const { rows } = await application.database.query(sids, [gamer.id]);
    for (const { sid } of rows) expect(JSON.stringify(list)).not.toContain(sid);
    const imitation = new Visitor(application.api.url);
    for (const { id } of list) {
      imitation.setCookie('omni.sid', encodeURIComponent(`s:${id}`));
      expect(await isIn(imitation)).toBe(false);
    }
  });

  it('end one by one, with their sockets on other nodes, and only those of their gamer', async () => {
    const gamer = await application.register('ender');
    const { visitor: thief } = await logIn('ender', PASSWORD, IPHONE, other.url);
    const socket = await application.socket(thief, other.url);
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    const stranger = await application.register('stranger');
    const found = (await sessionsOf(gamer.visitor)).find(({ device }) => device === 'Safari on iPhone') as OwnSession;
    const end = async ({ visitor }: Person, id = found.id) =>
      codeOf(await visitor.delete<Outcome>(`/api/account/sessions/${id}`));
    for (const other of [stranger, admin]) expect(await end(other)).toBe('session-not-found');
    expect(await isIn(thief)).toBe(true);
    expect(await end(gamer)).toBeUndefined();
    await closed;
    expect([await isIn(thief), await isIn(gamer.visitor)]).toEqual([false, true]);
    expect([await end(gamer), await end(gamer, '%00')]).toEqual(['session-not-found', 'unwritable-text']);
  });
});

describe('a mail tells the gamer', () => {
  const subjects = async (gamer: Person, count: number) =>
    (await mailsTo(emailOf(gamer), count)).map(({ subject }) => subject);

  it('of a login on a new device, and not of the next one there', async () => {
    const gamer = await application.register('traveller');
    const { visitor } = await logIn('traveller', PASSWORD, IPHONE);
    expect(await subjects(gamer, 1)).toEqual(['New login to your Omni Jackpot account']);
    expect((await mailsTo(emailOf(gamer), 1))[0]?.text).toContain('Safari on iPhone');
    await visitor.post('/api/logout');
    await visitor.post('/api/login', { username: 'traveller', password: PASSWORD });
    await logIn('traveller', 'a guess');
    await untilQuiet();
    expect(await subjects(gamer, 1)).toHaveLength(1);
    // Another gamer's device is a new one for this gamer.
    const stolen = new Visitor(application.api.url, { 'user-agent': '<a href="https://evil.example">log in</a>' });
    stolen.setCookie('omni.device', visitor.cookie('omni.device')?.replace(/^[^.]+/, admin.id) ?? '');
    await stolen.post('/api/login', { username: 'traveller', password: PASSWORD });
    const [forged] = await mailsTo(emailOf(gamer), 2);
    expect(forged?.html).not.toContain('evil.example');
  });

  it('of a new payout address and of every withdrawal once, also while excluded', async () => {
    const gamer = await application.register('payee');
    await application.give(gamer, 0, 5_000);
    expect((await exclude(gamer)).status).toBe(200);
    await mailsTo(emailOf(gamer), 1);
    const wallet = { cryptoType: 'BTC', walletAddress: BITCOIN };
    for (let times = 0; times < 2; times += 1)
      expect((await gamer.visitor.post(`/api/gamer/${gamer.id}/crypto-wallets`, wallet)).status).toBe(200);
    expect((await subjects(gamer, 2))[0]).toBe('A new payout address in your Omni Jackpot account');
    const key = { 'idempotency-key': 'one-withdrawal' };
    for (let times = 0; times < 3; times += 1)
      await ok(gamer.visitor.post(`/api/gamer/${gamer.id}/withdraw`, { ...wallet, amountCents: 1_000 }, key));
    const [withdrawal] = await mailsTo(emailOf(gamer), 3);
    expect(withdrawal?.text).toContain('payee requested a withdrawal of $10.00 in BTC to 1BoatS…ETtpyT');
    expect(withdrawal?.text).toContain('press Cancel');
    expect(withdrawal?.text).not.toContain(BITCOIN);
    // The page saves the address of a withdrawal after it: the withdrawal's mail names it already.
    const other = { cryptoType: 'BTC', walletAddress: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
    await gamer.visitor.post(`/api/gamer/${gamer.id}/withdraw`, { ...other, amountCents: 1_000 });
    await gamer.visitor.post(`/api/gamer/${gamer.id}/crypto-wallets`, other);
    await untilQuiet();
    expect(await subjects(gamer, 4)).toHaveLength(4);
  });

  it('of a settled withdrawal and an answered ticket once, without the answer', async () => {
    const gamer = await application.register('waiter');
    await application.give(gamer, 0, 5_000);
    const request = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
    const settle = async (status: string, count: number) => {
      const requested = await gamer.visitor.post(`/api/gamer/${gamer.id}/withdraw`, request);
      const [row] = await readAfter<Withdrawal[]>(admin.visitor, requested, '/api/admin/withdrawals?listed=pending');
      for (let times = 0; times < 2; times += 1)
        await admin.visitor.put(`/api/admin/withdrawals/${row?.id}`, { status }, { 'idempotency-key': `to-${status}` });
      return (await mailsTo(emailOf(gamer), count)).find(({ subject }) => subject.includes('by Omni Jackpot'))?.text;
    };
    expect(await settle('completed', 2)).toContain('withdrawal of $10.00 by waiter was sent to your wallet');
    expect(await settle('returned', 4)).toContain('was not sent: the money is back in the winnings');
    const ticket = { gamerId: gamer.id, subject: 'Where is it?', message: 'My coins' };
    const { body } = await gamer.visitor.post<{ id: string }>('/api/support/tickets', ticket);
    const update = { status: 'open', adminNotes: 'In your wallet' };
    for (let times = 0; times < 2; times += 1)
      await admin.visitor.put(`/api/admin/support/tickets/${body.id}`, update, { 'idempotency-key': 'answer' });
    await admin.visitor.put(`/api/admin/support/tickets/${body.id}`, { status: 'closed' });
    await admin.visitor.put(`/api/admin/support/tickets/${body.id}`, { status: 'open' });
    const [answered] = await mailsTo(emailOf(gamer), 6);
    expect(answered?.text).toContain("waiter's ticket “Where is it?” was answered.");
    expect(answered?.text).not.toContain('In your wallet');
    await untilQuiet();
    expect(await subjects(gamer, 6)).toHaveLength(6);
  });

  it('later, when the mail server is unavailable: no act waits for it or fails', async () => {
    const port = await anyFreePort();
    const cut = await startApi(application.stores, { SMTP_URL: `smtp://127.0.0.1:${port}` });
    await application.register('patient');
    const { visitor, response } = await logIn('patient', PASSWORD, IPHONE, cut.url);
    expect(response.status).toBe(200);
    expect((await changePassword(visitor, PASSWORD)).status).toBe(200);
    const restarted = await startEmbeddedMail({ smtpPort: port });
    const received = await mailsTo('patient@example.com', 2, restarted);
    expect(received.map(({ subject }) => subject).sort()).toEqual([
      'New login to your Omni Jackpot account',
      'Your Omni Jackpot password was changed',
    ]);
    await cut.close();
    await restarted.close();
  });
});
