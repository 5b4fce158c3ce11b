import { MINUTE_MS } from '../../../../contracts/durations.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { PlaySession } from '../../../../contracts/http/protection.js';
import { ok } from '../../../test/visitor.js';
import { readAfter, WholeApplication } from '../../../test/whole-application.js';

const application = WholeApplication.forTests({ REALITY_CHECK_MINUTES: '20' });
const alice = application.gamerForTests('alice', 3_000);

beforeAll(async () => {
  await ok((await application.admin()).visitor.post('/api/admin/game/start-live'));
});

const session = async (visitor = alice.visitor) => (await ok(visitor.get<PlaySession>('/api/play-session'))).body;
const choose = (everyMinutes: unknown) =>
  alice.visitor.put<ErrorBody>('/api/play-session/reality-check', { everyMinutes });

it('begins with the login, and its first check is due after the operator’s time', async () => {
  const { startedAtEpochMs, realityCheck, ...figures } = await session();
  expect(Math.abs(startedAtEpochMs - Date.now())).toBeLessThan(MINUTE_MS);
  expect(figures).toEqual({ spentCents: 0, wonCents: 0, netCents: 0 });
  expect(realityCheck).toEqual({
    ...{ everyMinutes: 20, atMostMinutes: 20, dueAtEpochMs: startedAtEpochMs + 20 * MINUTE_MS },
  });
});

it('counts a purchase in the first query after its answer', async () => {
  const bought = await ok(alice.visitor.post('/api/buy-from-balance', { quantity: 4, userId: alice.id }));
  expect(await readAfter(alice.visitor, bought, '/api/play-session')).toMatchObject({
    spentCents: 120,
    netCents: -120,
  });
});

it('puts the next check off when one is answered, and keeps that on the server', async () => {
  // As if the login had been 50 minutes ago.
  await application.database.query(`UPDATE auth.sessions SET begun_at = begun_at - interval '50 minutes'`);
  const overdue = await session();
  expect(overdue.realityCheck.dueAtEpochMs).toBeLessThan(Date.now());
  expect(overdue).toMatchObject({ spentCents: 120 });
  await ok(alice.visitor.post('/api/play-session/answer'));
  const { startedAtEpochMs, realityCheck } = await session();
  expect(startedAtEpochMs).toBe(overdue.startedAtEpochMs);
  expect(Math.abs(realityCheck.dueAtEpochMs - Date.now() - 20 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
});

it('asks as often as the gamer chose, in every login, and never more rarely than the operator wants', async () => {
  expect((await choose(5)).status).toBe(200);
  const another = application.visitor();
  await ok(another.post('/api/login', { username: 'alice', password: 'open sesame' }));
  for (const visitor of [alice.visitor, another])
    expect((await session(visitor)).realityCheck).toMatchObject({ everyMinutes: 5, atMostMinutes: 20 });
  expect(await choose(21)).toMatchObject({
    ...{ status: 400, body: { code: 'invalid-request', error: 'everyMinutes must be a whole number from 1 to 20' } },
  });
  for (const wrong of [0, 2.5, '5', null]) expect((await choose(wrong)).status).toBe(400);
  expect((await session()).realityCheck.everyMinutes).toBe(5);
});

it('goes on when the gamer changes the password: nobody gets out of a check by that', async () => {
  const before = await session();
  const id = alice.visitor.cookie('omni.sid');
  for (const [currentPassword, newPassword] of [
    ['open sesame', 'another sesame'],
    ['another sesame', 'open sesame'],
  ])
    await ok(
      alice.visitor.post('/api/account/password', { currentPassword, newPassword, confirmPassword: newPassword }),
    );
  expect(alice.visitor.cookie('omni.sid')).not.toBe(id);
  expect(await session()).toEqual(before);
});

it('begins anew with another login, which does not see the first one’s play', async () => {
  const another = application.visitor();
  await ok(another.post('/api/login', { username: 'alice', password: 'open sesame' }));
  expect(await session(another)).toMatchObject({ spentCents: 0 });
  expect(await session()).toMatchObject({ spentCents: 120 });
});
