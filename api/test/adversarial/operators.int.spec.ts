/*
 * An operator is a thief: more powers, powers that were taken, older sessions and sockets, the own money, a second person who is
 * none. Every attempt goes over HTTP and sockets, on two nodes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MoneyMoved, SecondPersonResponse } from '../../../contracts/http/admin.js';
import type { ErrorBody } from '../../../contracts/http/headers.js';
import type { Withdrawal } from '../../../contracts/http/withdrawals.js';
import type { Power } from '../../../contracts/ids.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { ADMIN_PASSWORD, type RunningApi } from '../../src/testing/api-under-test.js';
import { type Answer, Visitor } from '../../src/testing/visitor.js';
import {
  type Person,
  readAfter,
  startWithAliceAndBob,
  type WholeApplication,
} from '../../src/testing/whole-application.js';

// Generous, for slow machines.
jest.setTimeout(120_000);

const LARGE = 60_000;
const BITCOIN = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';

let application: WholeApplication;
let other: RunningApi;
let admin: Person;
let victim: Person;
let accomplice: Person;
let thief: Person;
let colleague: Person;

beforeAll(async () => {
  ({ application, admin, alice: victim, bob: accomplice } = await startWithAliceAndBob());
  other = await application.startAnotherNode();
  thief = await application.register('thief');
  colleague = await application.register('colleague');
});

afterAll(() => application?.close());

beforeEach(async () => {
  await setPowers(thief, ['money']);
  await setPowers(colleague, ['money']);
});

const adminPath = (whom: Person, what: string) => `/api/admin/mini/gamers/${whom.id}/${what}`;

async function setPowers(whom: Person, powers: Power[]): Promise<void> {
  const role = powers.length > 0 ? { role: 'operator', powers } : { role: 'gamer' };
  expect((await admin.visitor.post(adminPath(whom, 'role'), role)).status).toBe(200);
  // The other node hears of a new power a moment later.
  while (powers.includes('money') && (await elsewhere(whom).get('/api/admin/second-person')).status !== 200)
    await sleep(20);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries += 1) {
    expect(tries).toBeLessThan(500);
    await sleep(20);
  }
}

/** The same session on the other node. */
function elsewhere({ visitor }: Person): Visitor {
  const same = new Visitor(other.url);
  for (const [name, value] of visitor.cookies) same.setCookie(name, value);
  return same;
}

const adjust = (by: Visitor, whom: Person, cents: number, headers?: Record<string, string>) =>
  by.post<MoneyMoved & ErrorBody>(
    adminPath(whom, 'adjust'),
    { purchaseBalanceCents: cents, totalWinningsCents: 0, reason: 'for the test' },
    headers,
  );

const codeOf = ({ status, body }: Answer<unknown>): string =>
  `${status} ${((body ?? {}) as Partial<ErrorBody>).code ?? ''}`.trim();

/** From the log: the newest event of the gamer's balance. */
async function balanceOf({ id }: Person): Promise<number> {
  let cents = 0;
  for await (const { event } of application.api.app.get(EventLog).readStream(LEDGER_STREAM))
    if (event.type === 'BalanceAdjusted' && event.data.gamerId === id) cents = event.data.purchaseBalanceCents;
  return cents;
}

const setLimit = async (aboveCents: number, aboveCentsPerDay = 200_000) =>
  expect((await admin.visitor.put('/api/admin/second-person', { aboveCents, aboveCentsPerDay })).status).toBe(200);

const waiting = async () => (await admin.visitor.get<SecondPersonResponse>('/api/admin/second-person')).body.requests;

describe('an operator', () => {
  it('gives nobody powers, passwords, limits or profits', async () => {
    await setPowers(thief, ['money', 'game', 'support', 'community']);
    const all = { role: 'operator', powers: ['money', 'game', 'support', 'community'] };
    const profile = { gamerTag: 'admin', email: 'thief@example.com' };
    const attempts: [string, string, object | undefined][] = [
      ['POST', adminPath(thief, 'role'), all],
      ['POST', adminPath(accomplice, 'role'), all],
      ['POST', adminPath(thief, 'role'), { role: 'admin' }],
      ['POST', adminPath(colleague, 'role'), { role: 'gamer' }],
      ['POST', adminPath(admin, 'reset-password'), { password: 'a thiefs password' }],
      ['POST', adminPath(thief, 'reset-password'), { password: 'a thiefs password' }],
      ['PATCH', `/api/admin/mini/gamers/${admin.id}/profile`, profile],
      ['PUT', '/api/admin/second-person', { aboveCents: null, aboveCentsPerDay: null }],
      ['POST', '/api/admin/profits/withdraw', { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 }],
      ['DELETE', `/api/admin/gamers/${colleague.id}`, undefined],
      ['GET', '/api/admin/sign-ins', undefined],
      ['GET', '/api/admin/activity', undefined],
      ['GET', '/api/audit/ledger', undefined],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await elsewhere(thief).send<ErrorBody>(method, path, body);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(
      (await application.visitor().post('/api/login', { username: 'admin', password: ADMIN_PASSWORD })).status,
    ).toBe(200);
  });

  it('acts as the session’s gamer, whatever ids the request names', async () => {
    await setPowers(thief, ['community']);
    const forged = { role: 'admin', actor: { id: admin.id, role: 'admin' }, powers: ['money'], gamerId: admin.id };
    const body = { purchaseBalanceCents: 100, totalWinningsCents: 0, reason: 'mine', ...forged };
    const headers = { 'x-role': 'admin', 'x-user-id': admin.id, 'x-actor': admin.id };
    expect(codeOf(await thief.visitor.post(adminPath(accomplice, 'adjust'), body, headers))).toBe('403 power-missing');
    expect(await balanceOf(accomplice)).toBe(0);
  });

  it('does nothing with a power that was taken, on any node, in any session', async () => {
    const sessions = [thief.visitor, elsewhere(thief)];
    for (const session of sessions) expect(codeOf(await adjust(session, accomplice, 1))).toBe('200');
    await setPowers(thief, ['support']);
    for (const session of sessions) expect(codeOf(await adjust(session, accomplice, 1))).toBe('403 power-missing');
    expect(await balanceOf(accomplice)).toBe(2);
  });

  it('gets no event into the ledger after losing the power, even for requests in flight', async () => {
    const sessions = [thief.visitor, elsewhere(thief)];
    const acts = Array.from({ length: 60 }, (_, index) => adjust(sessions[index % 2] as Visitor, accomplice, 1));
    await setPowers(thief, ['support']);
    acts.push(...sessions.map((session) => adjust(session, accomplice, 1)));
    const answers = (await Promise.all(acts)).map(codeOf);
    expect(new Set(answers)).toContain('403 power-missing');
    let hasPower = false;
    for await (const { event, metadata } of application.api.app.get(EventLog).readStream(LEDGER_STREAM)) {
      if (event.type === 'PowersSet' && event.data.gamerId === thief.id) hasPower = event.data.powers.includes('money');
      if (event.type === 'BalanceAdjusted' && metadata.actor.id === thief.id) expect(hasPower).toBe(true);
    }
  });

  it('gets no more messages on an open socket of another node after its powers change', async () => {
    await setPowers(thief, ['support']);
    // Until the other node has heard of it, a socket would be opened with the power that comes back below.
    await until(async () => (await elsewhere(thief).get('/api/admin/second-person')).status === 403);
    const socket = await application.socket(thief.visitor, other.url);
    const heard: string[] = [];
    socket.onAny((name: string) => heard.push(name));
    await setPowers(thief, ['money']);
    await until(async () => !socket.connected);
    const again = await application.socket(thief.visitor, other.url);
    again.onAny((name: string) => heard.push(name));
    await victim.visitor.post('/api/support/tickets', { subject: 'Help', message: 'Where is my money?' });
    await sleep(500);
    expect(heard.filter((name) => name.startsWith('admin:'))).toEqual([]);
    again.close();
  });

  it('cannot buy or withdraw with a session from before it became an operator', async () => {
    const player = await application.register('player');
    expect(codeOf(await adjust(admin.visitor, player, 300))).toBe('200');
    await admin.visitor.post('/api/admin/game/start-live');
    const before = elsewhere(player);
    await setPowers(player, ['support']);
    const payout = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
    const attempts = (session: Visitor) => [
      session.post('/api/buy-from-balance', { userId: player.id, quantity: 1 }),
      session.post(`/api/gamer/${player.id}/withdraw`, payout),
    ];
    const refused = ['403 staff-cannot-play', '403 staff-cannot-play'];
    expect((await Promise.all(attempts(player.visitor))).map(codeOf)).toEqual(refused);
    // Also on a node whose ledger has not heard of it: the session goes on.
    expect((await Promise.all(attempts(before))).map(codeOf)).toEqual(refused);
    expect(await balanceOf(player)).toBe(300);
  });

  it('cannot act on its own account, nor finish a withdrawal it requested as a gamer', async () => {
    await setPowers(thief, []);
    const gift = { purchaseBalanceCents: 0, totalWinningsCents: 2_000, reason: 'won' };
    expect((await admin.visitor.post(adminPath(thief, 'adjust'), gift)).status).toBe(200);
    const payout = { cryptoType: 'BTC', walletAddress: BITCOIN, amountCents: 1_000 };
    const requested = await thief.visitor.post(`/api/gamer/${thief.id}/withdraw`, payout);
    const [own] = await readAfter<Withdrawal[]>(thief.visitor, requested, `/api/gamer/${thief.id}/withdrawals`);
    await setPowers(thief, ['money']);
    for (const status of ['processing', 'completed', 'returned']) {
      const answer = await elsewhere(thief).put(`/api/admin/withdrawals/${own?.id}`, { status });
      expect(codeOf(answer)).toBe('403 power-not-for-oneself');
    }
    expect(codeOf(await adjust(thief.visitor, thief, 1))).toBe('403 power-not-for-oneself');
    expect(codeOf(await adjust(thief.visitor, thief, LARGE))).toBe('403 power-not-for-oneself');
    const status = await thief.visitor.post(adminPath(thief, 'depositor-status'), { isDepositor: true });
    expect(codeOf(status)).toBe('403 power-not-for-oneself');
    // Not by the route for the operator's profit either, which has no wait and no second person.
    const byProfit = await admin.visitor.put(`/api/admin/profits/withdrawals/${own?.id}`, { status: 'completed' });
    expect(codeOf(byProfit)).toBe('404 withdrawal-not-found');
  });
});

describe('the second person', () => {
  /** The requests of a test end with their requesters' power. */
  afterEach(async () => {
    await setPowers(thief, []);
    await setPowers(colleague, []);
  });

  it('must be another person: the requester cannot confirm with another key, session or node', async () => {
    const before = await balanceOf(accomplice);
    const key = { 'idempotency-key': 'a-large-gift' };
    expect((await adjust(thief.visitor, accomplice, LARGE, key)).body.isDone).toBe(false);
    const again = application.visitor();
    await again.post('/api/login', { username: 'thief', password: 'open sesame' });
    for (const session of [thief.visitor, elsewhere(thief), again])
      expect(codeOf(await adjust(session, accomplice, LARGE))).toBe('409 second-person-needed');
    expect((await adjust(elsewhere(thief), accomplice, LARGE, key)).body.isDone).toBe(false);
    expect(await balanceOf(accomplice)).toBe(before);
  });

  it('confirms nothing but what was requested', async () => {
    const before = await balanceOf(accomplice);
    await adjust(thief.visitor, accomplice, LARGE);
    for (const [whom, cents] of [
      [accomplice, LARGE + 1],
      [accomplice, -LARGE],
      [victim, LARGE],
    ] as const) {
      const answer = await adjust(colleague.visitor, whom, cents);
      expect(answer.body.isDone ?? codeOf(answer)).not.toBe(true);
    }
    const moved = { purchaseBalanceCents: 0, totalWinningsCents: LARGE, reason: 'the other balance' };
    const answer = await colleague.visitor.post<MoneyMoved>(adminPath(accomplice, 'adjust'), moved);
    expect([answer.body.isDone, await balanceOf(accomplice)]).toEqual([false, before]);
  });

  it('confirms once, when two confirm on two nodes at the same time, and a replay adds nothing', async () => {
    const before = await balanceOf(accomplice);
    await adjust(thief.visitor, accomplice, LARGE);
    const keys = ['confirm-1', 'confirm-2'].map((key) => ({ 'idempotency-key': key }));
    const confirm = () =>
      Promise.all([
        adjust(elsewhere(colleague), accomplice, LARGE, keys[0]),
        adjust(admin.visitor, accomplice, LARGE, keys[1]),
      ]);
    const first = (await confirm()).map(({ body }) => body.isDone);
    // The later one is a request of its own, and says so.
    expect(first.sort()).toEqual([false, true]);
    expect(await balanceOf(accomplice)).toBe(before + LARGE);
    expect((await confirm()).map(({ body }) => body.isDone).sort()).toEqual([false, true]);
    expect([await balanceOf(accomplice), (await waiting()).length]).toEqual([before + LARGE, 1]);
  });

  it('confirms no request of an operator without the power since', async () => {
    const before = await balanceOf(accomplice);
    await adjust(thief.visitor, accomplice, LARGE + 2);
    await setPowers(thief, ['support']);
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ purchaseCents: LARGE + 2 }));
    expect((await adjust(elsewhere(colleague), accomplice, LARGE + 2)).body.isDone).toBe(false);
    expect(await balanceOf(accomplice)).toBe(before);
  });

  it('is still needed for an open request after the limit was lowered, and not after it was raised above it', async () => {
    const before = await balanceOf(accomplice);
    await adjust(thief.visitor, accomplice, LARGE + 3);
    await setLimit(100);
    expect(codeOf(await adjust(thief.visitor, accomplice, LARGE + 3))).toBe('409 second-person-needed');
    await setLimit(LARGE + 3);
    expect((await adjust(thief.visitor, accomplice, LARGE + 3)).body.isDone).toBe(true);
    expect(await balanceOf(accomplice)).toBe(before + LARGE + 3);
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ purchaseCents: LARGE + 3 }));
    await setLimit(50_000);
  });

  describe('for what one person moves alone in a day', () => {
    /** A thief of their own for each test: what the others moved today must not count. */
    let splitter: Person;
    let number = 0;

    beforeEach(async () => {
      number += 1;
      splitter = await application.register(`splitter${number}`);
      await setPowers(splitter, ['money']);
      await setLimit(50_000);
    });

    afterEach(() => setPowers(splitter, []));

    const aloneToday = async ({ visitor }: Person) =>
      (await visitor.get<SecondPersonResponse>('/api/admin/second-person')).body.aloneTodayCents;

    it('is needed for the last of five acts that split $2,400.00', async () => {
      const before = await balanceOf(accomplice);
      const split = [50_000, 49_999, 50_000, 50_000, 40_001];
      const done: boolean[] = [];
      for (const [index, cents] of split.entries()) {
        const session = index % 2 === 0 ? splitter.visitor : elsewhere(splitter);
        done.push((await adjust(session, accomplice, cents)).body.isDone);
      }
      expect(done).toEqual([true, true, true, true, false]);
      expect(await balanceOf(accomplice)).toBe(before + 199_999);
      expect(codeOf(await adjust(splitter.visitor, accomplice, 40_001))).toBe('409 second-person-needed');
      // Not by another gamer's balance either, nor by taking instead of giving; one cent is left.
      expect((await adjust(elsewhere(splitter), victim, 2)).body.isDone).toBe(false);
      expect((await adjust(splitter.visitor, accomplice, -2)).body.isDone).toBe(false);
      expect((await adjust(splitter.visitor, accomplice, 1)).body.isDone).toBe(true);
      expect(await aloneToday(splitter)).toBe(200_000);
      const ofColleague = await aloneToday(colleague);
      const confirmed = await adjust(colleague.visitor, accomplice, 40_001);
      expect([confirmed.body.isDone, await balanceOf(accomplice)]).toEqual([true, before + 240_001]);
      expect(await aloneToday(colleague)).toBe(ofColleague);
    });

    it('is needed however many acts are under way at once on two nodes', async () => {
      const before = await balanceOf(accomplice);
      const sessions = [splitter.visitor, elsewhere(splitter)];
      const acts = Array.from({ length: 30 }, (_, index) =>
        adjust(sessions[index % 2] as Visitor, accomplice, 10_000 + index),
      );
      const done = (await Promise.all(acts)).map(({ body }) => body.isDone);
      const moved = (await balanceOf(accomplice)) - before;
      expect(done).toContain(false);
      expect(moved).toBeGreaterThan(150_000);
      expect(moved).toBeLessThanOrEqual(200_000);
      await until(async () => (await aloneToday(splitter)) === moved);
    });

    it('is still needed by somebody whose power was taken and given back', async () => {
      for (const cents of [50_000, 49_999, 49_998, 49_997]) await adjust(splitter.visitor, accomplice, cents);
      await setPowers(splitter, ['support']);
      await setPowers(splitter, ['money']);
      expect((await adjust(splitter.visitor, accomplice, 7)).body.isDone).toBe(false);
      expect((await adjust(splitter.visitor, accomplice, 6)).body.isDone).toBe(true);
    });
  });
});
