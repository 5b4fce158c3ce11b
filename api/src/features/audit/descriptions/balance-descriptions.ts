import { DEPOSIT_FEE_PERCENT } from '../../../../../contracts/limits.js';
import { formatCents } from '../../../../../contracts/money.js';
import {
  adjustmentText,
  approvalChange,
  balanceFact,
  balancesChange,
  capitalized,
  dateAndTime,
  depositFacts,
  gamerId,
  inCoin,
  type LedgerEventDescriptions,
  none,
  reasonText,
  tokens,
} from './formats.js';

/** Events that change balances: adjustments, transfers, deposits and invoices. */
export const BALANCE_DESCRIPTIONS = {
  BalanceAdjusted: {
    topic: 'money',
    subject: gamerId,
    summary: (data) => capitalized(data.reason ? `${adjustmentText(data)}: ${data.reason}` : adjustmentText(data)),
    facts: (data) => ({
      Reason: data.reason,
      ...balanceFact(data),
      'Winnings after it': formatCents(data.winningsBalanceCents),
    }),
    postingReasons: (_, { account }) =>
      account === 'house:adjustments' ? 'granted or taken by the operator' : 'adjusted by the operator',
    statement: (data) => (data.reason ? `Adjusted: ${data.reason}` : 'Adjusted'),
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
