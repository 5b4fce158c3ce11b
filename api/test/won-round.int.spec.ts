/* What the pages of the round, of statements and of the public record show of one scenario. */
import { DAY_MS } from '../../contracts/durations.js';
import type { GamerProfile } from '../../contracts/http/gamers.js';
import type { ErrorBody } from '../../contracts/http/headers.js';
import type { AdjustedDaysResponse, PublicRecordResponse } from '../../contracts/http/public-record.js';
import type { RoundResponse } from '../../contracts/http/rounds.js';
import type { MovementsResponse, StatementResponse } from '../../contracts/http/statements.js';
import { DEFAULT_TIMERS } from '../../contracts/limits.js';
import { dayInNewYork, daysUntil } from '../../contracts/new-york.js';
import { parseProofFile } from '../../contracts/transparency/proof-file.js';
import { auditScenario } from './audit-scenario.js';
import { type ApiResponse, ok } from './visitor.js';
import { type Person, readAfter } from './whole-application.js';

const { application, admin, auditor, alice, bob, ledger, read, newest } = auditScenario();
const visitor = application.visitor();

describe('a statement', () => {
  const statement = (query: string) => read<StatementResponse>(`statements?${query}`);
  const linesOf = ({ lines }: StatementResponse) =>
    lines.map(({ description, cents, balanceCents }) => [description, cents, balanceCents]);

  it('of a gamer’s winnings lists every change with its balance', async () => {
    const of = await statement('account=winnings&gamer=alice');
    const to = dayInNewYork(Date.now());
    expect(of).toMatchObject({ gamer: { id: alice.id, gamerTag: 'Alice' }, from: daysUntil(to, 30)[0], to });
    expect(of).toMatchObject({ openingCents: 0, closingCents: 2_009, servedCents: 2_009 });
    expect(linesOf(of)).toEqual([
      ['Adjusted: a gift', 2_000, 2_000],
      ['Matrix credits, round 1', 9, 2_009],
      ['Withdrawal requested, DOGE', -1_000, 1_009],
      ['Withdrawal returned', 1_000, 2_009],
    ]);
    expect(of.lines[1]).toMatchObject({ eventCount: 2, number: ledger[5]?.number, atMs: ledger[5]?.atMs });
  });

  it('of a gamer’s purchase balance sums up purchases', async () => {
    expect(linesOf(await statement(`account=purchase&gamer=${bob.id}`))).toEqual([
      ['Adjusted: a gift', 500, 500],
      ['Tokens bought, round 1', -90, 410],
      ['Transfer from winnings', 20, 430],
    ]);
  });

  it('of the jackpot names each change’s gamer', async () => {
    expect(linesOf(await statement('account=jackpot'))).toEqual([
      ['Jackpot shares, round 1', 52, 52],
      ['Jackpot of round 1 (bob)', -52, 0],
    ]);
    expect(linesOf(await statement('account=payouts:pending'))).toEqual([
      ['Withdrawal requested, DOGE (Alice)', 1_000, 1_000],
      ['Withdrawal returned (Alice)', -1_000, 0],
    ]);
  });

  it('separates yesterday from today', async () => {
    // Moves everything up to the round's end to yesterday.
    const { number } = newest('RoundEnded');
    const shiftBy = (ms: number) =>
      application.database.query(
        `UPDATE read.ledger_trial_balances SET at_ms = at_ms + ${ms} WHERE revision < ${number};
         UPDATE read.journal_pages SET at_ms = ARRAY(SELECT at + ${ms} FROM unnest(at_ms) AS at) WHERE first_revision < ${number}`,
      );
    await shiftBy(-86_400_000);
    try {
      const [yesterday, today] = daysUntil(dayInNewYork(Date.now()), 2);
      expect(await statement(`account=winnings&gamer=bob&from=${today}`)).toMatchObject({ openingCents: 52 });
      const over = await statement(`account=winnings&gamer=bob&from=${yesterday}&to=${yesterday}`);
      expect(over).toMatchObject({ openingCents: 0, closingCents: 52, servedCents: null });
      expect(await statement(`account=jackpot&from=${today}`)).toMatchObject({ openingCents: 0, lines: [] });
    } finally {
      await shiftBy(86_400_000);
    }
  });

  it.each<[string, number, string]>([
    ['', 400, expect.stringMatching(/^account must be one of winnings, purchase, /)],
    ['account=winnings', 400, 'Please name the gamer whose account it is'],
    ['account=winnings&gamer=', 400, 'gamer must be a GamerTag or the id of a gamer'],
    ['account=winnings&gamer=nobody', 404, 'Gamer not found'],
    ...['from=2025-02-30', 'from=2025-10-14&to=2025-10-13', 'from=2024-10-14&to=2025-10-15'].map(
      (days): [string, number, string] => [
        `account=jackpot&${days}`,
        400,
        'A statement covers at most 366 days, from one date such as 2025-10-14 to another',
      ],
    ),
  ])('refuses %s with its own error', async (query, status, error) => {
    const response = await auditor.visitor.get<{ error: string }>(`/api/audit/statements?${query}`);
    expect([response.status, response.body.error.slice(0, 83)]).toEqual([status, error]);
  });
});

describe('a gamer’s movements', () => {
  const movements = async (gamer: Person, query = '') =>
    (await gamer.visitor.get<MovementsResponse>(`/api/gamer/${gamer.id}/movements?${query}`)).body;
  const linesOf = (page: MovementsResponse) =>
    page.movements.map(({ account, description, cents, balanceCents }) => [account, description, cents, balanceCents]);

  it('come newest first, each with the balance of its account after it', async () => {
    const page = await movements(alice);
    expect(page).toMatchObject({ to: dayInNewYork(Date.now()), total: 6 });
    expect(linesOf(page)).toEqual([
      ['winnings', 'Withdrawal returned', 1_000, 2_009],
      ['winnings', 'Withdrawal requested, DOGE', -1_000, 1_009],
      ['winnings', 'Matrix credits, round 1', 9, 2_009],
      ['purchase', 'Tokens bought, round 1', -30, 470],
      ['winnings', 'Adjusted: a gift', 2_000, 2_000],
      ['purchase', 'Adjusted: a gift', 500, 500],
    ]);
  });

  it('list every purchase, and name the round of each and of the jackpot', async () => {
    const { movements: lines } = await movements(bob);
    expect(lines.filter(({ outcome }) => outcome).map(({ outcome }) => outcome?.overtaken?.gamerTag)).toEqual([
      ...[undefined, 'Alice'],
    ]);
    expect(lines.map(({ description, roundId }) => [description, roundId])).toEqual([
      ['Transfer to purchase balance', null],
      ['Transfer from winnings', null],
      ['Jackpot of round 1', 1],
      ['Tokens bought, round 1', 1],
      ['Tokens bought, round 1', 1],
      ['Adjusted: a gift', null],
    ]);
  });

  it('have totals that lead from the opening to the closing balances', async () => {
    const { totals, balances } = await movements(bob);
    expect(totals).toEqual({
      paidInCents: 0,
      matrixCents: 0,
      withdrawnCents: 0,
      releasedCents: 0,
      spentCents: 90,
      wonCents: 52,
      netCents: -38,
      transferredCents: 20,
      adjustedCents: 500,
    });
    expect(balances).toEqual({
      winnings: { openingCents: 0, closingCents: 32 },
      purchase: { openingCents: 0, closingCents: 430 },
    });
    expect((await movements(alice)).totals).toMatchObject({ netCents: -30, adjustedCents: 2_500, matrixCents: 9 });
  });

  it('come in pages that keep balances and totals', async () => {
    const whole = await movements(alice);
    const second = await movements(alice, 'page=2&pageSize=4');
    expect(second).toEqual({ ...whole, movements: whole.movements.slice(4) });
    expect(await movements(alice, 'page=3&pageSize=4')).toEqual({ ...whole, movements: [] });
  });

  it('exclude later postings when read as of an event', async () => {
    const asOf = newest('RoundEnded').number;
    const page = await movements(bob, `asOf=${asOf}`);
    expect(page).toMatchObject({ asOf, total: 4, totals: { wonCents: 52, transferredCents: 0 } });
    expect(page.balances.winnings.closingCents).toBe(52);
  });

  it.each(['asOf=0', 'from=2025-02-30', 'from=2025-10-14&to=2025-10-13', 'pageSize=1001'])(
    'are refused for %s',
    async (query) => {
      expect((await bob.visitor.get(`/api/gamer/${bob.id}/movements?${query}`)).status).toBe(400);
    },
  );
});

describe('a round', () => {
  const round = (roundId: number | string, query = '') =>
    visitor.get<RoundResponse & ErrorBody>(`/api/rounds/${roundId}?${query}`);

  it('is shown to anyone when won: jackpot, winner and every purchase, newest first', async () => {
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

  it('won within the last day is shown to its winner as the newest win, and to nobody else', async () => {
    const profileOf = async ({ id, visitor }: typeof bob) => (await visitor.get<GamerProfile>(`/api/gamer/${id}`)).body;
    expect((await profileOf(bob)).newestWin).toEqual({ roundId: 1, jackpotCents: 52 });
    expect((await profileOf(alice)).newestWin).toBeNull();
    await application.database.query('UPDATE read.winners SET ended_at_ms = $1', [Date.now() - DAY_MS]);
    expect((await profileOf(bob)).newestWin).toBeNull();
  });

  it('has its purchases by pages', async () => {
    const whole = (await round(1)).body;
    expect((await round(1, 'page=2&pageSize=2')).body).toEqual({ ...whole, purchases: whole.purchases.slice(2) });
  });

  it('is shown as far as it has come while open, and with its reason when reset', async () => {
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

  it.each(['3', '0', 'one', '9999999999', '1.5'])('is a 404 as %s', async (roundId) => {
    expect(await round(roundId)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });
});

it('the public record has pages of resets and changed timers, the proof of a reset, and each day’s sum of adjustments', async () => {
  const given = await application.give(bob, -200);
  const path = '/api/public-record';
  const first = (await visitor.get<PublicRecordResponse>(`${path}?pageSize=1`)).body;
  expect(first).toMatchObject({
    total: 3,
    entries: [{ event: { data: { roundId: 2, carriedCents: 39, purchaseCount: 1, reason: 'a broken clock' } } }],
  });
  const second = (await visitor.get<PublicRecordResponse>(`${path}?page=2&pageSize=2`)).body;
  expect(second.entries).toMatchObject([{ event: { data: { liveDurationSeconds: 2 } }, timersBefore: DEFAULT_TIMERS }]);
  const { revision, eventId, atMs } = first.entries[0]!;
  const proof = (await visitor.get<string>(`/api/ledger/events/${revision}/proof?id=${eventId}`)).body;
  expect(parseProofFile(proof).extra.events).toMatchObject([{ data: { reason: 'a broken clock' } }]);

  const days = await readAfter<AdjustedDaysResponse>(visitor, given, `${path}/adjustments`);
  expect(days).toEqual({
    days: [{ day: dayInNewYork(atMs), adjustments: 3, addedCents: 3_000, takenCents: 200 }],
    total: 1,
  });
  expect(JSON.stringify([first, second, days])).not.toMatch(/lice|bob/i);
  expect((await visitor.get(`${path}?pageSize=0`)).status).toBe(400);
});
