import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { ExclusionKind } from '../contracts/protection.js';
import { ADMIN, ALICE, BOB, CAROL, DAY, SECOND, T0 } from './testing/constants.js';
import { depositorUntil, enrolledGamers, funded } from './testing/gamers.js';
import { invoiceCredited, paidInvoice } from './testing/money.js';
import { bought, roundLive } from './testing/rounds.js';
import { given, itHappens, itRefuses, type Past } from './testing/scenario.js';

const excluded = (gamerId: string, kind: ExclusionKind, untilMs: number): LedgerEvent => ({
  type: 'GamerExcluded',
  data: { gamerId, kind, untilMs },
});
const exclude = (gamerId: string, kind: ExclusionKind, days: number) =>
  ({ type: 'ExcludeGamer', gamerId, kind, days }) as const;
const LIVE_UNTIL = T0 + 50 * DAY;
const live: Past = [enrolledGamers(), funded(BOB, 1_000, 500), roundLive(LIVE_UNTIL)];
const buy = { type: 'BuyTokens', buyerId: BOB, quantity: 1 } as const;
/** T0 is noon UTC on January 1, 7:00 in the morning in New York. */
const TEXT = 'You are in a time-out until Jan 02, 2026, 7:00 AM in New York.';
const STILL = 'You can still withdraw, read your account and write to support.';
const REFUSED = `${TEXT} ${STILL}`;

describe('an excluded gamer', () => {
  const inTimeOut: Past = [live, excluded(BOB, 'time-out', T0 + DAY)];
  const transfer = { type: 'TransferWinnings', gamerId: BOB, amountCents: 100 } as const;

  itRefuses([
    ['cannot buy until the time-out’s last millisecond', inTimeOut, buy, REFUSED, { atMs: T0 + DAY - 1 }],
    ['cannot buy by a purchase that arrived before the exclusion', inTimeOut, buy, REFUSED, { receivedAtMs: T0 - 1 }],
    ['cannot move winnings to the purchase balance', inTimeOut, transfer, REFUSED],
  ]);

  const after = { jackpotCents: 13, balanceCents: 970, endsAtEpochMs: LIVE_UNTIL + 30 * SECOND };
  const settle = { type: 'SettleInvoice', ...paidInvoice(2), roundId: 1 } as const;
  itHappens([
    ['buys again after the time-out', inTimeOut, buy, bought('fresh', BOB, after), { atMs: T0 + DAY }],
    ['gets the value of an open invoice, and no tokens', inTimeOut, settle, [invoiceCredited(2, 1_060)]],
  ]);

  it('releases the whole purchase balance to the winnings, once, and can withdraw it', () => {
    const request = { amountCents: 1_500, cryptoType: 'BTC' as const, walletAddress: 'bc1q' };
    given(inTimeOut)
      .when({ type: 'ReleaseBalance', gamerId: BOB })
      .thenHappens({ type: 'BalanceReleased', data: { gamerId: BOB, amountCents: 1_000, purchaseBalanceCents: 0 } })
      .when({ type: 'ReleaseBalance', gamerId: BOB })
      .thenRefused('The purchase balance is empty')
      .when({ type: 'RequestWithdrawal', gamerId: BOB, request })
      .thenHappens({ type: 'WithdrawalRequested', data: { withdrawalId: 'fresh', gamerId: BOB, ...request } });
  });

  it('earns no matrix cents as upline and sponsor: they go to house:unclaimed', () => {
    given(live)
      .and(depositorUntil(ALICE, LIVE_UNTIL), excluded(ALICE, 'self-exclusion', T0 + 184 * DAY))
      .when(buy)
      .thenHappens(...bought('fresh', BOB, after));
  });

  it('still wins the round they lead', () => {
    const { events } = given(live)
      .when(buy)
      .andThen()
      .and(excluded(BOB, 'time-out', T0 + 60 * DAY))
      .when({ type: 'AdvanceClock', lastAliveAtMs: T0 + 51 * DAY }, { atMs: T0 + 51 * DAY });
    expect(events).toMatchObject([{ type: 'RoundEnded', data: { winner: { gamerId: BOB } } }]);
  });
});

describe('excluding', () => {
  const LONGER = 'It can be made longer, never shorter.';
  const share = (gamerId: string) => ({ type: 'ShareExclusion', gamerId, from: ALICE }) as const;

  it.each([
    ['time-out', 1],
    ['time-out', 42],
    ['self-exclusion', 184],
    ['self-exclusion', 1_827],
  ] as const)('begins a %s of %d days at once', (kind, days) => {
    given(live)
      .when(exclude(BOB, kind, days))
      .thenHappens(excluded(BOB, kind, T0 + days * DAY));
  });

  it.each([
    ['time-out', 2],
    ['time-out', 184],
    ['self-exclusion', 1],
    ['self-exclusion', 1_828],
    ['for ever' as ExclusionKind, 1],
  ] as const)('refuses a %s of %d days', (kind, days) => {
    given(live)
      .when(exclude(BOB, kind, days))
      .thenRefused('Please choose one of the offered lengths');
  });

  it('makes an exclusion longer, never shorter or weaker', () => {
    given(live)
      .and(excluded(BOB, 'time-out', T0 + DAY))
      .when(exclude(BOB, 'time-out', 1))
      .thenRefused(`${TEXT} ${LONGER}`)
      .when(exclude(BOB, 'time-out', 7))
      .thenHappens(excluded(BOB, 'time-out', T0 + 7 * DAY));
    given(live)
      .and(excluded(BOB, 'self-exclusion', T0 + DAY))
      .when(exclude(BOB, 'time-out', 42))
      .thenRefused(`You are self-excluded until Jan 02, 2026, 7:00 AM in New York. ${LONGER}`);
  });

  it('shares an exclusion in force with another account of the same person: to the same end, never shorter', () => {
    const end = T0 + 200 * DAY;
    const shorter = given(live).and(excluded(ALICE, 'self-exclusion', end), excluded(BOB, 'self-exclusion', end - DAY));
    const shared = shorter.when(share(BOB)).thenHappens(excluded(BOB, 'self-exclusion', end));
    shared.when(share(BOB)).thenRefused(`You are self-excluded until Jul 20, 2026, 8:00 AM in New York. ${LONGER}`);
    given(live).when(share(BOB)).thenRefused('Please choose one of the offered lengths');
    shorter.when(share(BOB), { atMs: end }).thenRefused('Please choose one of the offered lengths');
  });

  const NOT_EXCLUDED = 'Only a gamer in a time-out or self-exclusion can release the purchase balance';
  const aliceIsOut: Past = [live, excluded(ALICE, 'time-out', T0 + DAY)];
  itRefuses([
    ['refuses the admin', live, exclude(ADMIN, 'time-out', 1), 'Gamer not found'],
    ['refuses an unknown gamer', live, exclude('nobody', 'time-out', 1), 'Gamer not found'],
    ['is not shared with the admin', aliceIsOut, share(ADMIN), 'Gamer not found'],
    ['is not shared with an unknown gamer', aliceIsOut, share('nobody'), 'Gamer not found'],
    ['is not lifted for an unknown gamer', live, { type: 'LiftExclusion', gamerId: 'nobody' }, 'Gamer not found'],
    ['releases nothing of an unknown gamer', live, { type: 'ReleaseBalance', gamerId: 'nobody' }, 'Gamer not found'],
    ['releases nothing of a gamer who is not excluded', live, { type: 'ReleaseBalance', gamerId: CAROL }, NOT_EXCLUDED],
  ]);
});

describe('the end of a self-exclusion', () => {
  const END = T0 + 10 * DAY;
  const selfExcluded: Past = [live, excluded(BOB, 'self-exclusion', END)];
  const inTimeOut: Past = [live, excluded(BOB, 'time-out', T0 + DAY)];
  const UNTIL_END = 'You are self-excluded until Jan 11, 2026, 7:00 AM in New York.';
  const lift = { type: 'LiftExclusion', gamerId: BOB } as const;

  it('needs the gamer’s own wish after its end, and a day more', () => {
    const lifted = given(selfExcluded)
      .when(lift, { atMs: END })
      .thenHappens({ type: 'ExclusionLifted', data: { gamerId: BOB, playsFromMs: END + DAY } });
    lifted.when(buy, { atMs: END + DAY }).andThen();
  });

  itRefuses([
    ['lasts without that wish', selfExcluded, buy, `${UNTIL_END} ${STILL}`, { atMs: END + DAY }],
    ['is refused before its end', selfExcluded, lift, UNTIL_END, { atMs: END - 1 }],
    ['is refused to a gamer in a time-out', inTimeOut, lift, 'You have no self-exclusion to lift'],
    ['is refused without an exclusion', live, lift, 'You have no self-exclusion to lift'],
  ]);
});
