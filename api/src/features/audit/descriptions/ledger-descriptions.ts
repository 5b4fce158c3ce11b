import type { LedgerEvents, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import { DEPOSIT_FEE_PERCENT } from '../../../../../contracts/limits.js';
import { formatCents } from '../../../../../contracts/money.js';
import { limitsText } from '../../../../../contracts/refusals.js';
import { typeText } from '../../../../../contracts/words.js';
import * as format from './formats.js';

type Requested = LedgerEvents['WithdrawalRequested' | 'ProfitWithdrawalRequested'];
type Settled = LedgerEvents[
  | 'WithdrawalCompleted'
  | 'WithdrawalReturned'
  | 'ProfitWithdrawalCompleted'
  | 'ProfitWithdrawalReturned'];

const requested = (type: LedgerEventType) => ({
  summary: format.inCoin,
  fields: (data: Requested) => ({ Withdrawal: data.withdrawalId, 'To address': data.walletAddress }),
  postingReasons: () => 'reserved for a withdrawal',
  statement: (data: Requested) => `${typeText(type)}, ${data.cryptoType}`,
});
const settled = (outcome: string) => ({
  summary: (data: Settled) =>
    `${formatCents(data.amountCents)} ${outcome}${data.txid ? `, transaction ${data.txid}` : ''}`,
  fields: (data: Settled) => ({ Withdrawal: data.withdrawalId, Notes: data.adminNotes }),
  postingReasons: () => outcome,
});

/** A new event type without a description fails the type check. */
export const LEDGER_DESCRIPTIONS: format.LedgerEventDescriptions = {
  TokenPurchased: {
    subject: (data) => data.buyerId,
    otherGamers: (data) => data.allocations.map((allocation) => allocation.gamerId),
    summary: (data) => `${format.tokens(data.quantity)}, jackpot ${formatCents(data.jackpotCents)}`,
    fields: (data) => ({
      'Paid from': data.source === 'balance' ? 'purchase balance' : `invoice, payment ${data.paymentId}`,
      Purchase: data.purchaseId,
      ...format.balanceField(data),
    }),
    postingReasons: (data, { account }) => format.purchaseReason(data, account),
  },
  TimeExtended: {
    subject: (data) => data.buyerId,
    summary: (data) => `+${format.seconds(data.addedSeconds)}, ends ${format.timeOfDay(data.endsAtEpochMs)}`,
    fields: (data) => ({ Purchase: data.purchaseId }),
  },
  GameStarted: {
    summary: (data) => `Round ${data.roundId} opened, jackpot ${formatCents(data.carriedCents)}`,
    fields: (data) => ({
      'Planned for': data.plannedAtMs === undefined ? null : format.dateAndTime(data.plannedAtMs),
      'Pregame ends at': format.dateAndTime(data.pregameEndsAtMs),
      Timers: format.timersText(data.timers),
    }),
  },
  LiveStarted: {
    summary: (data) =>
      `Round ${data.roundId} live${data.forced ? ', forced' : ''}, ends ${format.timeOfDay(data.endsAtEpochMs)}`,
  },
  LiveResumed: {
    summary: (data) =>
      `Resumed after an outage of ${format.seconds(data.outageSeconds)}, ends ${format.timeOfDay(data.endsAtEpochMs)}`,
  },
  RoundEnded: {
    subject: (data) => data.winner?.gamerId ?? null,
    summary: (data) =>
      data.winner === null
        ? `Round ${data.roundId} ended without a buyer, ${formatCents(data.jackpotCents)} carried`
        : `Round ${data.roundId} won, jackpot ${formatCents(data.jackpotCents)}`,
    fields: (data) => ({
      'Winning purchase': data.winner?.purchaseId,
      'Ended at': format.dateAndTime(data.endedAtMs),
      'Next round at': format.dateAndTime(data.nextRoundAtMs),
      Purchases: format.whole(data.purchaseCount),
    }),
    postingReasons: (data) => `jackpot of round ${data.roundId}`,
    statement: (data) => `Jackpot of round ${data.roundId}`,
  },
  GameReset: {
    summary: (data) =>
      `${data.roundId === null ? 'Reset to idle' : `Round ${data.roundId} void`}, ${formatCents(data.carriedCents)} carried`,
    fields: (data) => ({ 'Purchases void': format.whole(data.purchaseCount), Reason: data.reason }),
  },
  GameScheduled: {
    summary: (data) =>
      `Start planned for ${format.dateAndTime(data.startsAtMs)}${data.repeat === 'daily' ? ', then daily' : ''}`,
    fields: (data) => ({ 'On the clocks': `${data.localTime.replace('T', ' ')} in ${data.timeZone}` }),
  },
  ScheduleCancelled: { summary: (data) => `Planned start of ${format.dateAndTime(data.startsAtMs)} cancelled` },
  TimersChanged: { summary: format.timersText },
  HistoryLost: {
    summary: (data) => `Events after ${format.dateAndTime(data.lastKeptAtMs)} are lost: ${data.reason}`,
    fields: (data) => ({
      'Last signed head': `${format.whole(data.signedSize)} events, root ${data.signedRoot}`,
      'Its log': data.signedOrigin,
      'Accepted by': data.acceptedBy,
    }),
  },
  PayoutOrdered: {
    summary: (data) => `Payout of ${data.amount} coins ordered from the gateway, batch ${data.batchId}`,
    fields: (data) => ({ Withdrawal: data.withdrawalId, Payout: data.payoutId }),
  },
  PayoutFailed: {
    summary: (data) =>
      data.outcome === 'uncertain'
        ? `The gateway may have paid ${data.paidAmount ?? 'an unknown amount'}`
        : `The gateway’s payout ${data.outcome === 'failed' ? 'failed' : 'was rejected'}`,
    fields: (data) => ({ Withdrawal: data.withdrawalId, Payout: data.payoutId, Transaction: data.txid }),
  },
  PayoutSettled: {
    summary: (data) => `Payout ${data.payoutId} of the gateway settled: ${data.adminNotes}`,
  },
  PayoutsReleased: {
    summary: (data) =>
      data.reason === null ? 'Payouts go on: the gateway was asked' : `Payouts go on: ${data.reason}`,
    fields: (data) => ({
      'Payments asked for': format.whole(data.paymentCount),
      'Payouts asked for': format.whole(data.payoutCount),
    }),
  },
  GamerEnrolled: {
    otherGamers: (data) => [data.sponsorId, data.parentId],
    summary: (data, nameOf) =>
      data.parentId === null ? 'The admin, root of the matrix' : `Place ${format.placeText(data, nameOf)}`,
    fields: (data, nameOf) => ({ Sponsor: data.sponsorId === null ? null : nameOf(data.sponsorId) }),
  },
  GamerRemoved: {
    otherGamers: (data) => data.moved.flatMap((move) => [move.gamerId, move.parentId]),
    summary: (data) =>
      `${format.children(data.moved.length)} moved, ${formatCents(format.forfeitedCents(data))} forfeited`,
    fields: (data, nameOf) => ({
      'Purchase balance forfeited': formatCents(data.forfeitedPurchaseCents),
      'Winnings forfeited': formatCents(data.forfeitedWinningsCents),
      Moved: data.moved.map((move) => `${nameOf(move.gamerId)} to place ${format.placeText(move, nameOf)}`).join('; '),
    }),
    postingReasons: (_, { account }) => (account === 'house:forfeited' ? 'forfeited to the operator' : 'forfeited'),
    statement: () => 'Forfeited',
  },
  DepositorStatusSet: {
    summary: (data) =>
      data.untilMs === null ? 'No longer a depositor' : `Depositor until ${format.dateAndTime(data.untilMs)}`,
  },
  StaffStatusSet: {
    summary: (data) => (data.isStaff ? 'Staff: neither buys, earns nor withdraws' : 'No longer staff'),
  },
  PowersSet: {
    summary: (data) => `Powers: ${format.powersText(data.powers)}`,
  },
  LimitsSet: {
    summary: (data) => (data.higher ? 'Limits set, higher ones requested' : 'Limits set'),
    fields: (data) => ({
      'In force': limitsText(data.limits),
      Wanted: data.higher && limitsText(data.higher.limits),
      'To be confirmed from': data.higher && format.dateAndTime(data.higher.confirmableFromMs),
    }),
  },
  LimitsConfirmed: {
    summary: () => 'Higher limits confirmed',
    fields: (data) => ({ 'In force': limitsText(data.limits) }),
  },
  ProtectionProfileSet: {
    summary: (data) => `The operator’s profile is ${data.profile}`,
    fields: (data) => ({
      'Limits of every gamer': limitsText(data.limits),
      'Own limits': data.mustChooseLimits ? 'required before deposits and purchases' : 'as the gamer likes',
    }),
  },
  GamerExcluded: {
    summary: (data) => `${format.reasonText(data.kind)} until ${format.dateAndTime(data.untilMs)}`,
  },
  ExclusionLifted: {
    summary: (data) => `May play again from ${format.dateAndTime(data.playsFromMs)} on`,
  },
  BalanceAdjusted: {
    summary: (data) => format.capitalized(`${format.adjustmentText(data)}: ${data.reason}`),
    fields: (data) => ({ ...format.balanceField(data), 'Winnings after it': formatCents(data.winningsBalanceCents) }),
    postingReasons: (_, { account }) =>
      account === 'house:adjustments' ? 'granted or taken by the operator' : 'adjusted by the operator',
    statement: (data) => `Adjusted: ${data.reason}`,
  },
  WinningsTransferred: {
    summary: (data) => `${formatCents(data.amountCents)} to the purchase balance`,
    fields: format.balanceField,
    postingReasons: (_, { cents }) => (cents < 0 ? 'transferred to the purchase balance' : 'transferred from winnings'),
    statement: (_, account) => (account === 'winnings' ? 'Transfer to purchase balance' : 'Transfer from winnings'),
  },
  BalanceReleased: {
    summary: (data) => `${formatCents(data.amountCents)} to the winnings, to be withdrawn`,
    fields: format.balanceField,
    postingReasons: () => 'released during an exclusion',
    statement: (_, account) => (account === 'winnings' ? 'Released from purchase balance' : 'Released to winnings'),
  },
  DepositRecorded: {
    summary: (data) => `${format.reasonText(data.reason)}, parked for review`,
    fields: (data) => ({
      'Approval would credit': formatCents(data.amountCents),
      Fee: formatCents(data.feeCents),
      ...format.depositFields(data),
    }),
  },
  DepositApproved: {
    summary: (data) => `${format.inCoin(data)}${data.purpose === 'tokens' ? ', meant for tokens' : ''}`,
    fields: (data) => ({
      Fee: formatCents(data.feeCents),
      ...format.depositFields(data),
      'Depositor until': data.depositorUntilMs === null ? null : format.dateAndTime(data.depositorUntilMs),
      'Taken from its recorded gamer because': data.reassignmentReason ?? null,
      ...format.balanceField(data),
    }),
    postingReasons: (data, { account }) => {
      if (account === 'world:crypto') return `paid in ${data.cryptoType}`;
      return account === 'house:deposit-fees' ? `fee of ${DEPOSIT_FEE_PERCENT} percent` : 'credited';
    },
    statement: (data, account) => {
      const { purpose, amountCents, feeCents, cryptoType } = data;
      if (account === 'purchase' && feeCents > 0)
        return `Deposit of ${formatCents(amountCents + feeCents)} less the ${formatCents(feeCents)} fee, ${cryptoType}`;
      const what = account === 'house:deposit-fees' ? 'fee' : 'approved';
      return `${purpose === 'tokens' ? 'Token payment' : 'Deposit'} ${what}, ${cryptoType}`;
    },
  },
  DepositRejected: {
    summary: (data) => `Payment ${data.paymentId} rejected`,
    fields: (data) => ({ Deposit: data.depositId, Payment: data.paymentId, Notes: data.adminNotes }),
  },
  InvoiceCredited: {
    summary: (data) => `${format.inCoin(data)}, too late for ${format.tokens(data.quantity)}`,
    fields: (data) => ({ Payment: data.paymentId, ...format.balanceField(data) }),
    postingReasons: (data, { account }) =>
      account === 'world:crypto' ? `paid in ${data.cryptoType}` : 'credited, the round was not live any more',
    statement: (data) => `Invoice credited, ${data.cryptoType}`,
  },
  WithdrawalRequested: requested('WithdrawalRequested'),
  WithdrawalProcessing: {
    summary: () => 'Being paid out',
    fields: (data) => ({ Withdrawal: data.withdrawalId, Notes: data.adminNotes }),
  },
  WithdrawalCompleted: { ...settled('paid out'), statement: () => 'Withdrawal paid out' },
  WithdrawalReturned: {
    ...settled('returned'),
    summary: (data, _nameOf, ownTag) =>
      `${formatCents(data.amountCents)} ${ownTag === null ? 'returned' : `cancelled by ${ownTag}`}`,
    postingReasons: () => 'back in the winnings',
    statement: (_data, _account, ownTag) => `Withdrawal ${ownTag === null ? 'returned' : `cancelled by ${ownTag}`}`,
  },
  ProfitWithdrawalRequested: requested('ProfitWithdrawalRequested'),
  ProfitWithdrawalCompleted: { ...settled('paid out'), statement: () => 'Profit withdrawal paid out' },
  ProfitWithdrawalReturned: settled('returned'),
};
