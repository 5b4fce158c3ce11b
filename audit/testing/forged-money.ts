import { SYSTEM } from '../../contracts/events/metadata.js';
import { BOB, CAROL, DAY } from '../../domain/testing/events.js';
import { before, data, type Forgery, metadata, removedLeader, replaced, twice, without } from './forgeries.js';

export const FORGED_MONEY: readonly Forgery[] = [
  // Withdrawals: owner, kind and minimum.
  ['is of $9.99, and $10.00 is the least', data('WithdrawalRequested', (one) => (one.amountCents = 999))],
  ['is for carol, and bob requested it', data('WithdrawalReturned', (one) => (one.gamerId = CAROL))],
  ['is of $10.01, and $10.00 were requested', data('WithdrawalReturned', (one) => (one.amountCents += 1))],
  [
    'is for the operator, and bob requested it',
    replaced('WithdrawalReturned', {
      type: 'ProfitWithdrawalReturned',
      data: { withdrawalId: 'w2', amountCents: 1_000, adminNotes: null, txid: null },
    }),
  ],
  ['withdrawal w1 is not open', twice('WithdrawalCompleted', { commandId: 'new' })],
  ['withdrawal w1 is not open', twice('WithdrawalProcessing', { commandId: 'new', atEnd: true })],
  [
    'was cancelled by its gamer while it was processed',
    before(
      'WithdrawalReturned',
      { type: 'WithdrawalProcessing', data: { withdrawalId: 'w5', gamerId: BOB, adminNotes: null } },
      1,
    ),
  ],
  [
    'was cancelled by its gamer but has admin notes or a transaction id',
    data('WithdrawalReturned', (one) => (one.txid = 'ab12'), 1),
  ],
  [
    'was caused by carol as gamer, and not by anyone with the power money or the gamer bob',
    metadata('WithdrawalReturned', (one) => (one.actor = { id: CAROL, role: 'gamer' }), 1),
  ],
  // Payouts by the gateway.
  ['orders a payout that is ordered already', twice('PayoutOrdered', { commandId: 'new' })],
  ['orders a payout of a withdrawal that is not processed', without('WithdrawalProcessing')],
  [
    'decides by hand while the payout is ordered',
    metadata('WithdrawalCompleted', (one) => (one.actor = { id: 'admin', role: 'admin' }), 1),
  ],
  ['completes by itself what was not ordered', metadata('WithdrawalCompleted', (one) => (one.actor = SYSTEM))],
  ['fails a payout that is not ordered', data('PayoutFailed', (one) => (one.payoutId = 'w1-1'))],
  [
    'orders a payout again after another amount was paid',
    data('PayoutFailed', (one) => (one.outcome = 'other-amount')),
  ],
  // Encrypted texts.
  [
    'has a walletAddress that is encrypted for carol, and is about bob',
    data('WithdrawalRequested', (one) => (one.walletAddress = `encrypted:1:${CAROL}:AAAA`)),
  ],
  [
    'has a reason that is not encrypted in any known way',
    data('BalanceAdjusted', (one) => (one.reason = 'encrypted:2:other')),
  ],
  // Deposits: fee, 30 days, amount and record.
  ['credits $7.00 of $7.34', data('DepositApproved', (one) => (one.feeCents -= 1))],
  ['is not of 30 days from now', data('DepositApproved', (one) => ((one.depositorUntilEpochMs as number) += DAY))],
  ['is not of 30 days from now', data('DepositorStatusSet', (one) => ((one.untilEpochMs as number) += DAY))],
  ['approves $10.01 and a fee of $0.50', data('DepositApproved', (one) => (one.amountCents += 1), 1)],
  ['approves another payment', data('DepositApproved', (one) => (one.paymentId = 'pay9'), 1)],
  ['with a payment of carol, without a reason', data('DepositApproved', (one) => (one.gamerId = BOB), 1)],
  ['approves a deposit that was never recorded', without('DepositRecorded')],
  ['rejects a deposit that is not waiting', without('DepositRecorded', 1)],
  ['payment pay1 was recorded before', data('DepositRecorded', (one) => (one.paymentId = 'pay1'))],
  // Breadth-first placement, and moves.
  [
    'bob stands in slot 2 of alice, and slot 0 of alice was the first free one',
    data('GamerEnrolled', (one) => (one.slot = 2), 2),
  ],
  ['bob stands in slot 0 of admin', data('GamerEnrolled', (one) => (one.parentId = 'admin'), 2)],
  ['frank stands in slot 0', data('GamerRemoved', (one) => ((one.moved[1] as { slot: number }).slot = 0))],
  ['frank did not move', data('GamerRemoved', (one) => one.moved.pop())],
  // Invoice credits.
  ['credits $0.61 for 2 tokens', data('InvoiceCredited', (one) => (one.amountCents += 1))],
  ['payment pay2 was recorded before', data('InvoiceCredited', (one) => (one.paymentId = 'pay2'))],
  ['is paid by no payment', data('TokenPurchased', (one) => delete one.paymentId, 2)],
  // Removals.
  ['forfeits $0.39 of $0.40', data('GamerRemoved', (one) => (one.forfeitedPurchaseCents -= 1))],
  ['admin cannot be removed', data('GamerRemoved', (one) => (one.gamerId = 'admin'))],
  ['removes bob, who has an open withdrawal', data('GamerRemoved', (one) => (one.gamerId = BOB))],
  ['removes bob, who bought last in the live round', removedLeader],
  // Amounts and balances.
  [
    'is at −$',
    data('BalanceAdjusted', (one) => {
      one.purchaseCents = 0;
      one.purchaseBalanceCents = 0;
    }),
  ],
  ['states $9.41', data('TokenPurchased', (one) => (one.purchaseBalanceCents += 1))],
  ['transfers $0.00', data('WinningsTransferred', (one) => (one.amountCents = 0))],
  ['adjusts by more than a million dollars', data('BalanceAdjusted', (one) => (one.purchaseCents = 100_000_001))],
  ['is for nobody, who is no gamer', data('BalanceAdjusted', (one) => (one.gamerId = 'nobody'))],
];
