import { ModuleRef } from '@nestjs/core';
import { verify } from '../../../../audit/replay/verify.js';
import type { AdminGamersResponse, AuthStatus, GamerProfile } from '../../../../contracts/http/gamers.js';
import { type ErrorBody, VERSION } from '../../../../contracts/http/headers.js';
import { POWERS, type Power } from '../../../../contracts/ids.js';
import type { TimerSettings } from '../../../../contracts/limits.js';
import { gamerStream } from '../../../../contracts/streams.js';
import { timersVersion, versionOf } from '../../../../contracts/versions.js';
import { hasStaffStatus, powersOf } from '../../../../domain/staff.js';
import { EventLog } from '../../../../event-log/event-log.js';
import { errorOf } from '../../../test/visitor.js';
import { type Person, readAfter, withAliceAndBob } from '../../../test/whole-application.js';
import { Ledger } from '../../ledger/ledger.js';
import { StreamCommands } from '../../ledger/stream-commands.js';
import { Refused, Unavailable } from '../../platform/failures.js';
import { AccountChanges } from './account-changes.store.js';
import { AccountsStore } from './accounts.store.js';
import { AttemptLimits } from './attempt-limits.js';
import { GamersModule } from './gamers.controller.js';
import { MailedLinks } from './mailed-links.store.js';

const { application, admin, alice, bob } = withAliceAndBob();

afterEach(() => jest.restoreAllMocks());

const path = ({ id }: Person, what: string) => `/api/admin/mini/gamers/${id}/${what}`;
const edit = (whom: Person, gamerTag: unknown, email: unknown, headers: Record<string, string> = {}) =>
  admin.visitor.patch<ErrorBody>(path(whom, 'profile'), { gamerTag, email }, headers);
const logIn = (username: string, password: string) =>
  application.visitor().post<ErrorBody>('/api/login', { username, password });

const statusOf = async ({ visitor }: Pick<Person, 'visitor'>) =>
  (await visitor.get<AuthStatus>('/api/auth/status')).body;

const eventsOf = async ({ id }: Person) =>
  (await application.eventsOf(gamerStream(id))).map(({ event, metadata }) => ({ ...event, by: metadata.actor }));

describe('a profile', () => {
  it('refuses invalid and taken tags and emails', async () => {
    for (const [gamerTag, email, error] of [
      ['a b', 'alice@example.com', 'GamerTag must be 3 to 20 letters, digits, _ or -'],
      ['alice', 'nowhere', 'Please enter a valid email address'],
      ['BOB', 'alice@example.com', 'This GamerTag is already taken'],
      ['alice', 'Bob@example.com', 'An account with this email already exists'],
    ])
      expect(await errorOf(edit(alice, gamerTag, email))).toEqual([400, error]);
    expect(await errorOf(edit({ ...alice, id: 'nobody' }, 'who', 'who@example.com'))).toEqual([404, 'Gamer not found']);
    expect((await eventsOf(alice)).map(({ type }) => type)).toEqual(['GamerRegistered']);
    // The admin may keep the reserved tag.
    expect((await edit(admin, 'admin', 'house@example.com')).status).toBe(200);
    expect(await statusOf(admin)).toMatchObject({ email: 'house@example.com' });
  });

  it('changes in the log, with the values before, in the accounts and in the tables', async () => {
    const key = { 'idempotency-key': 'alice-becomes-alicia' };
    const saved = await edit(alice, 'Alicia', 'alicia@example.com', key);
    expect(saved.status).toBe(200);
    const profile = await readAfter<GamerProfile>(alice.visitor, saved, `/api/gamer/${alice.id}`);
    expect(profile).toMatchObject({ gamerTag: 'Alicia', email: 'alicia@example.com' });
    const listed = await readAfter<AdminGamersResponse>(admin.visitor, saved, '/api/admin/mini/gamers?q=alicia@');
    expect(listed.gamers.map(({ id }) => id)).toEqual([alice.id]);
    const { body: byId } = await admin.visitor.get<AdminGamersResponse>(`/api/admin/mini/gamers?q=${alice.id}`);
    expect(byId).toEqual(listed);
    expect(await statusOf(alice)).toMatchObject({ gamerTag: 'Alicia', email: 'alicia@example.com' });
    expect((await logIn('alicia', 'open sesame')).status).toBe(200);
    expect((await logIn('alice', 'open sesame')).status).toBe(401);

    const by = { id: admin.id, role: 'admin' };
    const { id: gamerId } = alice;
    const changes = [
      { type: 'GamerRenamed', data: { gamerId, gamerTag: 'Alicia', gamerTagBefore: 'alice' }, by },
      { type: 'EmailChanged', data: { gamerId, email: 'alicia@example.com', emailBefore: 'alice@example.com' }, by },
    ];
    expect((await eventsOf(alice)).slice(1)).toEqual(changes);
    // A repeated command and a command without a change append no event.
    expect((await edit(alice, 'Alicia', 'alicia@example.com', key)).headers.get('x-position')).toBe(
      saved.headers.get('x-position'),
    );
    expect((await edit(alice, 'Alicia', 'alicia@example.com')).status).toBe(200);
    expect(await eventsOf(alice)).toHaveLength(3);
    // The old tag is available again.
    expect((await edit(bob, 'alice', 'bob@example.com')).status).toBe(200);
    expect((await edit(bob, 'bob', 'bob@example.com')).status).toBe(200);
  });
});

it('a password set by the admin ends every session, replaces the old one, and is not in the log', async () => {
  const carol = await application.register('carol');
  const reset = (password: string) => admin.visitor.post<ErrorBody>(path(carol, 'reset-password'), { password });
  expect(await errorOf(reset('short'))).toEqual([400, 'Password must be at least 6 characters long']);
  expect(await errorOf(reset('password1'))).toEqual([400, 'This password is too common. Please choose another one.']);
  expect(await statusOf(carol)).toMatchObject({ isAuthenticated: true });
  expect((await reset('quite another one')).status).toBe(200);
  expect(await statusOf(carol)).toEqual({ isAuthenticated: false });
  expect((await logIn('carol', 'open sesame')).status).toBe(401);
  expect((await logIn('carol', 'quite another one')).status).toBe(200);
  const events = await eventsOf(carol);
  expect(events.at(-1)).toEqual({
    type: 'PasswordChanged',
    data: { gamerId: carol.id, by: 'admin' },
    by: { id: admin.id, role: 'admin' },
  });
  expect(JSON.stringify(events)).not.toContain('quite another one');
});

it('begins no session for a login with the old password while the admin sets another', async () => {
  const eve = await application.register('eve');
  jest.spyOn(application.api.app.get(AttemptLimits), 'forgiveLogin').mockImplementationOnce(async () => {
    // The old password has been accepted by now.
    await admin.visitor.post(path(eve, 'reset-password'), { password: 'quite another one' });
  });
  const login = application.visitor();
  const response = await login.post<ErrorBody>('/api/login', { username: 'eve', password: 'open sesame' });
  expect(await errorOf(response)).toEqual([401, 'Invalid GamerTag or password']);
  expect(await statusOf({ visitor: login })).toEqual({ isAuthenticated: false });
  expect((await logIn('eve', 'quite another one')).status).toBe(200);
});

it('refuses an idempotency key for a different profile, password or role', async () => {
  const reused = [409, 'This Idempotency-Key was used for a different request'];
  const dave = await application.register('dave');
  expect((await edit(dave, 'david', 'dave@example.com', { 'idempotency-key': 'one' })).status).toBe(200);
  expect(await errorOf(edit(dave, 'daniel', 'dave@example.com', { 'idempotency-key': 'one' }))).toEqual(reused);
  const send = (what: string, body: object) =>
    admin.visitor.post<ErrorBody>(path(dave, what), body, { 'idempotency-key': 'two' });
  expect((await send('reset-password', { password: 'the first one' })).status).toBe(200);
  expect(await errorOf(send('reset-password', { password: 'another one' }))).toEqual(reused);
  expect(await errorOf(send('role', { role: 'auditor' }))).toEqual(reused);
  expect((await send('reset-password', { password: 'the first one' })).status).toBe(200);
  expect((await logIn('david', 'another one')).status).toBe(401);
  expect((await logIn('david', 'the first one')).status).toBe(200);
  const types = (await eventsOf(dave)).map(({ type }) => type);
  expect(types).toEqual(['GamerRegistered', 'GamerRenamed', 'PasswordChanged']);
});

describe('a role', () => {
  it('is gamer, auditor or operator; the admin’s cannot change', async () => {
    const change = (whom: Person, role: unknown) => admin.visitor.post<ErrorBody>(path(whom, 'role'), { role });
    for (const role of ['admin', '', undefined, 7])
      expect(await errorOf(change(bob, role))).toEqual([400, 'The role must be gamer, auditor or operator']);
    expect(await errorOf(change(admin, 'gamer'))).toEqual([403, 'The admin account keeps its role']);
    expect((await admin.visitor.get('/api/admin/mini/gamers')).status).toBe(200);
    expect((await change(bob, 'auditor')).status).toBe(200);
    expect(await statusOf(bob)).toMatchObject({ role: 'auditor' });
    // An auditor has no rights of the admin.
    expect((await bob.visitor.get('/api/admin/mini/gamers')).status).toBe(403);
    expect((await change(bob, 'auditor')).status).toBe(200);
    expect((await change(bob, 'gamer')).status).toBe(200);
    expect((await eventsOf(bob)).filter(({ type }) => type === 'RoleChanged').map(({ data }) => data)).toEqual([
      { gamerId: bob.id, role: 'auditor', roleBefore: 'gamer' },
      { gamerId: bob.id, role: 'gamer', roleBefore: 'auditor' },
    ]);
  });

  it('is not changed in Postgres when the ledger refuses', async () => {
    const fay = await application.register('fay');
    await application.give(fay, 60);
    expect((await admin.visitor.post('/api/admin/game/start-live')).status).toBe(200);
    expect((await fay.visitor.post('/api/buy-from-balance', { userId: fay.id, quantity: 1 })).status).toBe(200);
    expect(await errorOf(admin.visitor.post<ErrorBody>(path(fay, 'role'), { role: 'auditor' }))).toEqual([
      409,
      'This gamer is the last buyer of the live round',
    ]);
    expect(await statusOf(fay)).toMatchObject({ role: 'gamer' });
  });
});

it('refuses to save over a record that changed after the form was opened, and names the person if known', async () => {
  const gina = await application.register('gina');
  const question = { gamerId: gina.id, subject: 'Where?', message: 'Where is it?' };
  const { body: ticket } = await gina.visitor.post<{ id: string }>('/api/support/tickets', question);
  const { body: timers } = await admin.visitor.get<TimerSettings>('/api/admin/timers');
  const email = 'gina@example.com';
  const ticketPath = `/api/admin/support/tickets/${ticket.id}`;
  const forms: [readAs: string, method: string, path: string, body: (save: number) => object][] = [
    [versionOf('gina', email), 'PATCH', path(gina, 'profile'), (save) => ({ gamerTag: `gina${save}`, email })],
    [versionOf('gamer', []), 'POST', path(gina, 'role'), (save) => ({ role: 'operator', powers: [POWERS[save]] })],
    [versionOf('open', 1), 'PUT', ticketPath, (save) => ({ status: 'closed', adminNotes: `Answer ${save}` })],
    [timersVersion(timers), 'POST', '/api/admin/timers', (save) => ({ ...timers, pregameDurationSeconds: 100 + save })],
  ];
  for (const [readAs, method, where, body] of forms) {
    const save = (number: number, headers = {}) => admin.visitor.send<ErrorBody>(method, where, body(number), headers);
    const first = await save(1, { [VERSION]: readAs });
    expect(first.status).toBe(200);
    const by = where.endsWith('timers') ? 'Somebody' : 'admin';
    expect(await save(2, { [VERSION]: readAs })).toMatchObject({
      status: 409,
      body: { error: `${by} changed this after you had opened it. Nothing was saved.`, code: 'changed-meanwhile' },
    });
    expect((await save(3)).status).toBe(200);
  }
});

describe('an account change whose append got no response', () => {
  const account = ({ id }: Person) => application.api.app.get(AccountsStore).findById(id);
  const ledger = () => application.api.app.get(Ledger);
  const isStaff = ({ id }: Person) => ledger().ask(hasStaffStatus, id);
  const unfinishedCount = async () => (await application.database.query('SELECT FROM auth.account_changes')).rowCount;
  const finish = () => application.api.app.get(AccountChanges).finish(0);

  const changeRole = async (person: Person, role: string, powers: Power[] = []) =>
    (await admin.visitor.post(path(person, 'role'), { role, powers })).status;

  /** The next command on a gamer's stream fails. `isAppended`: its events reach the log all the same. */
  function failNext({ isAppended }: { isAppended: boolean }, error: Error = new Unavailable('for the test')): void {
    const streams = application.api.app.get(StreamCommands);
    const execute = streams.execute.bind(streams);
    jest.spyOn(streams, 'execute').mockImplementationOnce(async (command) => {
      if (isAppended) await execute(command);
      throw error;
    });
  }

  it('is finished when the same request is sent again', async () => {
    const carl = await application.register('carl');
    failNext({ isAppended: false });
    expect([await changeRole(carl, 'auditor'), await changeRole(carl, 'auditor')]).toEqual([503, 200]);
    await finish();
    expect([isStaff(carl), (await account(carl))?.role]).toEqual([true, 'auditor']);
  });

  it('is finished also after another change of the account, which succeeds', async () => {
    const dora = await application.register('dora');
    failNext({ isAppended: false });
    expect(await changeRole(dora, 'auditor')).toBe(503);
    const profile = { gamerTag: 'dora-renamed', email: 'dora@example.com' };
    expect((await admin.visitor.patch(path(dora, 'profile'), profile)).status).toBe(200);
    await finish();
    expect([isStaff(dora), await account(dora)]).toMatchObject([false, { role: 'gamer', ...profile }]);
  });

  it('is finished by any node, also when its process has ended, and only once the append must have arrived', async () => {
    const erin = await application.register('erin');
    const profile = { gamerTag: 'erin-renamed', email: 'erin-renamed@example.com' };
    failNext({ isAppended: true });
    expect((await admin.visitor.patch(path(erin, 'profile'), profile)).status).toBe(503);
    // Another node has nothing in memory.
    const { app } = application.api;
    const another = await app.select(GamersModule).get(ModuleRef, { strict: true }).create(AccountChanges);
    await another.finish();
    expect((await account(erin))?.gamerTag).toBe('erin');
    await another.finish(0);
    expect(await account(erin)).toMatchObject(profile);
    expect(await unfinishedCount()).toBe(0);
  });

  it('leaves nothing behind when its gamer is deleted', async () => {
    const heidi = await application.register('heidi');
    failNext({ isAppended: false });
    expect(await changeRole(heidi, 'auditor')).toBe(503);
    expect((await admin.visitor.delete(`/api/admin/gamers/${heidi.id}`)).status).toBe(200);
    await finish();
    expect(await unfinishedCount()).toBe(0);
  });

  it('leaves an auditor no powers', async () => {
    const frank = await application.register('frank');
    expect(await changeRole(frank, 'auditor')).toBe(200);
    failNext({ isAppended: false }, new Refused('clock-untrusted'));
    expect(await changeRole(frank, 'operator', ['money'])).toBe(503);
    expect(ledger().ask(powersOf, frank.id)).toEqual(['money']);
    await finish();
    expect(ledger().ask(powersOf, frank.id)).toEqual([]);
    expect([isStaff(frank), (await account(frank))?.role]).toEqual([true, 'auditor']);
  });

  it('makes links void that the gamer requested before becoming staff', async () => {
    const grace = await application.register('grace');
    const links = application.api.app.get(MailedLinks);
    const link = await links.create('reset-password', 'grace@example.com', (await account(grace))!);
    const token = link?.split('token=')[1] as string;
    failNext({ isAppended: true });
    expect(await changeRole(grace, 'operator', ['support'])).toBe(503);
    expect(await links.find('reset-password', token)).toMatchObject({ gamerId: grace.id });
    await finish();
    expect((await account(grace))?.role).toBe('operator');
    await expect(links.find('reset-password', token)).rejects.toThrow('This reset link is invalid or has expired.');
  });
});

it('leaves a ledger in which the auditor finds nothing wrong', async () => {
  expect((await verify(application.api.app.get(EventLog), null)).findings).toEqual([]);
});
