import type { LedgerEvents, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import type { StatementAccount } from '../../../../../contracts/http/statements.js';
import type { GamerId } from '../../../../../contracts/ids.js';
import { type Posting, winningsAccount } from '../../../../../contracts/ledger-accounts.js';
import * as limits from '../../../../../contracts/limits.js';
import { formatCents, formatSignedCents } from '../../../../../contracts/money.js';
import { dayText, inNewYork } from '../../../../../contracts/new-york-texts.js';
import { limitsText } from '../../../../../contracts/refusals.js';
import { counted, typeText } from '../../../../../contracts/words.js';
import type { TagOf } from '../../gamers/gamers.queries.js';

/** "9:14:07 PM". */
const timeOfDay = inNewYork({ hour: 'numeric', minute: '2-digit', second: '2-digit' });

/** "Oct 14, 2025, 9:14:07 PM". */
export const dateAndTime = (epochMs: number): string => `${dayText(epochMs)}, ${timeOfDay(epochMs)}`;

export const whole = (value: number): string => value.toLocaleString('en-US');
const seconds = (value: number): string => `${whole(value)} s`;
const tokens = (count: number): string => counted(count, 'token');

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "wrong-coin" becomes "Wrong coin". */
const reasonText = (reason: string): string => capitalized(reason.replaceAll('-', ' '));

/** "2 under alice": places are counted from 1. */
const placeText = ({ parentId, slot }: { parentId: GamerId | null; slot: number | null }, tagOf: TagOf): string =>
  parentId === null || slot === null ? 'root' : `${slot + 1} under ${tagOf(parentId)}`;

/** "purchase balance +$5.00, winnings −$1.00", without a part that stays. */
function adjustmentText({ purchaseCents, winningsCents }: LedgerEvents['BalanceAdjusted']): string {
  const parts = [
    purchaseCents !== 0 && `purchase balance ${formatSignedCents(purchaseCents)}`,
    winningsCents !== 0 && `winnings ${formatSignedCents(winningsCents)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

const TIMERS: Record<keyof limits.TimerSettings, string> = {
  pregameDurationSeconds: 'pregame',
  liveDurationSeconds: 'live',
  downtimeDurationSeconds: 'downtime',
  tokenExtensionSeconds: 'a token',
};
const TIMER_NAMES = Object.keys(TIMERS) as (keyof limits.TimerSettings)[];

/** "Pregame 60 s, live 120 s, downtime 60 s, a token 30 s". */
const timersText = (timers: limits.TimerSettings): string =>
  capitalized(TIMER_NAMES.map((name) => `${TIMERS[name]} ${seconds(timers[name])}`).join(', '));

function purchaseReason(data: LedgerEvents['TokenPurchased'], account: string): string {
  const { quantity } = data;
  if (account === 'jackpot') return `${counted(data.jackpotShareCents / quantity, 'cent')} a token`;
  if (account === 'house:profit') return `${counted(data.houseShareCents / quantity, 'cent')} a token`;
  if (account === 'house:unclaimed') return `unclaimed: ${unclaimedText(data)}`;
  const allocation = data.allocations.find(({ gamerId }) => winningsAccount(gamerId) === account);
  if (!allocation) return `pays for ${tokens(quantity)}${data.source === 'invoice' ? ', by an invoice' : ''}`;
  if (allocation.level === null) return `direct, from deeper than level ${limits.MATRIX_DEPTH}`;
  return `level ${allocation.level}${allocation.direct ? ', and direct' : ''}`;
}

/** "levels 5, 7, direct": the shares that no entitled gamer received. */
function unclaimedText({ allocations }: LedgerEvents['TokenPurchased']): string {
  const unpaid = limits.MATRIX_LEVELS.filter((level) => allocations.every((one) => one.level !== level));
  const levels = unpaid.length === 0 ? [] : [`${unpaid.length === 1 ? 'level' : 'levels'} ${unpaid.join(', ')}`];
  const direct = allocations.some((one) => one.direct) ? [] : ['direct'];
  return [...levels, ...direct].join(', ');
}

/** `ownTag`: the GamerTag of the event's gamer who did it; null when somebody else did. */
export interface LedgerEventDescription<Data> {
  /** The gamer the event is about; default: its `gamerId`. */
  subject?(data: Data): GamerId | null;
  otherGamers?(data: Data): (GamerId | null)[];
  /** One line for lists and the event's page; leaves out type, gamer and amount, which stand beside it. */
  summary(data: Data, tagOf: TagOf, ownTag: string | null): string;
  /** The reason for a posting. Required for every event with postings. */
  postingReasons?(data: Data, posting: Posting): string;
  /** The event's line in an account's statement. Without it the event's type is the text. */
  statement?(data: Data, account: StatementAccount, ownTag: string | null): string;
}

type LedgerEventDescriptions = { readonly [T in LedgerEventType]: LedgerEventDescription<LedgerEvents[T]> };

const inCoin = (data: { amountCents: number; cryptoType: string }): string =>
  `${formatCents(data.amountCents)} in ${data.cryptoType}`;

type WithdrawalRequest = LedgerEvents['WithdrawalRequested' | 'ProfitWithdrawalRequested'];
type WithdrawalSettlement = LedgerEvents[
  | 'WithdrawalCompleted'
  | 'WithdrawalReturned'
  | 'ProfitWithdrawalCompleted'
  | 'ProfitWithdrawalReturned'];

const requested = (type: LedgerEventType) => ({
  summary: inCoin,
  postingReasons: () => 'reserved for a withdrawal',
  statement: (data: WithdrawalRequest) => `${typeText(type)}, ${data.cryptoType}`,
});
const settled = (outcome: string) => ({
  summary: (data: WithdrawalSettlement) =>
    `${formatCents(data.amountCents)} ${outcome}${data.txid ? `, transaction ${data.txid}` : ''}`,
  postingReasons: () => outcome,
});

/** A new event type without a description fails the type check. */
export const LEDGER_DESCRIPTIONS: LedgerEventDescriptions = {
  TokenPurchased: {
    subject: (data) => data.buyerId,
    otherGamers: (data) => data.allocations.map((allocation) => allocation.gamerId),
    summary: (data) => `${tokens(data.quantity)}, jackpot ${formatCents(data.jackpotCents)}`,
    postingReasons: (data, { account }) => purchaseReason(data, account),
  },
  TimeExtended: {
    subject: (data) => data.buyerId,
    summary: (data) => `+${seconds(data.addedSeconds)}, ends ${timeOfDay(data.endsAtEpochMs)}`,
  },
  GameStarted: { summary: (data) => `Round ${data.roundId} opened, jackpot ${formatCents(data.carriedCents)}` },
  LiveStarted: {
    summary: (data) =>
      `Round ${data.roundId} live${data.forced ? ', forced' : ''}, ends ${timeOfDay(data.endsAtEpochMs)}`,
  },
  LiveResumed: {
    summary: ({ outageSeconds, endsAtEpochMs }) =>
      `Resumed after an outage of ${seconds(outageSeconds)}, ends ${timeOfDay(endsAtEpochMs)}`,
  },
  RoundEnded: {
    subject: (data) => data.winner?.gamerId ?? null,
    summary: (data) =>
      data.winner === null
        ? `Round ${data.roundId} ended without a buyer, ${formatCents(data.jackpotCents)} carried`
        : `Round ${data.roundId} won, jackpot ${formatCents(data.jackpotCents)}`,
    postingReasons: (data) => `jackpot of round ${data.roundId}`,
    statement: (data) => `Jackpot of round ${data.roundId}`,
  },
  GameReset: {
    summary: (data) =>
      `${data.roundId === null ? 'Reset to idle' : `Round ${data.roundId} void`}, ${formatCents(data.carriedCents)} carried`,
  },
  GameScheduled: {
    summary: ({ startsAtMs, repeat }) =>
      `Start planned for ${dateAndTime(startsAtMs)}${repeat === 'daily' ? ', then daily' : ''}`,
  },
  ScheduleCancelled: { summary: (data) => `Planned start of ${dateAndTime(data.startsAtMs)} cancelled` },
  TimersChanged: { summary: timersText },
  HistoryLost: { summary: (data) => `Events after ${dateAndTime(data.lastKeptAtMs)} are lost: ${data.reason}` },
  PayoutOrdered: {
    summary: ({ amount, batchId }) => `Payout of ${amount} coins ordered from the gateway, batch ${batchId}`,
  },
  PayoutFailed: {
    summary: (data) =>
      data.outcome === 'uncertain'
        ? `The gateway may have paid ${data.paidAmount ?? 'an unknown amount'}`
        : `The gateway’s payout ${data.outcome === 'failed' ? 'failed' : 'was rejected'}`,
  },
  PayoutSettled: { summary: (data) => `Payout ${data.payoutId} of the gateway settled: ${data.adminNotes}` },
  PayoutsReleased: { summary: ({ reason }) => `Payouts go on: ${reason ?? 'the gateway was asked'}` },
  GamerEnrolled: {
    otherGamers: (data) => [data.sponsorId, data.parentId],
    summary: (data, tagOf) =>
      data.parentId === null ? 'The admin, root of the matrix' : `Place ${placeText(data, tagOf)}`,
  },
  GamerRemoved: {
    summary: (data) =>
      `${counted(data.moved.length, 'child', 'children')} moved, ${formatCents(data.forfeitedPurchaseCents + data.forfeitedWinningsCents)} forfeited`,
    postingReasons: (_, { account }) => (account === 'house:forfeited' ? 'forfeited to the operator' : 'forfeited'),
    statement: () => 'Forfeited',
  },
  DepositorStatusSet: {
    summary: ({ untilMs }) => (untilMs === null ? 'No longer a depositor' : `Depositor until ${dateAndTime(untilMs)}`),
  },
  StaffStatusSet: {
    summary: ({ isStaff }) => (isStaff ? 'Staff: neither buys, earns nor withdraws' : 'No longer staff'),
  },
  PowersSet: { summary: (data) => `Powers: ${data.powers.join(' and ') || 'none'}` },
  LimitsSet: {
    summary: ({ limits, higher }) =>
      `Limits set: ${limitsText(limits)}${higher ? `; requested: ${limitsText(higher.limits)}` : ''}`,
  },
  LimitsConfirmed: { summary: (data) => `Higher limits confirmed: ${limitsText(data.limits)}` },
  ProtectionProfileSet: {
    summary: (data) => `The operator’s profile is ${data.profile}, limits of every gamer: ${limitsText(data.limits)}`,
  },
  GamerExcluded: { summary: (data) => `${reasonText(data.kind)} until ${dateAndTime(data.untilMs)}` },
  ExclusionLifted: { summary: (data) => `May play again from ${dateAndTime(data.playsFromMs)} on` },
  BalanceAdjusted: {
    summary: (data) => capitalized(`${adjustmentText(data)}: ${data.reason}`),
    postingReasons: (_, { account }) =>
      account === 'house:adjustments' ? 'granted or taken by the operator' : 'adjusted by the operator',
    statement: (data) => `Adjusted: ${data.reason}`,
  },
  WinningsTransferred: {
    summary: (data) => `${formatCents(data.amountCents)} to the purchase balance`,
    postingReasons: (_, { cents }) => (cents < 0 ? 'transferred to the purchase balance' : 'transferred from winnings'),
    statement: (_, account) => (account === 'winnings' ? 'Transfer to purchase balance' : 'Transfer from winnings'),
  },
  BalanceReleased: {
    summary: (data) => `${formatCents(data.amountCents)} to the winnings, to be withdrawn`,
    postingReasons: () => 'released during an exclusion',
    statement: (_, account) => (account === 'winnings' ? 'Released from purchase balance' : 'Released to winnings'),
  },
  DepositRecorded: { summary: (data) => `${reasonText(data.reason)}, parked for review` },
  DepositApproved: {
    summary: (data) => `${inCoin(data)}${data.purpose === 'tokens' ? ', meant for tokens' : ''}`,
    postingReasons: (data, { account }) => {
      if (account === 'world:crypto') return `paid in ${data.cryptoType}`;
      return account === 'house:deposit-fees' ? `fee of ${limits.DEPOSIT_FEE_PERCENT} percent` : 'credited';
    },
    statement: (data, account) => {
      const { purpose, amountCents, feeCents, cryptoType } = data;
      if (account === 'purchase' && feeCents > 0)
        return `Deposit of ${formatCents(amountCents + feeCents)} less the ${formatCents(feeCents)} fee, ${cryptoType}`;
      const what = account === 'house:deposit-fees' ? 'fee' : 'approved';
      return `${purpose === 'tokens' ? 'Token payment' : 'Deposit'} ${what}, ${cryptoType}`;
    },
  },
  DepositRejected: { summary: (data) => `Payment ${data.paymentId} rejected` },
  InvoiceCredited: {
    summary: (data) => `${inCoin(data)}, too late for ${tokens(data.quantity)}`,
    postingReasons: (data, { account }) =>
      account === 'world:crypto' ? `paid in ${data.cryptoType}` : 'credited, the round was not live any more',
    statement: (data) => `Invoice credited, ${data.cryptoType}`,
  },
  WithdrawalRequested: requested('WithdrawalRequested'),
  WithdrawalProcessing: { summary: () => 'Being paid out' },
  WithdrawalCompleted: { ...settled('paid out'), statement: () => 'Withdrawal paid out' },
  WithdrawalReturned: {
    ...settled('returned'),
    summary: (data, _tagOf, ownTag) =>
      `${formatCents(data.amountCents)} ${ownTag === null ? 'returned' : `cancelled by ${ownTag}`}`,
    postingReasons: () => 'back in the winnings',
    statement: (_data, _account, ownTag) => `Withdrawal ${ownTag === null ? 'returned' : `cancelled by ${ownTag}`}`,
  },
  ProfitWithdrawalRequested: requested('ProfitWithdrawalRequested'),
  ProfitWithdrawalCompleted: { ...settled('paid out'), statement: () => 'Profit withdrawal paid out' },
  ProfitWithdrawalReturned: settled('returned'),
};
