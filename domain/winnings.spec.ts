import { ADMIN, ALICE, BOB, DAY, T0 } from './testing/constants.js';
import { depositorUntil, enrolledGamers, funded } from './testing/gamers.js';
import { given, itHappens, itRefuses } from './testing/scenario.js';

describe('transferring winnings to the purchase balance', () => {
  const transfer = (gamerId: string, amountCents: number) =>
    ({ type: 'TransferWinnings', gamerId, amountCents }) as const;
  const rich = [enrolledGamers(), funded(BOB, 10, 500)];

  it('moves the amount', () => {
    const data = { gamerId: BOB, amountCents: 200, purchaseBalanceCents: 210 };
    const { state } = given(rich).when(transfer(BOB, 200)).thenHappens({ type: 'WinningsTransferred', data });
    expect(Object.fromEntries(state.balances)).toMatchObject({ 'gamer:bob:winnings': 300, 'gamer:bob:purchase': 210 });
  });

  it('moves one cent, and the whole winnings', () => {
    const { state } = given(rich).when(transfer(BOB, 1)).andThen().when(transfer(BOB, 499)).andThen();
    expect(Object.fromEntries(state.balances)).toMatchObject({ 'gamer:bob:winnings': 0, 'gamer:bob:purchase': 510 });
  });

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('is refused for %p cents', (amountCents) => {
    given(rich).when(transfer(BOB, amountCents)).thenRefused('Please enter a valid transfer amount');
  });

  const BEYOND = 'Transfer amount exceeds available winnings';
  itRefuses([
    ['is refused beyond the winnings', rich, transfer(BOB, 501), BEYOND],
    ['is refused to a gamer without winnings', rich, transfer(ALICE, 1), BEYOND],
    ['is refused to the admin', rich, transfer(ADMIN, 1), BEYOND],
    ['is refused to an unknown gamer', rich, transfer('nobody', 1), 'Gamer not found'],
  ]);
});

describe('adjusting balances', () => {
  const adjust = (gamerId: string, purchaseCents: number, winningsCents: number) =>
    ({ type: 'AdjustBalance', gamerId, purchaseCents, winningsCents, reason: 'goodwill' }) as const;
  /** The event of the adjustment, and the balances after it. */
  const adjusted = (
    [purchaseCents, winningsCents]: [number, number],
    [purchaseBalanceCents, winningsBalanceCents]: [number, number],
  ) => {
    const change = { gamerId: BOB, purchaseCents, winningsCents, reason: 'goodwill' };
    const data = { ...change, purchaseBalanceCents, winningsBalanceCents };
    return { type: 'BalanceAdjusted', data } as const;
  };
  const some = [enrolledGamers(), funded(BOB, 100, 50)];
  const { type, data } = adjusted([0, 1], [100, 51]);
  const withoutReason = { type, data: { ...data, reason: 'No reason given' } };

  it('posts against house:adjustments', () => {
    const { state } = given(some)
      .when(adjust(BOB, 25, -50))
      .thenHappens(adjusted([25, -50], [125, 0]));
    const after = { 'gamer:bob:purchase': 125, 'gamer:bob:winnings': 0, 'house:adjustments': -125 };
    expect(Object.fromEntries(state.balances)).toEqual(after);
  });

  itHappens([
    ['may change the purchase balance only', some, adjust(BOB, -100, 0), [adjusted([-100, 0], [0, 50])]],
    ['may change the winnings only', some, adjust(BOB, 0, 1), [adjusted([0, 1], [100, 51])]],
    ['says that no reason was given', some, { ...adjust(BOB, 0, 1), reason: ' ' }, [withoutReason]],
  ]);

  it('accepts a million dollars, up and down', () => {
    const { state } = given(some)
      .when(adjust(BOB, 100_000_000, 100_000_000))
      .andThen();
    expect(state.balances.get('gamer:bob:purchase')).toBe(100_000_100);
    given(enrolledGamers(), funded(BOB, 100_000_000))
      .when(adjust(BOB, -100_000_000, 0))
      .andThen();
  });

  it.each([
    [0, 0],
    [0.5, 0],
    [0, Number.NaN],
    [Number.NEGATIVE_INFINITY, 0],
    [100_000_001, 0],
    [0, -100_000_001],
  ])('is refused for %p and %p cents', (purchaseCents, winningsCents) => {
    given(some)
      .when(adjust(BOB, purchaseCents, winningsCents))
      .thenRefused('Adjustments must be whole cents, and at least one of them not zero');
  });

  const BELOW_ZERO = 'The adjustment would take a balance below zero';
  itRefuses([
    ['is refused when the purchase balance would be below zero', some, adjust(BOB, -101, 0), BELOW_ZERO],
    ['is refused when the winnings would be below zero', some, adjust(BOB, 1_000, -51), BELOW_ZERO],
    ['is refused for the admin', some, adjust(ADMIN, 1, 0), 'The admin account has no balances to adjust'],
    ['is refused for an unknown gamer', some, adjust('nobody', 1, 0), 'Gamer not found'],
  ]);
});

describe('setting the depositor status', () => {
  const set = (gamerId: string, isDepositor: boolean) =>
    ({ type: 'SetDepositorStatus', gamerId, isDepositor }) as const;

  const in30Days = [depositorUntil(BOB, T0 + 30 * DAY)];
  const until = (epochMs: number) => [enrolledGamers(), depositorUntil(BOB, epochMs)];
  itHappens([
    ['turns it on for 30 days from now', enrolledGamers(), set(BOB, true), in30Days],
    ['counts from now even if time was left', until(T0 + 300 * DAY), set(BOB, true), in30Days],
    ['turns it off at once', until(T0 + DAY), set(BOB, false), [depositorUntil(BOB, null)]],
  ]);
  itRefuses([
    ['is refused for the admin', enrolledGamers(), set(ADMIN, true), 'The admin account cannot be a depositor'],
    ['is refused for an unknown gamer', enrolledGamers(), set('nobody', true), 'Gamer not found'],
  ]);
});
