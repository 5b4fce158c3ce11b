import { ACTIVITY_TOPICS, type ActivityEntry, type ActivityResponse } from '../../../../contracts/http/activity.js';
import type { TimersBody } from '../../../../contracts/http/game.js';
import { DEFAULT_TIMERS } from '../../../../contracts/limits.js';
import type { Answer } from '../../../test/visitor.js';
import {
  type Person,
  readAfter,
  startWithAliceAndBob,
  type WholeApplication,
} from '../../../test/whole-application.js';

const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

let application: WholeApplication;
let admin: Person;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  ({ application, admin, alice, bob } = await startWithAliceAndBob());
});

afterAll(() => application?.close());

const gamers = (person: Person, what: string) => `/api/admin/mini/gamers/${person.id}/${what}`;

const activityAfter = (after: Answer<unknown>, query = '') =>
  readAfter<ActivityResponse>(admin.visitor, after, `/api/admin/activity${query}`);

async function newest(after: Answer<unknown>): Promise<ActivityEntry> {
  expect(after.status).toBeLessThan(300);
  const [first] = (await activityAfter(after)).activity;
  expect(first).toMatchObject({ actorId: admin.id, actorGamerTag: 'admin', at: expect.any(Number) });
  return first as ActivityEntry;
}

it('begins with the admin’s sign-in, not with the events of the first start', async () => {
  const { activity, total } = (await admin.visitor.get<ActivityResponse>('/api/admin/activity')).body;
  expect(activity.map(({ type, summary }) => [type, summary])).toEqual([['AdminSignedIn', 'Signed in']]);
  expect(total).toBe(1);
});

describe('describes every command with its reason and the values before and after', () => {
  it('about balances and depositor status', async () => {
    const change = { purchaseBalanceCents: 1_000, totalWinningsCents: 5_000, reason: 'a prize' };
    expect(await newest(await admin.visitor.post(gamers(alice, 'adjust'), change))).toMatchObject({
      type: 'BalanceAdjusted',
      subjectId: alice.id,
      subjectGamerTag: 'alice',
      summary: 'Adjusted the balances of alice: purchase balance $0.00 → $10.00, winnings $0.00 → $50.00',
      reason: 'a prize',
    });
    const on = await newest(await admin.visitor.post(gamers(alice, 'depositor-status'), { isDepositor: true }));
    expect(on.summary).toMatch(/^Depositor status of alice: off → until /);
    const off = await newest(await admin.visitor.post(gamers(alice, 'depositor-status'), { isDepositor: false }));
    expect(off.summary).toMatch(/^Depositor status of alice: until .+ → off$/);
    expect(off.reason).toBeNull();
  });

  it('about the game and its timers', async () => {
    const timers: TimersBody = { ...DEFAULT_TIMERS, liveDurationSeconds: 600 };
    const first = await newest(await admin.visitor.post('/api/admin/timers', timers));
    expect(first).toMatchObject({ summary: 'Changed the timers: live 120 → 600 s', subjectId: null });
    const changed = await admin.visitor.post('/api/admin/timers', { ...timers, tokenExtensionSeconds: 45 });
    expect((await newest(changed)).summary).toBe('Changed the timers: a token 30 → 45 s');
    const live = await newest(await admin.visitor.post('/api/admin/game/start-live'));
    expect(live).toMatchObject({ summary: 'Forced round 1 live', subjectId: '1', subjectGamerTag: null });
    const reset = await newest(await admin.visitor.post('/api/admin/game/reset', { reason: 'a rehearsal' }));
    expect(reset).toMatchObject({
      summary: 'Voided round 1 and reset the game to idle: $0.00 carried on',
      reason: 'a rehearsal',
    });
  });

  it('about payouts', async () => {
    const payout = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_250 };
    const requested = await alice.visitor.post(`/api/gamer/${alice.id}/withdraw`, payout);
    const [withdrawal] = await readAfter<{ id: string }[]>(admin.visitor, requested, '/api/admin/withdrawals');
    const path = `/api/admin/withdrawals/${withdrawal?.id}`;
    const processing = await newest(await admin.visitor.put(path, { status: 'processing' }));
    expect(processing.summary).toBe('Withdrawal of $12.50 in BTC by alice: pending → processing');
    const returned = await newest(await admin.visitor.put(path, { status: 'returned', adminNotes: 'No such address' }));
    expect(returned).toMatchObject({
      subjectId: withdrawal?.id,
      subjectGamerTag: 'alice',
      summary: 'Withdrawal of $12.50 in BTC by alice: processing → returned',
      reason: 'No such address',
    });
  });

  it('about tickets and posts', async () => {
    const form = { gamerId: bob.id, subject: 'Where is it?', message: 'My deposit' };
    const opened = await bob.visitor.post('/api/support/tickets', form);
    const [ticket] = await readAfter<{ id: string }[]>(admin.visitor, opened, '/api/admin/support/tickets');
    const path = `/api/admin/support/tickets/${ticket?.id}`;
    expect(await newest(await admin.visitor.put(path, { status: 'closed', adminNotes: 'It is there' }))).toMatchObject({
      subjectId: ticket?.id,
      subjectGamerTag: 'bob',
      summary: 'Ticket "Where is it?" of bob: open → closed',
      reason: 'It is there',
    });
    const reopened = await newest(await admin.visitor.put(path, { status: 'open', adminNotes: 'It is not' }));
    expect(reopened).toMatchObject({
      summary: 'Ticket "Where is it?" of bob: closed → open, in place of the note "It is there"',
      reason: 'It is not',
    });

    const written = await bob.visitor.post('/api/community/posts', { gamerId: bob.id, message: 'Rude words' });
    const [post] = await readAfter<{ id: string }[]>(admin.visitor, written, '/api/community/posts');
    const hidden = await admin.visitor.delete(`/api/admin/community/posts/${post?.id}`);
    expect(await newest(hidden)).toMatchObject({
      type: 'PostHidden',
      subjectId: post?.id,
      subjectGamerTag: 'bob',
      summary: 'Hid a post of bob',
    });
  });

  it('about gamers’ accounts, with their current names', async () => {
    const profile = { gamerTag: 'robert', email: 'robert@example.com' };
    const renamed = await admin.visitor.patch(gamers(bob, 'profile'), profile);
    const [email, tag, hidden] = (await activityAfter(renamed)).activity;
    expect(email?.summary).toBe('Changed the email of robert from bob@example.com to robert@example.com');
    expect(tag?.summary).toBe('Renamed bob to robert');
    expect(hidden?.summary).toBe('Hid a post of robert');
    const role = await newest(await admin.visitor.post(gamers(bob, 'role'), { role: 'auditor' }));
    expect(role.summary).toBe('Changed the role of robert from gamer to auditor');
    const password = { password: 'quite another one' };
    const reset = await newest(await admin.visitor.post(gamers(bob, 'reset-password'), password));
    expect(reset.summary).toBe('Set a new password for robert');
  });

  it('but without a deleted gamer’s name, tickets and posts', async () => {
    const removed = await admin.visitor.delete(`/api/admin/gamers/${bob.id}`);
    const { activity } = await activityAfter(removed);
    expect(activity[0]).toMatchObject({
      type: 'GamerRemoved',
      subjectId: bob.id,
      subjectGamerTag: 'deleted-gamer',
      summary: 'Deleted deleted-gamer: 0 children moved, $0.00 forfeited',
    });
    expect(JSON.stringify(activity)).not.toMatch(/bob|robert|Where is it/);
  });
});

it('lists the admin’s events by pages, newest first, and no gamer’s events', async () => {
  await alice.visitor.post(`/api/gamer/${alice.id}/transfer-to-purchase`, { amountCents: 100 });
  const last = await admin.visitor.post('/api/admin/timers', DEFAULT_TIMERS);
  const { activity: all, total } = await activityAfter(last, '?pageSize=100');
  expect(all).toHaveLength(total);
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort((one, other) => other - one));
  expect(all.map(({ type }) => type)).not.toContain('WinningsTransferred');
  const second = await activityAfter(last, '?page=2&pageSize=3');
  expect(second).toEqual({ activity: all.slice(3, 6), total });
});

it('lists the events of one topic, and each event has a topic', async () => {
  const last = await admin.visitor.post('/api/admin/timers', DEFAULT_TIMERS);
  const { activity: all, total } = await activityAfter(last, '?pageSize=100');
  const parts = await Promise.all(
    ACTIVITY_TOPICS.map(async (topic) => [topic, await activityAfter(last, `?pageSize=100&about=${topic}`)] as const),
  );
  const sorted = (entries: ActivityEntry[]) => entries.map(({ id }) => id).sort();
  expect(sorted(parts.flatMap(([, { activity }]) => activity))).toEqual(sorted(all));
  expect(parts.reduce((sum, [, part]) => sum + part.total, 0)).toBe(total);
  const game = Object.fromEntries(parts).game;
  expect(game?.activity[0]).toMatchObject({ type: 'TimersChanged' });
  expect(await activityAfter(last, '?about=game&page=2&pageSize=1')).toEqual({
    activity: game?.activity.slice(1, 2),
    total: game?.total,
  });
  expect(await admin.visitor.get('/api/admin/activity?about=everything')).toMatchObject({
    status: 400,
    body: { error: 'about must be one of game, gamers, money, support, community' },
  });
});
