import { evolve } from './evolve.js';
import type { LedgerCommand } from './ledger-commands.js';
import { frozenCopy } from './testing/copy.js';
import { ADMIN, ALICE, BOB, CAROL, DAY, enrolledGamers, funded, powersSet, staffStatus, T0 } from './testing/events.js';
import { given, type Past, type Scenario } from './testing/scenario.js';
import { UndoJournal } from './undo-journal.js';

const LIMIT = 50_000;
const LIMIT_PER_DAY = 200_000;
const byAdmin = { actor: { id: ADMIN, role: 'admin' } } as const;
const byAlice = { actor: { id: ALICE, role: 'operator' } } as const;
const ALONE = 'Another person must confirm this within a day';

const adjust = (purchaseCents: number, winningsCents = 0, gamerId = BOB) =>
  ({ type: 'AdjustBalance', gamerId, purchaseCents, winningsCents, reason: 'a prize' }) as const;
const requested = (purchaseCents: number, winningsCents = 0) =>
  ({
    type: 'AdjustmentRequested',
    data: { gamerId: BOB, purchaseCents, winningsCents, reason: 'a prize' },
  }) as const;
const operating: Past[] = [enrolledGamers(), staffStatus(ALICE, true), powersSet(ALICE, ['money'])];
const large = adjust(LIMIT + 1);

it('a second person is needed above the limit, and only where another person has the power', () => {
  given(...operating)
    .when(large, byAdmin)
    .thenHappens(requested(LIMIT + 1));
  given(...operating)
    .when(adjust(LIMIT), byAdmin)
    .andThen();
  // Both changes count, up and down.
  const past = () => given(...operating, funded(BOB, 0, 40_000));
  past().when(adjust(20_000, -30_001), byAdmin).thenHappens(requested(20_000, -30_001));
  const alone = given(enrolledGamers()).when(large, byAdmin).andThen().state;
  expect(alone.balances.get('gamer:bob:purchase')).toBe(LIMIT + 1);
  const without = [enrolledGamers(), staffStatus(ALICE, true), powersSet(ALICE, ['game', 'support'])];
  expect(
    given(...without)
      .when(large, byAdmin)
      .andThen().state.requests.size,
  ).toBe(0);
});

it('a second person must be another person who sends the same command within a day', () => {
  const waiting = () =>
    given(...operating)
      .when(large, byAdmin)
      .andThen();
  waiting().when(large, byAdmin).thenRefused(ALONE);
  const { state } = waiting().when(large, byAlice).andThen();
  expect([state.balances.get('gamer:bob:purchase'), state.requests.size]).toEqual([LIMIT + 1, 0]);
  expect(
    waiting()
      .when(adjust(LIMIT + 2), byAlice)
      .andThen().state.requests.size,
  ).toBe(2);
  expect(
    waiting()
      .and(T0 + DAY)
      .when(large, byAlice)
      .andThen().state.requests.size,
  ).toBe(0);
  // Later the request counts no more, and is one of the second person.
  const later = waiting()
    .and(T0 + DAY + 1)
    .when(large, byAlice)
    .andThen();
  expect(later.state.balances.get('gamer:bob:purchase')).toBeUndefined();
  later.when(large, byAlice).thenRefused(ALONE);
  later.when(large, byAdmin).andThen();
});

it('a second person cannot be the gamer concerned; without a third person one person is enough', () => {
  const own = adjust(LIMIT + 1, 0, ALICE);
  expect(
    given(...operating)
      .when(own, byAdmin)
      .andThen()
      .state.balances.get('gamer:alice:purchase'),
  ).toBe(LIMIT + 1);
  const three = [...operating, staffStatus(CAROL, true), powersSet(CAROL, ['money'])];
  const waiting = given(...three)
    .when(own, byAdmin)
    .andThen();
  waiting.when(own, byAlice).thenRefused('Another person must do this for you');
  waiting.when(own, { actor: { id: CAROL, role: 'operator' } }).andThen();
});

it('a second person confirms the completion of a payout; one person may return it', () => {
  const payout = { withdrawalId: 'w1', gamerId: BOB, amountCents: LIMIT + 1, cryptoType: 'BTC' } as const;
  const past: Past[] = [
    ...operating,
    funded(BOB, 0, LIMIT + 1),
    { type: 'WithdrawalRequested', data: { ...payout, walletAddress: '1A' } },
  ];
  const update = (status: 'completed' | 'processing' | 'returned'): LedgerCommand => ({
    type: 'UpdateWithdrawal',
    withdrawalId: 'w1',
    update: { status, adminNotes: null, txid: null },
  });
  given(...past)
    .when(update('processing'), byAlice)
    .andThen();
  given(...past)
    .when(update('returned'), byAlice)
    .andThen();
  const waiting = given(...past)
    .when(update('completed'), byAlice)
    .andThen();
  expect(waiting.state.balances.get('payouts:pending')).toBe(LIMIT + 1);
  waiting.when(update('completed'), byAlice).thenRefused(ALONE);
  const { state } = waiting.when(update('completed'), byAdmin).andThen();
  expect([state.balances.get('payouts:pending'), state.requests.size]).toEqual([0, 0]);
});

it('a second person does not confirm the request of a person who has lost the power since, or is removed', () => {
  const three = [...operating, staffStatus(CAROL, true), powersSet(CAROL, ['money'])];
  const byCarol = { actor: { id: CAROL, role: 'operator' } } as const;
  const waiting = () =>
    given(...three)
      .when(large, byAlice)
      .andThen();
  for (const powers of [['game'], []] as const) {
    const set = { type: 'SetStaffStatus', gamerId: ALICE, isStaff: powers.length > 0, powers: [...powers] } as const;
    const ended = waiting().when(set, byAdmin).andThen();
    expect(ended.state.requests.size).toBe(0);
    const next = ended.when(large, byCarol).andThen();
    expect([next.state.balances.get('gamer:bob:purchase'), next.state.requests.size]).toEqual([undefined, 1]);
  }
  expect(waiting().when({ type: 'RemoveGamer', gamerId: ALICE }, byAdmin).andThen().state.requests.size).toBe(0);
  const kept = { type: 'SetStaffStatus', gamerId: ALICE, isStaff: true, powers: ['money', 'game'] } as const;
  expect(waiting().when(kept, byAdmin).andThen().state.requests.size).toBe(1);
});

it('a second person is needed above the limit that the admin sets', () => {
  const set = (aboveCents: number | null, aboveCentsPerDay: number | null = LIMIT_PER_DAY) =>
    ({ type: 'SetSecondPersonLimit', aboveCents, aboveCentsPerDay }) as const;
  given(...operating)
    .when(set(100), byAlice)
    .thenRefused('You do not have the power to do this');
  for (const wrong of [set(-1), set(0.5), set(100_000_001), set(1, -1), set(1, 0.5), set(1, 100_000_001)])
    given(...operating)
      .when(wrong, byAdmin)
      .thenRefused('A limit is an amount from $0.00 to $1,000,000.00, or empty for no limit');
  given(...operating)
    .when(set(LIMIT), byAdmin)
    .thenNothing();
  const low = given(...operating)
    .when(set(100), byAdmin)
    .andThen();
  low.when(adjust(101), byAlice).thenHappens(requested(101));
  const none = given(...operating)
    .when(set(null, null), byAdmin)
    .thenHappens({ type: 'SecondPersonLimitSet', data: { aboveCents: null, aboveCentsPerDay: null } });
  none.when(adjust(90_000_000), byAlice).andThen();
  const perDay = given(...operating)
    .when(set(null, 100), byAdmin)
    .andThen();
  perDay.when(adjust(101), byAlice).thenHappens(requested(101));
});

describe('because of what one person moved alone in the day', () => {
  /** The admin moves the whole limit of a day alone, in four acts at the limit of one act. */
  const spent = (at = T0): Scenario => {
    const past = given(...operating);
    for (let act = 0; act < 4; act += 1) past.when(adjust(LIMIT), { ...byAdmin, at }).andThen();
    return past;
  };
  const movedBy = ({ state }: Scenario, id: string) => state.movedAlone.get(id)?.cents;

  it('is needed one cent above the limit, and not at it', () => {
    expect(spent().state.movedAlone.get(ADMIN)).toEqual({ day: '2026-01-01', cents: LIMIT_PER_DAY });
    spent().when(adjust(1), byAdmin).thenHappens(requested(1));
    // Taking counts like giving.
    spent().when(adjust(-1), byAdmin).thenHappens(requested(-1));
    // The other person has a sum of their own.
    expect(movedBy(spent().when(adjust(LIMIT), byAlice).andThen(), ALICE)).toBe(LIMIT);
  });

  it.each([
    ['24 hours', Date.UTC(2026, 0, 15, 5), Date.UTC(2026, 0, 16, 5)],
    ['23 hours', Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 9, 4)],
    ['25 hours', Date.UTC(2026, 10, 1, 4), Date.UTC(2026, 10, 2, 5)],
  ])('is needed until midnight in New York, on a day of %s', (_, begins, ends) => {
    spent(begins)
      .when(adjust(1), { ...byAdmin, at: ends - 1 })
      .thenHappens(requested(1));
    const next = spent(begins)
      .when(adjust(1), { ...byAdmin, at: ends })
      .andThen();
    expect(movedBy(next, ADMIN)).toBe(1);
    // The day before does not count either.
    const early = spent(begins - 1);
    expect(movedBy(early.when(adjust(2), { ...byAdmin, at: begins }).andThen(), ADMIN)).toBe(2);
  });

  it('carries out the request, which then counts as moved alone by neither', () => {
    const change = { gamerId: BOB, purchaseCents: 1, winningsCents: 0, reason: 'a prize' };
    const balances = { purchaseBalanceCents: LIMIT_PER_DAY + 1, winningsBalanceCents: 0 };
    const confirmed = spent()
      .when(adjust(1), byAdmin)
      .andThen()
      .when(adjust(1), byAlice)
      .thenHappens({ type: 'BalanceAdjusted', data: { ...change, ...balances, requestedBy: ADMIN } });
    expect([movedBy(confirmed, ADMIN), movedBy(confirmed, ALICE)]).toEqual([LIMIT_PER_DAY, undefined]);
    const byTwo = given(...operating)
      .when(large, byAdmin)
      .andThen()
      .when(large, byAlice)
      .andThen();
    expect(byTwo.state.movedAlone.size).toBe(0);
  });

  it('is also a person who has moved as much alone', () => {
    const both = spent();
    for (let act = 0; act < 4; act += 1) both.when(adjust(LIMIT), byAlice).andThen();
    both.when(adjust(1), byAdmin).andThen().when(adjust(1), byAlice).andThen().when(adjust(1), byAlice).andThen();
    expect([movedBy(both, ALICE), both.state.requests.size]).toEqual([LIMIT_PER_DAY, 1]);
  });

  it('is not needed on the next day, whose sum an open request does not keep from counting', () => {
    const ends = Date.UTC(2026, 0, 2, 5);
    const next = spent()
      .when(adjust(1), byAdmin)
      .andThen()
      .when(adjust(1), { ...byAdmin, at: ends });
    expect(next.events).toMatchObject([{ type: 'BalanceAdjusted', data: { requestedBy: null } }]);
    const { state } = next.andThen();
    expect([state.movedAlone.get(ADMIN), state.requests.size]).toEqual([{ day: '2026-01-02', cents: 1 }, 0]);
  });

  it('is needed for a payout, whose completion counts, and never to return one', () => {
    const payout = { withdrawalId: 'w1', gamerId: BOB, amountCents: 1_000, cryptoType: 'BTC' } as const;
    const update = (status: 'completed' | 'returned'): LedgerCommand => ({
      type: 'UpdateWithdrawal',
      withdrawalId: 'w1',
      update: { status, adminNotes: null, txid: null },
    });
    const open: Past[] = [
      funded(BOB, 0, 1_000),
      { type: 'WithdrawalRequested', data: { ...payout, walletAddress: '1A' } },
    ];
    const data = { withdrawalId: 'w1', gamerId: BOB, amountCents: 1_000, adminNotes: null, txid: null };
    const paid = given(...operating, ...open)
      .when(update('completed'), byAlice)
      .thenHappens({ type: 'WithdrawalCompleted', data: { ...data, requestedBy: null } });
    expect(movedBy(paid, ALICE)).toBe(1_000);
    const { withdrawalId, gamerId, amountCents } = payout;
    const waiting = spent()
      .and(...open)
      .when(update('completed'), byAdmin)
      .thenHappens({ type: 'PayoutRequested', data: { withdrawalId, gamerId, amountCents } });
    waiting
      .when(update('completed'), byAlice)
      .thenHappens({ type: 'WithdrawalCompleted', data: { ...data, requestedBy: ADMIN } });
    const returned = spent()
      .and(...open)
      .when(update('returned'), byAdmin)
      .thenHappens({ type: 'WithdrawalReturned', data });
    expect(movedBy(returned, ADMIN)).toBe(LIMIT_PER_DAY);
  });

  it('counts what a person moved while nobody else could have confirmed it, by events of every version', () => {
    const alone = () =>
      given(enrolledGamers())
        .when(adjust(LIMIT_PER_DAY + 1), byAdmin)
        .andThen();
    alone().when(adjust(LIMIT_PER_DAY), byAdmin).andThen();
    alone()
      .and(staffStatus(ALICE, true), powersSet(ALICE, ['money']))
      .when(adjust(1), byAdmin)
      .thenHappens(requested(1));
    given(...operating)
      .by(byAdmin.actor, T0, [funded(BOB, LIMIT_PER_DAY)])
      .when(adjust(1), byAdmin)
      .thenHappens(requested(1));
  });

  it('follows a limit that changes on the same day, and keeps the limit per day of version 1', () => {
    const set = (aboveCentsPerDay: number | null) =>
      ({ type: 'SetSecondPersonLimit', aboveCents: LIMIT, aboveCentsPerDay }) as const;
    const raised = spent()
      .when(set(LIMIT_PER_DAY + 1), byAdmin)
      .andThen();
    raised.when(adjust(2), byAdmin).thenHappens(requested(2));
    const atLimit = raised.when(adjust(1), byAdmin).andThen();
    atLimit.when(set(0), byAdmin).andThen().when(adjust(1), byAlice).thenHappens(requested(1));
    atLimit.and({ type: 'SecondPersonLimitSet', data: { aboveCents: null } });
    expect([atLimit.state.secondPersonAboveCents, atLimit.state.secondPersonAboveCentsPerDay]).toEqual([null, 0]);
    atLimit.when(set(null), byAdmin).andThen().when(adjust(LIMIT), byAdmin).andThen();
  });

  it('is not avoided by powers that are taken and given back, and the sum ends with the gamer', () => {
    const past = () => {
      const moved = given(...operating);
      for (let act = 0; act < 4; act += 1) moved.when(adjust(LIMIT), byAlice).andThen();
      return moved;
    };
    past()
      .and(powersSet(ALICE, []), powersSet(ALICE, ['money']))
      .when(adjust(1), byAlice)
      .thenHappens(requested(1));
    const { state } = past().when({ type: 'RemoveGamer', gamerId: ALICE }, byAdmin).andThen();
    expect(state.movedAlone.size).toBe(0);
  });

  it('leaves the sum and the requests as they were when an append is refused', () => {
    const waiting = spent().when(adjust(1), byAdmin).andThen();
    const { state } = waiting;
    const before = frozenCopy(state);
    const journal = new UndoJournal();
    const acts = [
      [adjust(1), byAlice],
      [adjust(2), byAlice],
    ] as const;
    for (const [command, context] of acts)
      for (const event of waiting.when(command, context).events)
        evolve(state, { revision: 99, event, metadata: { ...context, at: T0, commandId: 'refused' } }, journal);
    expect([movedBy(waiting, ALICE), state.requests.size]).toEqual([2, 0]);
    journal.undo();
    expect(state).toEqual(before);
  });
});
