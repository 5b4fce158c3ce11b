import { ADMIN, ALICE, BOB, DAY, depositorUntil, enrolledGamers, funded, T0 } from './testing/events.js';
import { given } from './testing/scenario.js';

describe('transferring winnings to the purchase balance', () => {
  const transfer = (gamerId: string, amountCents: number) =>
    ({ type: 'TransferWinnings', gamerId, amountCents }) as const;
  const rich = () => given(enrolledGamers(), funded(BOB, 10, 500));

  it('moves the amount', () => {
    const { state } = rich()
      .when(transfer(BOB, 200))
      .thenHappens({
        type: 'WinningsTransferred',
        data: { gamerId: BOB, amountCents: 200, purchaseBalanceCents: 210 },
      });
    expect(state.balances.get('gamer:bob:winnings')).toBe(300);
    expect(state.balances.get('gamer:bob:purchase')).toBe(210);
  });

  it('moves one cent, and the whole winnings', () => {
    const { state } = rich().when(transfer(BOB, 1)).andThen().when(transfer(BOB, 499)).andThen();
    expect(state.balances.get('gamer:bob:winnings')).toBe(0);
    expect(state.balances.get('gamer:bob:purchase')).toBe(510);
  });

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('is refused for %p cents', (amountCents) => {
    rich().when(transfer(BOB, amountCents)).thenRefused('Please enter a valid transfer amount');
  });

  it('is refused beyond the winnings', () => {
    rich().when(transfer(BOB, 501)).thenRefused('Transfer amount exceeds available winnings');
    rich().when(transfer(ALICE, 1)).thenRefused('Transfer amount exceeds available winnings');
    rich().when(transfer(ADMIN, 1)).thenRefused('Transfer amount exceeds available winnings');
  });

  it('is refused to an unknown gamer', () => {
    rich().when(transfer('nobody', 1)).thenRefused('Gamer not found');
  });

  it('gives no depositor status', () => {
    const { state } = rich().when(transfer(BOB, 500)).andThen();
    expect(state.gamers.get(BOB)?.depositorUntilEpochMs).toBeNull();
  });
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
  const some = () => given(enrolledGamers(), funded(BOB, 100, 50));

  it('posts against house:adjustments', () => {
    const { state } = some()
      .when(adjust(BOB, 25, -50))
      .thenHappens(adjusted([25, -50], [125, 0]));
    expect(state.balances.get('gamer:bob:purchase')).toBe(125);
    expect(state.balances.get('gamer:bob:winnings')).toBe(0);
    expect(state.balances.get('house:adjustments')).toBe(-125);
  });

  it('may change only one of the balances', () => {
    some()
      .when(adjust(BOB, -100, 0))
      .thenHappens(adjusted([-100, 0], [0, 50]));
    some()
      .when(adjust(BOB, 0, 1))
      .thenHappens(adjusted([0, 1], [100, 51]));
  });

  it('accepts a million dollars, up and down', () => {
    const { state } = some()
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
    some()
      .when(adjust(BOB, purchaseCents, winningsCents))
      .thenRefused('Adjustments must be whole cents, and at least one of them not zero');
  });

  it('is refused when either balance would be below zero', () => {
    some()
      .when(adjust(BOB, -101, 0))
      .thenRefused('The adjustment would take a balance below zero');
    some()
      .when(adjust(BOB, 1_000, -51))
      .thenRefused('The adjustment would take a balance below zero');
  });

  it('is refused for the admin and for an unknown gamer', () => {
    some()
      .when(adjust(ADMIN, 1, 0))
      .thenRefused('The admin account has no balances to adjust');
    some()
      .when(adjust('nobody', 1, 0))
      .thenRefused('Gamer not found');
  });
});

describe('setting the depositor status', () => {
  const set = (gamerId: string, isDepositor: boolean) =>
    ({ type: 'SetDepositorStatus', gamerId, isDepositor }) as const;

  it('turns it on for 30 days from now', () => {
    given(enrolledGamers())
      .when(set(BOB, true))
      .thenHappens(depositorUntil(BOB, T0 + 30 * DAY));
  });

  it('counts from now even if time was left', () => {
    given(enrolledGamers(), depositorUntil(BOB, T0 + 300 * DAY))
      .when(set(BOB, true))
      .thenHappens(depositorUntil(BOB, T0 + 30 * DAY));
  });

  it('turns it off at once', () => {
    given(enrolledGamers(), depositorUntil(BOB, T0 + DAY))
      .when(set(BOB, false))
      .thenHappens(depositorUntil(BOB, null));
  });

  it('is refused for the admin and for an unknown gamer', () => {
    given(enrolledGamers()).when(set(ADMIN, true)).thenRefused('The admin account cannot be a depositor');
    given(enrolledGamers()).when(set('nobody', true)).thenRefused('Gamer not found');
  });
});
