import type { LedgerEvents, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import { DEPOSIT_FEE_PERCENT } from '../../../../../contracts/limits.js';
import { formatCents } from '../../../../../contracts/money.js';
import { limitsText } from '../../../../../contracts/refusals.js';
import {
  type ActivityContext,
  adjustmentText,
  approvalChange,
  balanceFact,
  balancesChange,
  capitalized,
  children,
  dateAndTime,
  depositFacts,
  forfeitedCents,
  gamerId,
  inCoin,
  type LedgerEventDescriptions,
  none,
  payoutChange,
  payoutText,
  placeText,
  powersText,
  purchaseReason,
  reasonText,
  seconds,
  statusChange,
  timeOfDay,
  timerFacts,
  timersChange,
  timersText,
  tokens,
  typeText,
  whole,
} from './formats.js';

export const GAME_DESCRIPTIONS = {
  TokenPurchased: {
    subject: (data) => data.buyerId,
    otherGamers: (data) => data.allocations.map((allocation) => allocation.gamerId),
    summary: (data) => `${tokens(data.quantity)}, jackpot ${formatCents(data.jackpotCents)}`,
    facts: (data) => ({
      'Paid from': data.source === 'balance' ? 'purchase balance' : `invoice, payment ${data.paymentId}`,
      Purchase: data.purchaseId,
      'Jackpot after it': formatCents(data.jackpotCents),
      ...balanceFact(data),
    }),
    postingReasons: (data, { account }) => purchaseReason(data, account),
  },
  TimeExtended: {
    subject: (data) => data.buyerId,
    summary: (data) => `+${seconds(data.addedSeconds)}, ends ${timeOfDay(data.endsAtEpochMs)}`,
    facts: (data) => ({
      Added: seconds(data.addedSeconds),
      'Ends at': dateAndTime(data.endsAtEpochMs),
      Purchase: data.purchaseId,
    }),
  },
  GameStarted: {
    topic: 'game',
    subject: none,
    summary: (data) => `Round ${data.roundId} opened, jackpot ${formatCents(data.carriedCents)}`,
    facts: (data) => ({
      'Pregame ends at': dateAndTime(data.pregameEndsAtEpochMs),
      'Jackpot carried': formatCents(data.carriedCents),
      ...timerFacts(data.timers),
    }),
    activity: (data) => `Started round ${data.roundId} with a jackpot of ${formatCents(data.carriedCents)}`,
  },
  LiveStarted: {
    topic: 'game',
    subject: none,
    summary: (data) =>
      `Round ${data.roundId} live${data.forced ? ', forced' : ''}, ends ${timeOfDay(data.endsAtEpochMs)}`,
    facts: (data) => ({ 'Ends at': dateAndTime(data.endsAtEpochMs), Forced: data.forced ? 'yes' : 'no' }),
    activity: (data) => (data.forced ? `Forced round ${data.roundId} live` : `Round ${data.roundId} went live`),
  },
  LiveResumed: {
    subject: none,
    summary: (data) =>
      `Resumed after an outage of ${seconds(data.outageSeconds)}, ends ${timeOfDay(data.endsAtEpochMs)}`,
    facts: (data) => ({
      'Ends at': dateAndTime(data.endsAtEpochMs),
      'Nobody could buy for': seconds(data.outageSeconds),
    }),
  },
  RoundEnded: {
    subject: (data) => data.winner?.gamerId ?? null,
    summary: (data) =>
      data.winner === null
        ? `Round ${data.roundId} ended without a buyer, ${formatCents(data.jackpotCents)} carried`
        : `Round ${data.roundId} won, jackpot ${formatCents(data.jackpotCents)}`,
    facts: (data, nameOf) => ({
      Winner: data.winner === null ? 'none' : nameOf(data.winner.gamerId),
      'Winning purchase': data.winner?.purchaseId,
      Jackpot: formatCents(data.jackpotCents),
      'Ended at': dateAndTime(data.endedAtEpochMs),
      'Next round at': dateAndTime(data.nextRoundAtEpochMs),
      Purchases: whole(data.purchaseCount),
    }),
    postingReasons: (data) => `jackpot of round ${data.roundId}`,
    statement: (data) => `Jackpot of round ${data.roundId}`,
  },
  GameReset: {
    topic: 'game',
    subject: none,
    summary: (data) =>
      `${data.roundId === null ? 'Reset to idle' : `Round ${data.roundId} void`}, ${formatCents(data.carriedCents)} carried`,
    facts: (data) => ({
      'Jackpot carried': formatCents(data.carriedCents),
      'Purchases void': whole(data.purchaseCount),
      Reason: data.reason,
    }),
    activity: (data) => {
      const reset = data.roundId === null ? 'Reset' : `Voided round ${data.roundId} and reset`;
      return `${reset} the game to idle: ${formatCents(data.carriedCents)} carried on`;
    },
  },
  TimersChanged: {
    topic: 'game',
    subject: none,
    summary: timersText,
    facts: timerFacts,
    activity: (data, { before }) => `Changed the timers: ${timersChange(before?.timers, data)}`,
  },
} satisfies Partial<LedgerEventDescriptions>;

export const GAMER_DESCRIPTIONS = {
  GamerEnrolled: {
    subject: gamerId,
    otherGamers: (data) => [data.sponsorId, data.parentId],
    summary: (data, nameOf) =>
      data.parentId === null ? 'The admin, root of the matrix' : `Place ${placeText(data, nameOf)}`,
    facts: (data, nameOf) => ({
      Sponsor: data.sponsorId === null ? null : nameOf(data.sponsorId),
      Place: placeText(data, nameOf),
    }),
  },
  GamerRemoved: {
    topic: 'gamers',
    subject: gamerId,
    otherGamers: (data) => data.moved.flatMap((move) => [move.gamerId, move.parentId]),
    summary: (data) => `${children(data.moved.length)} moved, ${formatCents(forfeitedCents(data))} forfeited`,
    facts: (data, nameOf) => ({
      'Purchase balance forfeited': formatCents(data.forfeitedPurchaseCents),
      'Winnings forfeited': formatCents(data.forfeitedWinningsCents),
      Moved: data.moved.map((move) => `${nameOf(move.gamerId)} to place ${placeText(move, nameOf)}`).join('; '),
    }),
    postingReasons: (_, { account }) => (account === 'house:forfeited' ? 'forfeited to the operator' : 'forfeited'),
    statement: () => 'Forfeited',
    activity: (data, { gamer }) =>
      `Deleted ${gamer}: ${children(data.moved.length)} moved, ${formatCents(forfeitedCents(data))} forfeited`,
  },
  DepositorStatusSet: {
    topic: 'money',
    subject: gamerId,
    summary: (data) =>
      data.untilEpochMs === null ? 'No longer a depositor' : `Depositor until ${dateAndTime(data.untilEpochMs)}`,
    facts: (data) => ({
      'Depositor until': data.untilEpochMs === null ? 'no more' : dateAndTime(data.untilEpochMs),
    }),
    activity: (data, { before, gamer }) => `Depositor status of ${gamer}: ${statusChange(before, data.untilEpochMs)}`,
  },
  StaffStatusSet: {
    topic: 'gamers',
    subject: gamerId,
    summary: (data) => (data.isStaff ? 'Staff: neither buys, earns nor withdraws' : 'No longer staff'),
    facts: (data) => ({ Staff: data.isStaff ? 'yes' : 'no' }),
    activity: (data, { gamer }) => `${gamer} ${data.isStaff ? 'cannot play while staff' : 'can play again'}`,
  },
  PowersSet: {
    topic: 'gamers',
    subject: gamerId,
    summary: (data) => `Powers: ${powersText(data.powers)}`,
    facts: (data) => ({ Powers: powersText(data.powers) }),
    activity: (data, { gamer }) => `Set the powers of ${gamer}: ${powersText(data.powers)}`,
  },
  LimitsSet: {
    subject: gamerId,
    summary: (data) => (data.wanted ? 'Limits set, higher ones wanted' : 'Limits set'),
    facts: (data) => ({
      'In force': limitsText(data.limits),
      Wanted: data.wanted && limitsText(data.wanted.limits),
      'To be confirmed from': data.wanted && dateAndTime(data.wanted.confirmableFromEpochMs),
    }),
  },
  LimitsConfirmed: {
    subject: gamerId,
    summary: () => 'Higher limits confirmed',
    facts: (data) => ({ 'In force': limitsText(data.limits) }),
  },
  ProtectionProfileSet: {
    subject: none,
    summary: (data) => `The operator’s profile is ${data.profile}`,
    facts: (data) => ({
      'Limits of every gamer': limitsText(data.limits),
      'Own limits': data.mustChooseLimits ? 'required before deposits and purchases' : 'as the gamer likes',
    }),
  },
  GamerExcluded: {
    subject: gamerId,
    summary: (data) => `${reasonText(data.kind)} until ${dateAndTime(data.untilEpochMs)}`,
    facts: (data) => ({ Kind: reasonText(data.kind), Until: dateAndTime(data.untilEpochMs) }),
  },
  ExclusionLifted: {
    subject: gamerId,
    summary: (data) => `May play again from ${dateAndTime(data.playsFromEpochMs)} on`,
    facts: (data) => ({ 'May play from': dateAndTime(data.playsFromEpochMs) }),
  },
} satisfies Partial<LedgerEventDescriptions>;

export const BALANCE_DESCRIPTIONS = {
  BalanceAdjusted: {
    topic: 'money',
    subject: gamerId,
    summary: (data) => capitalized(`${adjustmentText(data)}: ${data.reason}`),
    facts: (data) => ({
      Reason: data.reason,
      ...balanceFact(data),
      'Winnings after it': formatCents(data.winningsBalanceCents),
    }),
    postingReasons: (_, { account }) =>
      account === 'house:adjustments' ? 'granted or taken by the operator' : 'adjusted by the operator',
    statement: (data) => `Adjusted: ${data.reason}`,
    activity: (data, { gamer }) => `Adjusted the balances of ${gamer}: ${balancesChange(data)}`,
  },
  WinningsTransferred: {
    subject: gamerId,
    summary: (data) => `${formatCents(data.amountCents)} to the purchase balance`,
    facts: balanceFact,
    postingReasons: (_, { cents }) => (cents < 0 ? 'transferred to the purchase balance' : 'transferred from winnings'),
    statement: (_, account) => (account === 'winnings' ? 'Transfer to purchase balance' : 'Transfer from winnings'),
  },
  BalanceReleased: {
    subject: gamerId,
    summary: (data) => `${formatCents(data.amountCents)} to the winnings, to be withdrawn`,
    facts: balanceFact,
    postingReasons: () => 'released during an exclusion',
    statement: (_, account) => (account === 'winnings' ? 'Released from purchase balance' : 'Released to winnings'),
  },
  DepositRecorded: {
    topic: 'money',
    subject: (data) => data.gamerId,
    summary: (data) => `${reasonText(data.reason)}, parked for review`,
    facts: (data) => ({
      'Parked because': reasonText(data.reason).toLowerCase(),
      'Approval would credit': formatCents(data.amountCents),
      Fee: formatCents(data.feeCents),
      ...depositFacts(data),
    }),
  },
  DepositApproved: {
    topic: 'money',
    subject: gamerId,
    summary: (data) => `${inCoin(data)}${data.purpose === 'tokens' ? ', meant for tokens' : ''}`,
    facts: (data) => ({
      Credited: formatCents(data.amountCents),
      Fee: formatCents(data.feeCents),
      ...depositFacts(data),
      'Depositor until': data.depositorUntilEpochMs === null ? null : dateAndTime(data.depositorUntilEpochMs),
      'Taken from its recorded gamer because': data.reassignmentReason ?? null,
      ...balanceFact(data),
    }),
    postingReasons: (data, { account }) => {
      if (account === 'world:crypto') return `paid in ${data.cryptoType}`;
      return account === 'house:deposit-fees' ? `fee of ${DEPOSIT_FEE_PERCENT} percent` : 'credited';
    },
    statement: (data, account) => {
      const what = account === 'house:deposit-fees' ? 'fee' : 'approved';
      return `${data.purpose === 'tokens' ? 'Token payment' : 'Deposit'} ${what}, ${data.cryptoType}`;
    },
    activity: (data, { before, gamer }) =>
      `Approved ${data.cryptoType} payment ${data.paymentId} for ${gamer}: ${approvalChange(data, before)}`,
  },
  DepositRejected: {
    topic: 'money',
    subject: none,
    summary: (data) => `Payment ${data.paymentId} rejected`,
    facts: (data) => ({ Deposit: data.depositId, Payment: data.paymentId, Notes: data.adminNotes }),
    activity: (data, { before, gamer }) =>
      `Rejected payment ${data.paymentId}${before?.deposit ? ` of ${inCoin(before.deposit)} (${gamer})` : ''}`,
  },
  InvoiceCredited: {
    subject: gamerId,
    summary: (data) => `${inCoin(data)}, too late for ${tokens(data.quantity)}`,
    facts: (data) => ({
      'Meant for': tokens(data.quantity),
      Coin: data.cryptoType,
      Payment: data.paymentId,
      ...balanceFact(data),
    }),
    postingReasons: (data, { account }) =>
      account === 'world:crypto' ? `paid in ${data.cryptoType}` : 'credited, the round was not live any more',
    statement: (data) => `Invoice credited, ${data.cryptoType}`,
  },
} satisfies Partial<LedgerEventDescriptions>;

type Requested = LedgerEvents['WithdrawalRequested' | 'ProfitWithdrawalRequested'];
type Settled = LedgerEvents[
  | 'WithdrawalCompleted'
  | 'WithdrawalReturned'
  | 'ProfitWithdrawalCompleted'
  | 'ProfitWithdrawalReturned'];

const requested = (type: LedgerEventType) => ({
  summary: inCoin,
  facts: (data: Requested) => ({
    Withdrawal: data.withdrawalId,
    Coin: data.cryptoType,
    'To address': data.walletAddress,
  }),
  postingReasons: () => 'reserved for a withdrawal',
  statement: (data: Requested) => `${typeText(type)}, ${data.cryptoType}`,
});
const settled = (outcome: string) => ({
  topic: 'money' as const,
  summary: (data: Settled) => `${formatCents(data.amountCents)} ${outcome}`,
  facts: (data: Settled) => ({ Withdrawal: data.withdrawalId, Transaction: data.txid, Notes: data.adminNotes }),
  postingReasons: () => outcome,
});
const withdrawalActivity = (after: string) => ({
  activity: (data: { withdrawalId: string; txid?: string | null }, { before, gamer }: ActivityContext) =>
    `Withdrawal of ${payoutText(before)} by ${gamer}: ${payoutChange(before, after, data.txid)}`,
});
const profitActivity = (after: string) => ({
  activity: (data: { txid: string | null }, { before }: ActivityContext) =>
    `Profit withdrawal of ${payoutText(before)}: ${payoutChange(before, after, data.txid)}`,
});

export const PAYOUT_DESCRIPTIONS = {
  WithdrawalRequested: { subject: gamerId, ...requested('WithdrawalRequested') },
  WithdrawalProcessing: {
    topic: 'money',
    subject: gamerId,
    summary: () => 'Being paid out',
    facts: (data) => ({ Withdrawal: data.withdrawalId, Notes: data.adminNotes }),
    ...withdrawalActivity('processing'),
  },
  WithdrawalCompleted: {
    subject: gamerId,
    ...settled('paid out'),
    ...withdrawalActivity('completed'),
    statement: () => 'Withdrawal paid out',
  },
  WithdrawalReturned: { subject: gamerId, ...settled('returned'), ...withdrawalActivity('returned') },
  ProfitWithdrawalRequested: {
    topic: 'money',
    subject: none,
    ...requested('ProfitWithdrawalRequested'),
    activity: (data) =>
      `Requested ${formatCents(data.amountCents)} of profit in ${data.cryptoType} to ${data.walletAddress}`,
  },
  ProfitWithdrawalCompleted: {
    subject: none,
    ...settled('paid out'),
    ...profitActivity('completed'),
    statement: () => 'Profit withdrawal paid out',
  },
  ProfitWithdrawalReturned: { subject: none, ...settled('returned'), ...profitActivity('returned') },
} satisfies Partial<LedgerEventDescriptions>;
