import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { NO_LIMITS, type PlayLimits } from '../contracts/protection.js';
import type { LedgerCommand } from './ledger/ledger-commands.js';
import { limitsInForce, usedCents } from './protection-limits.js';
import { ADMIN, BOB, DAY, SECOND, T0 } from './testing/constants.js';
import { enrolledGamers, funded } from './testing/gamers.js';
import { paidInvoice } from './testing/money.js';
import { gameStarted, liveStarted } from './testing/rounds.js';
import { given, itRefuses, type Scenario } from './testing/scenario.js';

const none = { day: null, week: null, month: null };
const nothing = { day: 0, week: 0, month: 0 };
const unused = { spending: nothing, deposits: nothing, won: nothing };
const limitsOf = (limits: Partial<PlayLimits>): PlayLimits => ({ ...NO_LIMITS, ...limits });
const set = (limits: Partial<PlayLimits>) => ({ type: 'SetLimits', gamerId: BOB, limits: limitsOf(limits) }) as const;
const buy = (quantity: number) => ({ type: 'BuyTokens', buyerId: BOB, quantity }) as const;
const confirm = { type: 'ConfirmLimits', gamerId: BOB } as const;
const deposit = (paymentId: string, amountCents: number) =>
  ({ type: 'CreditDeposit', paymentId, gamerId: BOB, money: { amountCents, feeCents: 0, cryptoType: 'BTC' } }) as const;

const invoiceOf = (quantity: number) => ({ type: 'SettleInvoice', ...paidInvoice(quantity), roundId: 1 }) as const;

/** January 1, 2026, a Thursday, 7:00 in New York. The live round ends far away. */
const live = () =>
  given(T0, ...enrolledGamers(), funded(BOB, 100_000), gameStarted(1, T0), liveStarted(1, T0 + 300 * DAY));
const limited = (limits: Partial<PlayLimits>) => live().when(set(limits)).andThen();
const bought = (scenario: Scenario, quantity: number, atMs: number) => scenario.when(buy(quantity), { atMs }).andThen();

describe('a spending limit', () => {
  it('takes the last cent, refuses the next, and says what is left and until when', () => {
    const after = bought(limited({ spending: { ...none, day: 100 } }), 2, T0);
    after
      .when(buy(2))
      .thenRefused('Your spending limit is $1.00 a day. $0.40 of it is left until Jan 02, 2026, 12:00 AM in New York.');
    bought(after, 1, T0)
      .when(buy(1))
      .thenRefused('Your spending limit is $1.00 a day. $0.10 of it is left until Jan 02, 2026, 12:00 AM in New York.');
  });

  it.each([
    ['day', Date.UTC(2026, 0, 2, 5)],
    ['week', Date.UTC(2026, 0, 5, 5)],
    ['month', Date.UTC(2026, 1, 1, 5)],
  ] as const)('begins a new %s at midnight in New York', (period, startsAt) => {
    const after = bought(limited({ spending: { ...none, [period]: 30 } }), 1, T0);
    after.when(buy(1), { atMs: startsAt - 1 }).thenRefused(expect.stringContaining(`$0.30 a ${period}. Nothing`));
    bought(after, 1, startsAt);
  });

  it('is the strictest of its periods, and of equal ones the longest', () => {
    const after = bought(limited({ spending: { day: 90, week: 60, month: 1_000 } }), 1, T0);
    after.when(buy(2)).thenRefused(expect.stringContaining('$0.60 a week. $0.30 of it is left'));
    limited({ spending: { day: 60, week: 60, month: 60 } })
      .when(buy(3))
      .thenRefused(expect.stringContaining('a month'));
  });

  it('counts what was bought before it was set, in each of its periods', () => {
    const before = bought(bought(live(), 10, T0), 1, T0 + DAY);
    const after = before.when(set({ spending: { day: 90, week: 400, month: null } }), { atMs: T0 + DAY }).andThen();
    after.when(buy(3), { atMs: T0 + DAY }).thenRefused(expect.stringContaining('$0.90 a day. $0.60 of it is left'));
    // A new day of the same week: 400 cents less the 330 of the days before.
    after.when(buy(5), { atMs: T0 + 2 * DAY }).thenRefused(expect.stringContaining('$4.00 a week. $0.70 of it'));
  });

  it('sends an invoice beyond it to the purchase balance', () => {
    const { events } = limited({ spending: { ...none, day: 59 } }).when(invoiceOf(2));
    expect(events).toMatchObject([{ type: 'InvoiceCredited', data: { amountCents: 60 } }]);
  });
});

it('a loss limit grows by the jackpots won', () => {
  const after = bought(limited({ loss: { ...none, month: 100 } }), 3, T0);
  after.when(buy(1)).thenRefused(expect.stringContaining('Your loss limit is $1.00 a month. $0.10 of it is left'));
  const end = T0 + 300 * DAY + 90 * SECOND;
  const won = after.when({ type: 'AdvanceClock', lastAliveAtMs: end + 300 }, { atMs: end + 300 }).andThen();
  const next = won.when({ type: 'ForceStartLive' }, { atMs: end + SECOND }).andThen();
  // The new month begins from nothing; the jackpot of three tokens, $0.39, was won in it.
  bought(next, 4, end + 2 * SECOND)
    .when(buy(1), { atMs: end + 2 * SECOND })
    .thenRefused(expect.stringContaining('$0.19 of it is left'));
});

describe('a deposit limit', () => {
  const week = { deposits: { ...none, week: 1_000 } };

  it('holds back a paid deposit beyond it, which nobody can approve before the next week', () => {
    const parked = limited(week).when(deposit('one', 700)).andThen().when(deposit('two', 301));
    expect(parked.events).toMatchObject([{ type: 'DepositRecorded', data: { reason: 'over-limit' } }]);
    const approve = { type: 'ApproveDeposit', depositId: 'fresh', gamerId: null } as const;
    const after = parked.andThen();
    after
      .when(approve)
      .thenRefused(
        'Your deposit limit is $10.00 a week. $3.00 of it is left until Jan 05, 2026, 12:00 AM in New York.',
      );
    expect(after.when(approve, { atMs: Date.UTC(2026, 0, 5, 5) }).events).toMatchObject([{ type: 'DepositApproved' }]);
  });

  it('takes a deposit of all that is left, and concerns no purchase from the balance', () => {
    expect(limited(week).when(deposit('one', 1_000)).events).toMatchObject([{ type: 'DepositApproved' }]);
    bought(limited(week), 100, T0);
  });

  it('sends a token invoice beyond it to the purchase balance, because a token invoice is a deposit too', () => {
    const after = limited({ deposits: { ...none, week: 89 } })
      .when({ ...invoiceOf(1), paymentId: 'first' })
      .andThen();
    expect(after.when(invoiceOf(2)).events).toMatchObject([{ type: 'InvoiceCredited', data: { amountCents: 60 } }]);
    expect(after.when(invoiceOf(1)).events).toMatchObject([{ type: 'TokenPurchased' }, { type: 'TimeExtended' }]);
  });
});

describe('changing limits', () => {
  const day = (cents: number | null) => limitsOf({ spending: { ...none, day: cents } });
  const limitsSet = (limits: PlayLimits, higher: PlayLimits | null = null): LedgerEvent => ({
    type: 'LimitsSet',
    data: { gamerId: BOB, limits, higher: higher && { limits: higher, confirmableFromMs: T0 + DAY }, used: unused },
  });

  it('lowers a limit at once', () => {
    limited(day(100))
      .when(set(day(50)))
      .thenHappens(limitsSet(day(50)));
  });

  it.each([200, null])('raises to %s only after a day and a second confirmation', (cents) => {
    const requested = limited(day(100))
      .when(set(day(cents)))
      .thenHappens(limitsSet(day(100), day(cents)));
    requested.when(buy(4)).thenRefused(expect.stringContaining('$1.00 a day'));
    requested
      .when(confirm, { atMs: T0 + DAY - 1 })
      .thenRefused('You can confirm the higher limits from Jan 02, 2026, 7:00 AM in New York on.');
    const confirmed = requested
      .when(confirm, { atMs: T0 + DAY })
      .thenHappens({ type: 'LimitsConfirmed', data: { gamerId: BOB, limits: day(cents) } });
    bought(confirmed, 6, T0 + DAY);
    confirmed.when(confirm).thenRefused('There is no higher limit to confirm');
  });

  it('lowers one limit at once and keeps another that is to be raised', () => {
    const before = limitsOf({ spending: { day: 100, week: 500, month: null } });
    const higher = limitsOf({ spending: { day: 200, week: 400, month: null } });
    const lower = limitsOf({ spending: { day: 100, week: 400, month: null } });
    limited(before).when(set(higher)).thenHappens(limitsSet(lower, higher));
  });

  itRefuses([
    ['is refused to the admin', [enrolledGamers()], { ...set({}), gamerId: ADMIN }, 'Gamer not found'],
    ['is refused to an unknown gamer', [enrolledGamers()], { ...set({}), gamerId: 'nobody' }, 'Gamer not found'],
    ['confirms nothing of an unknown gamer', [enrolledGamers()], { ...confirm, gamerId: 'nobody' }, 'Gamer not found'],
  ]);

  it.each([-1, 0.5, 100_000_001])('refuses a limit of %s cents', (cents) => {
    live()
      .when(set(day(cents)))
      .thenRefused('A limit is an amount in whole cents, from $0.00 to $1,000,000.00');
  });
});

describe('the operator’s profile', () => {
  const profile = (limits: Partial<PlayLimits>, mustChooseLimits = false) =>
    ({ type: 'SetProtectionProfile', profile: 'strict', limits: limitsOf(limits), mustChooseLimits }) as const;
  const under = (limits: Partial<PlayLimits>, mustChooseLimits = false) =>
    live().when(profile(limits, mustChooseLimits)).andThen();
  const hundred = { spending: { ...none, day: 100 } };

  it('limits every gamer, and counts what was bought before it', () => {
    const after = bought(live(), 2, T0).when(profile(hundred)).andThen();
    after
      .when(buy(2))
      .thenRefused(expect.stringMatching(/^The operator’s spending limit is \$1\.00 a day\. \$0\.40 of/));
    bought(after, 1, T0);
  });

  it.each([
    [50, /^Your spending limit is \$0\.50 a day/],
    [100, /^Your spending limit is \$1\.00 a day/],
    [150, /^The operator’s spending limit is \$1\.00 a day/],
  ])('holds unless the gamer’s own limit, of %s cents, is as strict', (own, message) => {
    under(hundred)
      .when(set({ spending: { ...none, day: own } }))
      .andThen()
      .when(buy(4))
      .thenRefused(expect.stringMatching(message));
  });

  it('holds back a deposit beyond its limit, and sends an invoice to the purchase balance', () => {
    const scenario = under({ deposits: { ...none, week: 1_000 }, loss: { ...none, month: 50 } });
    const { events } = scenario.when(deposit('one', 1_001));
    expect(events).toMatchObject([{ type: 'DepositRecorded', data: { reason: 'over-limit' } }]);
    expect(scenario.when(invoiceOf(2)).events).toMatchObject([{ type: 'InvoiceCredited' }]);
    expect(scenario.when(invoiceOf(1)).events).toMatchObject([{ type: 'TokenPurchased' }, { type: 'TimeExtended' }]);
  });

  it('obliges a gamer to choose a limit before a purchase', () => {
    const obliged = under({}, true);
    obliged.when(buy(1)).thenRefused('Please set a limit of your own first, on the page My Limits');
    expect(obliged.when(invoiceOf(1)).events).toMatchObject([{ type: 'InvoiceCredited' }]);
    obliged.when(set({})).andThen().when(buy(1)).thenRefused(expect.stringContaining('a limit of your own'));
    bought(obliged.when(set({ loss: { ...none, month: 30 } })).andThen(), 1, T0);
  });

  it('is one event when it changes, and none when it does not', () => {
    const { type: _, ...data } = profile(hundred, true);
    const after = live().when(profile(hundred, true)).thenHappens({ type: 'ProtectionProfileSet', data });
    after.when(profile(hundred, true)).thenNothing();
    for (const change of [{ profile: 'mild' }, { mustChooseLimits: false }, { limits: NO_LIMITS }])
      expect(after.when({ ...profile(hundred, true), ...change } as LedgerCommand).events).toHaveLength(1);
    const none = { type: 'SetProtectionProfile', profile: 'none', limits: NO_LIMITS, mustChooseLimits: false } as const;
    bought(after.when(none).andThen(), 10, T0).when(none).thenNothing();
    live().when(none).thenNothing();
  });

  it('is listed beside the gamer’s own limits, with what is left and used', () => {
    const scenario = under({ spending: { ...none, day: 100 }, loss: { ...none, week: 100 } });
    const { state } = bought(scenario.when(set({ spending: { ...none, week: 80 } })).andThen(), 1, T0);
    const listed = limitsInForce(state, BOB, ['spending'], T0).map((one) => [one.setBy, one.period, one.leftCents]);
    expect(listed).toEqual([
      ['gamer', 'week', 50],
      ['operator', 'day', 70],
    ]);
    const all = { day: 30, week: 30, month: 30 };
    expect(usedCents(state, BOB, T0)).toEqual({ spending: all, deposits: nothing, loss: all });
  });

  it('has valid limits only', () => {
    live()
      .when(profile({ loss: { ...none, day: -1 } }))
      .thenRefused('A limit is an amount in whole cents, from $0.00 to $1,000,000.00');
  });
});
