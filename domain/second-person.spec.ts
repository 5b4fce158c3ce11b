import type { LedgerCommand } from './ledger-commands.js';
import { ADMIN, ALICE, BOB, CAROL, DAY, enrolledGamers, funded, powersSet, staffStatus, T0 } from './testing/events.js';
import { given, type Past } from './testing/scenario.js';

const LIMIT = 50_000;
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
  const set = (aboveCents: number | null) => ({ type: 'SetSecondPersonLimit', aboveCents }) as const;
  given(...operating)
    .when(set(100), byAlice)
    .thenRefused('You do not have the power to do this');
  given(...operating)
    .when(set(-1), byAdmin)
    .thenRefused('Not a valid limit');
  given(...operating)
    .when(set(LIMIT), byAdmin)
    .thenNothing();
  const low = given(...operating)
    .when(set(100), byAdmin)
    .andThen();
  low.when(adjust(101), byAlice).thenHappens(requested(101));
  const none = given(...operating)
    .when(set(null), byAdmin)
    .andThen();
  none.when(adjust(90_000_000), byAlice).andThen();
});
