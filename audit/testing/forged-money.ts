import { BOB, CAROL, DAY } from '../../domain/testing/events.js';
import { before, data, type Forgery, metadata, removedLeader, replaced, twice, without } from './forgeries.js';

export const FORGED_MONEY: readonly Forgery[] = [
  // Withdrawals: owner, kind and minimum.
  [
    'a withdrawal below the minimum',
    data('WithdrawalRequested', (one) => (one.amountCents = 999)),
    'is of $9.99, and $10.00 is the least',
  ],
  [
    'a payout to another gamer',
    data('WithdrawalReturned', (one) => (one.gamerId = CAROL)),
    'is for carol, and bob requested it',
  ],
  [
    'a payout of more than was requested',
    data('WithdrawalReturned', (one) => (one.amountCents += 1)),
    'is of $10.01, and $10.00 were requested',
  ],
  [
    'winnings returned as the operator’s profit',
    replaced('WithdrawalReturned', {
      type: 'ProfitWithdrawalReturned',
      data: { withdrawalId: 'w2', amountCents: 1_000, adminNotes: null, txid: null },
    }),
    'is for the operator, and bob requested it',
  ],
  [
    'a withdrawal that is completed twice',
    twice('WithdrawalCompleted', { commandId: 'new' }),
    'withdrawal w1 is not open',
  ],
  [
    'a completed withdrawal that goes on',
    twice('WithdrawalProcessing', { commandId: 'new', atEnd: true }),
    'withdrawal w1 is not open',
  ],
  [
    'a gamer who cancels a withdrawal that is processed',
    before(
      'WithdrawalReturned',
      { type: 'WithdrawalProcessing', data: { withdrawalId: 'w5', gamerId: BOB, adminNotes: null } },
      1,
    ),
    'was cancelled by its gamer while it was processed',
  ],
  [
    'a withdrawal that its gamer cancels with a transaction',
    data('WithdrawalReturned', (one) => (one.txid = 'ab12'), 1),
    'was cancelled by its gamer but has admin notes or a transaction id',
  ],
  [
    'a withdrawal that another gamer cancels',
    metadata('WithdrawalReturned', (one) => (one.actor = { id: CAROL, role: 'gamer' }), 1),
    'was caused by carol as gamer, and not by anyone with the power money or the gamer bob',
  ],
  // Encrypted texts.
  [
    'an address under the key of another gamer',
    data('WithdrawalRequested', (one) => (one.walletAddress = `encrypted:1:${CAROL}:AAAA`)),
    'has a walletAddress that is encrypted for carol, and is about bob',
  ],
  [
    'a reason that nobody can open',
    data('BalanceAdjusted', (one) => (one.reason = 'encrypted:2:other')),
    'has a reason that is not encrypted in any known way',
  ],
  // Deposits: fee, 30 days, amount and record.
  ['a smaller fee', data('DepositApproved', (one) => (one.feeCents -= 1)), 'credits $7.00 of $7.34'],
  [
    'a depositor for 31 days',
    data('DepositApproved', (one) => ((one.depositorUntilEpochMs as number) += DAY)),
    'is not of 30 days from now',
  ],
  [
    'a depositor by the admin for 31 days',
    data('DepositorStatusSet', (one) => ((one.untilEpochMs as number) += DAY)),
    'is not of 30 days from now',
  ],
  [
    'another amount than was recorded',
    data('DepositApproved', (one) => (one.amountCents += 1), 1),
    'approves $10.01 and a fee of $0.50',
  ],
  [
    'another payment than was recorded',
    data('DepositApproved', (one) => (one.paymentId = 'pay9'), 1),
    'approves another payment',
  ],
  [
    'a payment taken from its gamer without a reason',
    data('DepositApproved', (one) => (one.gamerId = BOB), 1),
    'with a payment of carol, without a reason',
  ],
  ['an approval without a record', without('DepositRecorded'), 'approves a deposit that was never recorded'],
  ['a rejection without a record', without('DepositRecorded', 1), 'rejects a deposit that is not waiting'],
  [
    'a payment that is credited twice',
    data('DepositRecorded', (one) => (one.paymentId = 'pay1')),
    'payment pay1 was recorded before',
  ],
  // Breadth-first placement, and moves.
  [
    'a better place than the first free one',
    data('GamerEnrolled', (one) => (one.slot = 2), 2),
    'bob stands in slot 2 of alice, and slot 0 of alice was the first free one',
  ],
  [
    'a place outside the sponsor’s subtree',
    data('GamerEnrolled', (one) => (one.parentId = 'admin'), 2),
    'bob stands in slot 0 of admin',
  ],
  [
    'a child that moves to another slot',
    data('GamerRemoved', (one) => ((one.moved[1] as { slot: number }).slot = 0)),
    'frank stands in slot 0',
  ],
  ['a child that is left behind', data('GamerRemoved', (one) => one.moved.pop()), 'frank did not move'],
  // Invoice credits.
  [
    'a credit that is no price of its tokens',
    data('InvoiceCredited', (one) => (one.amountCents += 1)),
    'credits $0.61 for 2 tokens',
  ],
  [
    'a credit of a payment that bought tokens',
    data('InvoiceCredited', (one) => (one.paymentId = 'pay2')),
    'payment pay2 was recorded before',
  ],
  [
    'a purchase by an invoice without a payment',
    data('TokenPurchased', (one) => delete one.paymentId, 2),
    'is paid by no payment',
  ],
  // Removals.
  [
    'a removed gamer whose money stays',
    data('GamerRemoved', (one) => (one.forfeitedPurchaseCents -= 1)),
    'forfeits $0.39 of $0.40',
  ],
  ['the removal of the admin', data('GamerRemoved', (one) => (one.gamerId = 'admin')), 'admin cannot be removed'],
  [
    'the removal of a gamer with an open withdrawal',
    data('GamerRemoved', (one) => (one.gamerId = BOB)),
    'removes bob, who has an open withdrawal',
  ],
  ['the removal of the leader', removedLeader, 'removes bob, who bought last in the live round'],
  // Amounts and balances.
  [
    'a purchase beyond the balance',
    data('BalanceAdjusted', (one) => {
      one.purchaseCents = 0;
      one.purchaseBalanceCents = 0;
    }),
    'is at −$',
  ],
  [
    'a wrong balance after a purchase',
    data('TokenPurchased', (one) => (one.purchaseBalanceCents += 1)),
    'states $9.41',
  ],
  ['a transfer of nothing', data('WinningsTransferred', (one) => (one.amountCents = 0)), 'transfers $0.00'],
  [
    'an adjustment above its limit',
    data('BalanceAdjusted', (one) => (one.purchaseCents = 100_000_001)),
    'adjusts by more than a million dollars',
  ],
  [
    'an adjustment of nobody',
    data('BalanceAdjusted', (one) => (one.gamerId = 'nobody')),
    'is for nobody, who is no gamer',
  ],
];
