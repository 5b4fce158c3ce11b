import { DAY_MS } from '../../../../contracts/durations.js';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import type { ErrorBody } from '../../../../contracts/http/headers.js';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import { auditScenario } from '../../../test/audit-scenario.js';
import { type ApiResponse, ok } from '../../../test/visitor.js';
import { readAfter } from '../../../test/whole-application.js';

const { application, alice, bob, newest } = auditScenario();

const round = async (roundId: number | string, query = '') => {
  const visitor = application.visitor();
  return visitor.get<RoundResponse & ErrorBody>(`/api/rounds/${roundId}?${query}`);
};

it('shows a won round to anyone: jackpot, winner and every purchase, newest first', async () => {
  const { status, body } = await round(1);
  expect(status).toBe(200);
  const { startedAtMs, endedAtMs, winner, purchases, ...rest } = body;
  expect(rest).toEqual({
    roundId: 1,
    state: 'won',
    carriedCents: 0,
    jackpotCents: 52,
    resetReason: null,
    purchaseCount: 3,
    late: { count: 0, nearestMs: [] },
  });
  expect(endedAtMs).toBeGreaterThan(startedAtMs);
  expect(winner).toEqual({ id: bob.id, gamerTag: 'bob', purchaseId: purchases[0]?.purchaseId });
  expect(
    purchases.map(({ buyerId, quantity, addedSeconds, newJackpot }) => [buyerId, quantity, addedSeconds, newJackpot]),
  ).toEqual([
    [bob.id, 1, 1, 52],
    [alice.id, 1, 1, 39],
    [bob.id, 2, 2, 26],
  ]);
  expect(purchases[0]?.number).toBe(newest('TokenPurchased').number);
});

it('tells the winner of the last day’s newest win, and nobody else', async () => {
  const profileOf = async ({ id, visitor }: typeof bob) => (await visitor.get<GamerProfile>(`/api/gamer/${id}`)).body;
  expect((await profileOf(bob)).newestWin).toEqual({ roundId: 1, jackpotCents: 52 });
  expect((await profileOf(alice)).newestWin).toBeNull();
  await application.database.query('UPDATE read.winners SET ended_at_ms = $1', [Date.now() - DAY_MS]);
  expect((await profileOf(bob)).newestWin).toBeNull();
});

it('lists purchases by pages', async () => {
  const whole = (await round(1)).body;
  expect((await round(1, 'page=2&pageSize=2')).body).toEqual({ ...whole, purchases: whole.purchases.slice(2) });
});

it('shows an open round as far as it has come, and a reset one with its reason', async () => {
  const { visitor: admin } = await application.admin();
  const shownAfter = (written: ApiResponse<unknown>) => readAfter(admin, written, '/api/rounds/2');
  const live = await ok(admin.post('/api/admin/game/start-live'));
  const open = { state: 'open', endedAtMs: null, winner: null };
  expect(await shownAfter(live)).toMatchObject({ ...open, jackpotCents: 0, purchaseCount: 0, purchases: [] });
  const bought = await ok(bob.visitor.post('/api/buy-from-balance', { quantity: 3, userId: bob.id }));
  expect(await shownAfter(bought)).toMatchObject({ ...open, jackpotCents: 39, purchaseCount: 1 });
  const reset = await ok(admin.post('/api/admin/game/reset', { reason: 'a broken clock' }));
  expect(await shownAfter(reset)).toMatchObject({
    state: 'reset',
    resetReason: 'a broken clock',
    jackpotCents: 39,
    winner: null,
    purchaseCount: 1,
    endedAtMs: expect.any(Number),
  });
});

it.each(['3', '0', 'one', '9999999999', '1.5'])('returns 404 for the round %s', async (roundId) => {
  expect(await round(roundId)).toMatchObject({ status: 404, body: { code: 'not-found' } });
});
