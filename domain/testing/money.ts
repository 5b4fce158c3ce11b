import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { PaymentEvents } from '../../contracts/events/payment-events.js';
import type { WithdrawalUpdate } from '../ledger/ledger-commands.js';
import { ALICE, BOB, T0 } from './constants.js';

export const profitRequested = (withdrawalId: string, amountCents: number): LedgerEvent => ({
  type: 'ProfitWithdrawalRequested',
  data: { withdrawalId, amountCents, cryptoType: 'DOGE', walletAddress: 'D7xN1' },
});

/** A withdrawal, of Bob's winnings unless another gamer is named. */
export const withdrawalRequested = (withdrawalId: string, amountCents: number, gamerId = BOB): LedgerEvent => ({
  type: 'WithdrawalRequested',
  data: { withdrawalId, gamerId, amountCents, cryptoType: 'DOGE', walletAddress: 'D7xN1' },
});

export const withdrawalProcessing = (withdrawalId: string, adminNotes: string | null = null): LedgerEvent => ({
  type: 'WithdrawalProcessing',
  data: { withdrawalId, gamerId: BOB, adminNotes },
});

/** The end of Bob's withdrawal w1. */
export const withdrawalSettled = (
  type: 'WithdrawalCompleted' | 'WithdrawalReturned',
  amountCents: number,
  words: { adminNotes?: string; txid?: string } = {},
): LedgerEvent => ({
  type,
  data: { withdrawalId: 'w1', gamerId: BOB, amountCents, adminNotes: null, txid: null, ...words },
});

/** The admin's command that sets a withdrawal, of the winnings unless its type says otherwise. */
export const setWithdrawal = (
  status: WithdrawalUpdate['status'],
  more: Partial<WithdrawalUpdate> = {},
  withdrawalId = 'w1',
) => ({ type: 'UpdateWithdrawal', withdrawalId, update: { status, adminNotes: null, txid: null, ...more } }) as const;

/** The signed head that the log lacks after `historyLost`. */
export const SIGNED = { signedOrigin: 'play.example/ledger', signedSize: 90, signedRoot: 'ab'.repeat(32) };

export const historyLost = (more: Partial<LedgerEvents['HistoryLost']> = {}) =>
  ({
    type: 'HistoryLost',
    data: { ...SIGNED, lastKeptAtMs: T0, acceptedBy: 'Ada', reason: 'a lost disk', ...more },
  }) satisfies LedgerEvent;

/** Bob's paid invoice for tokens, as its command and its events hold it. */
export const paidInvoice = (quantity: number) =>
  ({ paymentId: '5001', gamerId: BOB, quantity, amountCents: 30 * quantity, cryptoType: 'DOGE' }) as const;

export const invoiceCredited = (quantity: number, purchaseBalanceCents: number) =>
  ({ type: 'InvoiceCredited', data: { ...paidInvoice(quantity), purchaseBalanceCents } }) satisfies LedgerEvent;

/** A deposit invoice of $20 in the payment's own stream. */
export const paymentOpened = (over: Partial<PaymentEvents['PaymentOpened']> = {}) => ({
  type: 'PaymentOpened' as const,
  data: {
    orderId: 'order000000000000000',
    purpose: 'deposit' as const,
    gamerId: ALICE,
    amountCents: 2_000,
    feeCents: 100,
    cryptoType: 'LTC' as const,
    quantity: null,
    roundId: null,
    invoiceId: '1',
    paymentId: '10',
    paymentUrl: 'https://pay.example/1',
    payAddress: 'ltc1q',
    payAmount: '0.25',
    ...over,
  },
});
