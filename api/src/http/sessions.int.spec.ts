import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthStatus } from '../../../contracts/http/gamers.js';
import type { Visitor } from '../../test/visitor.js';
import { WholeApplication } from '../../test/whole-application.js';
import { PriorityPool } from '../platform/priority-pool.store.js';

const application = WholeApplication.forTests({}, { worker: false });
const { api } = application;

const query = (sql: string, ...parameters: unknown[]) => application.database.query(sql, parameters);

const logIn = async () => (await application.admin()).visitor;

/** 'in', or the status with which the guard of a route for the admin refuses. */
async function outcomeOf(visitor: Visitor): Promise<'in' | number> {
  const { status } = await visitor.post('/api/admin/timers', {});
  return status === 400 ? 'in' : status;
}

const sidOf = (visitor: Visitor): string =>
  /^s:(.+)\./.exec(decodeURIComponent(visitor.cookie('omni.sid') as string))?.[1] as string;

it('are read once, and not again while they do not change', async () => {
  await application.untilNotified();
  const visitor = await logIn();
  expect(await outcomeOf(visitor)).toBe('in');
  const queries = jest.spyOn(api.app.get(PriorityPool), 'query');
  await sleep(2_100);
  expect(await outcomeOf(visitor)).toBe('in');
  const read = queries.mock.calls.map(([sql]) => String(sql)).filter((sql) => /auth\.(sessions|accounts)/.test(sql));
  expect(read).toEqual([]);
  queries.mockRestore();
});

it.each([
  ['deleted', (sid: string) => query('DELETE FROM auth.sessions WHERE sid = $1', sid)],
  ['given an end by hand', (sid: string) => query('UPDATE auth.sessions SET expire = now() WHERE sid = $1', sid)],
  ['emptied with their table', () => query('TRUNCATE auth.sessions CASCADE')],
])('end as soon as this node is notified that they were %s elsewhere', async (_, end) => {
  const visitor = await logIn();
  expect(await outcomeOf(visitor)).toBe('in');
  await end(sidOf(visitor));
  await application.untilNotified();
  expect(await outcomeOf(visitor)).toBe(401);
});

it('have the current role as soon as this node is notified of it', async () => {
  const visitor = await logIn();
  const { body } = await visitor.get<AuthStatus>('/api/auth/status');
  const { id } = body as { id: string };
  for (const [role, outcome] of [
    ['gamer', 403],
    ['admin', 'in'],
  ] as const) {
    await query('UPDATE auth.accounts SET role = $2 WHERE gamer_id = $1', id, role);
    await application.untilNotified();
    expect(await outcomeOf(visitor)).toBe(outcome);
  }
});

/** Minutes until the session expires, and until it ends in any case. */
async function minutesLeft(visitor: Visitor): Promise<{ expire: number; ends: number | null }> {
  const { rows } = await query(
    `SELECT extract(epoch FROM expire - now())::float8 / 60 AS expire,
       extract(epoch FROM ends_at - now())::float8 / 60 AS ends FROM auth.sessions WHERE sid = $1`,
    sidOf(visitor),
  );
  return rows[0];
}

it('of gamers end 30 days after their login', async () => {
  const { expire, ends } = await minutesLeft((await application.register('Lasting')).visitor);
  expect(expire).toBeCloseTo(30 * 24 * 60, 0);
  expect(ends).toBeNull();
});

describe('of staff', () => {
  const idleFor = (visitor: Visitor, minutes: number) =>
    query(
      `UPDATE auth.sessions SET expire = expire - make_interval(mins => $2), ends_at = ends_at - make_interval(mins => $2)
       WHERE sid = $1`,
      sidOf(visitor),
      minutes,
    );

  it('end 12 hours after their login, and after 30 minutes without a command', async () => {
    const visitor = await logIn();
    const { expire, ends } = await minutesLeft(visitor);
    expect(expire).toBeCloseTo(30, 0);
    expect(ends).toBeCloseTo(12 * 60, 0);
    await idleFor(visitor, 30);
    await application.untilNotified();
    expect(await outcomeOf(visitor)).toBe(401);
    expect((await visitor.get<AuthStatus>('/api/auth/status')).body).toEqual({ isAuthenticated: false });
  });

  it('are prolonged by commands, not by queries, which pages repeat by themselves, and never beyond 12 hours', async () => {
    const visitor = await logIn();
    await idleFor(visitor, 20);
    await application.untilNotified();
    await visitor.get('/api/admin/timers');
    expect((await minutesLeft(visitor)).expire).toBeCloseTo(10, 0);
    expect((await visitor.post('/api/staff/activity')).status).toBe(200);
    while ((await minutesLeft(visitor)).expire < 29) await sleep(20);
    expect((await minutesLeft(visitor)).ends).toBeCloseTo(12 * 60 - 20, 0);
    const late = `UPDATE auth.sessions SET expire = now() + interval '5 min', ends_at = now() + interval '7 min' WHERE sid = $1`;
    await query(late, sidOf(visitor));
    await application.untilNotified();
    await visitor.post('/api/staff/activity');
    while ((await minutesLeft(visitor)).expire < 6) await sleep(20);
    expect((await minutesLeft(visitor)).expire).toBeCloseTo(7, 0);
  });

  it('are refused without an end, as a gamer’s session once the gamer has become staff', async () => {
    const visitor = await logIn();
    await query('UPDATE auth.sessions SET ends_at = NULL WHERE sid = $1', sidOf(visitor));
    await application.untilNotified();
    expect(await outcomeOf(visitor)).toBe(401);
  });
});

it('expire in memory too', async () => {
  const { visitor } = await application.register('Forgotten');
  // The trigger is off, so nothing is notified.
  await query('ALTER TABLE auth.sessions DISABLE TRIGGER notify_change');
  await query(`UPDATE auth.sessions SET expire = now() + interval '500 ms' WHERE sid = $1`, sidOf(visitor));
  expect(await outcomeOf(visitor)).toBe(403);
  await sleep(600);
  expect(await outcomeOf(visitor)).toBe(401);
  await query('ALTER TABLE auth.sessions ENABLE TRIGGER notify_change');
});
