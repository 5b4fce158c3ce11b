import { type GamerId, POWERS, type Power } from '../contracts/ids.js';
import type { LedgerCommand } from './ledger/ledger-commands.js';
import { earnsMatrixCents } from './ledger/ledger-state.js';
import { ADMIN, ALICE, BOB, DAY, SECOND, T0, TIMERS } from './testing/constants.js';
import { depositorUntil, enrolledGamers, funded, powersSet, staffStatus } from './testing/gamers.js';
import { paidInvoice, withdrawalRequested } from './testing/money.js';
import { roundLive } from './testing/rounds.js';
import { given } from './testing/scenario.js';

const ENDS = T0 + 120 * SECOND;
const CANNOT_PLAY = 'Auditors and operators cannot buy, deposit or withdraw';

const request = { amountCents: 1_000, cryptoType: 'BTC', walletAddress: '1A' } as const;

const setStaff = (gamerId: GamerId, isStaff = true) => ({ type: 'SetStaffStatus', gamerId, isStaff }) as const;
const buy = (buyerId: GamerId): LedgerCommand => ({ type: 'BuyTokens', buyerId, quantity: 1 });

it('is set and ended, and a repeated setting changes nothing', () => {
  given(enrolledGamers()).when(setStaff(BOB)).thenHappens(staffStatus(BOB, true));
  given(enrolledGamers(), staffStatus(BOB, true)).when(setStaff(BOB)).thenNothing();
  given(enrolledGamers(), staffStatus(BOB, true)).when(setStaff(BOB, false)).thenHappens(staffStatus(BOB, false));
  given(enrolledGamers()).when(setStaff(BOB, false)).thenNothing();
});

it('is refused for the admin, an unknown gamer, and the live round’s last buyer, who may win', () => {
  given(enrolledGamers()).when(setStaff(ADMIN)).thenRefused('The admin account keeps its role');
  given(enrolledGamers()).when(setStaff('nobody')).thenRefused('Gamer not found');
  const leading = () => given(enrolledGamers(), funded(BOB, 60), funded(ALICE, 60), roundLive(ENDS)).when(buy(BOB));
  leading().andThen().when(setStaff(BOB)).thenRefused('This gamer is the last buyer of the live round');
  leading().andThen().when(setStaff(BOB, false)).thenNothing();
  leading().andThen().when(buy(ALICE)).andThen().when(setStaff(BOB)).thenHappens(staffStatus(BOB, true));
});

it('keeps staff from buying and withdrawing until it ends', () => {
  const past = () => given(enrolledGamers(), funded(BOB, 60, 2_000), roundLive(ENDS), staffStatus(BOB, true));
  past().when(buy(BOB)).thenRefused(CANNOT_PLAY);
  past().when({ type: 'RequestWithdrawal', gamerId: BOB, request }).thenRefused(CANNOT_PLAY);
  const ended = past().and(staffStatus(BOB, false));
  ended.when(buy(BOB)).andThen().when({ type: 'RequestWithdrawal', gamerId: BOB, request }).andThen();
});

it('sends the shares of staff in the matrix to house:unclaimed', () => {
  const past = () => given(enrolledGamers(), depositorUntil(ALICE, T0 + DAY), funded(BOB, 60), roundLive(ENDS));
  const earned = past().when(buy(BOB)).andThen().state;
  expect([earned.balances.get('gamer:alice:winnings'), earned.balances.get('house:unclaimed')]).toEqual([3, 12]);
  const { state } = past().and(staffStatus(ALICE, true)).when(buy(BOB)).andThen();
  expect([state.balances.get('gamer:alice:winnings'), state.balances.get('house:unclaimed')]).toEqual([undefined, 15]);
  // The depositor status itself stays.
  expect(state.gamers.get(ALICE)?.depositorUntilMs).toBe(T0 + DAY);
});

it('credits a token invoice of staff to the purchase balance, even while its round is live', () => {
  const { state } = given(enrolledGamers(), roundLive(ENDS), staffStatus(BOB, true))
    .when({ type: 'SettleInvoice', ...paidInvoice(2), roundId: 1 })
    .andThen();
  expect(state.balances.get('gamer:bob:purchase')).toBe(60);
  expect(state.game.purchaseCount).toBe(0);
});

describe('powers', () => {
  const setPowers = (gamerId: GamerId, powers: readonly Power[], isStaff = true) =>
    ({ type: 'SetStaffStatus', gamerId, isStaff, powers }) as const;
  const operator = { actor: { id: BOB, role: 'operator' } } as const;
  const MISSING = 'You do not have the power to do this';
  const past = (powers: readonly Power[]) =>
    given(enrolledGamers(), staffStatus(BOB, true), powersSet(BOB, powers), funded(ALICE, 100, 2_000));

  it('make a gamer staff first, are set once, and end before the staff status', () => {
    given(enrolledGamers())
      .when(setPowers(BOB, ['game', 'money']))
      .thenHappens(staffStatus(BOB, true), powersSet(BOB, ['money', 'game']));
    past(['money', 'game'])
      .when(setPowers(BOB, ['game', 'money']))
      .thenNothing();
    past(['money']).when(setPowers(BOB, [])).thenHappens(powersSet(BOB, []));
    past(['money']).when(setStaff(BOB)).thenNothing();
    given(enrolledGamers())
      .when(setPowers(BOB, ['money'], false))
      .thenNothing();
    past(['money']).when(setStaff(BOB, false)).thenHappens(powersSet(BOB, []), staffStatus(BOB, false));
  });

  const adjust = (gamerId: GamerId) =>
    ({ type: 'AdjustBalance', gamerId, purchaseCents: 1, winningsCents: 0, reason: 'x' }) as const;
  const update = { status: 'completed', adminNotes: null, txid: null } as const;
  const ofGame: LedgerCommand[] = [
    { type: 'StartGame' },
    { type: 'ForceStartLive' },
    { type: 'ResetGame', reason: 'x' },
    { type: 'ChangeTimers', timers: TIMERS },
    { type: 'ScheduleGame', localTime: '', timeZone: '', repeat: 'once' },
    { type: 'CancelSchedule', startsAtMs: 0 },
  ];
  const ofMoney: LedgerCommand[] = [
    adjust(ALICE),
    { type: 'SetDepositorStatus', gamerId: ALICE, isDepositor: true },
    { type: 'ApproveDeposit', depositId: 'd9', gamerId: null },
    { type: 'RejectDeposit', depositId: 'd9', adminNotes: null },
    { type: 'UpdateWithdrawal', withdrawalId: 'w9', update },
    { type: 'OrderPayouts', batchId: '1', payouts: [{ withdrawalId: 'w9', payoutId: 'w9-0', amount: '1' }] },
    { type: 'SettlePayout', payoutId: '7', adminNotes: 'x' },
    { type: 'ReleasePayouts', paymentCount: 0, payoutCount: 0, reason: 'x' },
  ];
  const ofTheAdmin: LedgerCommand[] = [
    setPowers(ALICE, POWERS),
    { type: 'RemoveGamer', gamerId: ALICE },
    { type: 'RequestProfitWithdrawal', request },
    { type: 'UpdateProfitWithdrawal', withdrawalId: 'w9', update },
  ];
  it.each<[Power | null, LedgerCommand[]]>([
    ['game', ofGame],
    ['money', ofMoney],
    [null, ofTheAdmin],
  ])('allow an operator with %s what it names, as of the decision', (power, commands) => {
    for (const command of commands) {
      past(POWERS.filter((one) => one !== power))
        .when(command, operator)
        .thenRefused(MISSING);
      if (power === null) continue;
      expect(past([power]).when(command, operator).refused).not.toBe(MISSING);
      past([power]).and(powersSet(BOB, [])).when(command, operator).thenRefused(MISSING);
    }
  });

  it('do not allow an operator to move their own money, nor to make themselves a depositor', () => {
    const self = 'Another person must do this for you';
    const own = { depositId: 'd1', paymentId: 'p1', purpose: 'deposit', gamerId: BOB, amountCents: 500 } as const;
    const recorded = { ...own, feeCents: 25, cryptoType: 'BTC', reason: 'late' } as const;
    const operating = () =>
      given(enrolledGamers(), funded(BOB, 0, 2_000), withdrawalRequested('w1', 1_000), [
        { type: 'DepositRecorded', data: recorded },
        staffStatus(BOB, true),
        powersSet(BOB, ['money']),
      ]);
    operating().when(adjust(BOB), operator).thenRefused(self);
    const payouts = [{ withdrawalId: 'w1', payoutId: 'w1-0', amount: '1' }];
    operating().when({ type: 'OrderPayouts', batchId: '1', payouts }, operator).thenRefused(self);
    operating().when({ type: 'SetDepositorStatus', gamerId: BOB, isDepositor: true }, operator).thenRefused(self);
    operating().when({ type: 'UpdateWithdrawal', withdrawalId: 'w1', update }, operator).thenRefused(self);
    operating().when({ type: 'ApproveDeposit', depositId: 'd1', gamerId: null }, operator).thenRefused(self);
    const rival = { actor: { id: ALICE, role: 'operator' } } as const;
    const byAlice = () => operating().and(staffStatus(ALICE, true), powersSet(ALICE, ['money']));
    byAlice().when({ type: 'UpdateWithdrawal', withdrawalId: 'w1', update }, rival).andThen();
    byAlice().when({ type: 'ApproveDeposit', depositId: 'd1', gamerId: ALICE }, rival).thenRefused(self);
  });

  it('end with the gamer, as the staff status does', () => {
    const { state } = past(['money']).when({ type: 'RemoveGamer', gamerId: BOB }).andThen();
    expect([state.powers.size, state.staff.size]).toEqual([0, 0]);
    expect(earnsMatrixCents(state, BOB, T0)).toBe(false);
  });
});
