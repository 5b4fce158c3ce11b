import type { LedgerEvents, LedgerEventType } from '../../../../../contracts/events/ledger-events.js';
import { formatCents } from '../../../../../contracts/money.js';
import {
  type ActivityContext,
  gamerId,
  inCoin,
  type LedgerEventDescriptions,
  none,
  payoutChange,
  payoutText,
  typeText,
} from './formats.js';

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

/** Withdrawals of gamers and of the operator’s profit. */
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
