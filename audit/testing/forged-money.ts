import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { SYSTEM } from '../../contracts/events/metadata.js';
import { words } from '../../contracts/words.js';
import { BOB, CAROL, DAY } from '../../domain/testing/constants.js';
import { before, data, edge, type Forgery, inTurn, metadata, set, twice, without } from './forgeries.js';

const OF_GAMERS = [
  ...words('InvoiceCredited WinningsTransferred BalanceReleased BalanceAdjusted DepositApproved WithdrawalRequested'),
  ...words('DepositorStatusSet StaffStatusSet GamerExcluded ExclusionLifted LimitsSet LimitsConfirmed'),
];

const CAROL_REMOVED: LedgerEvent = {
  type: 'GamerRemoved',
  data: { gamerId: CAROL, moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 1 },
};
const W5_PROCESSING: LedgerEvent = {
  type: 'WithdrawalProcessing',
  data: { withdrawalId: 'w5', gamerId: BOB, adminNotes: null },
};

export const FORGED_MONEY: readonly Forgery[] = [
  // Withdrawals: owner, kind and minimum.
  ['is of $9.99, and $10.00 is the least', data('WithdrawalRequested', { amountCents: 999 })],
  ['is for carol, and bob requested it', data('WithdrawalReturned', { gamerId: CAROL })],
  ['is of $10.01, and $10.00 were requested', data('WithdrawalReturned', (one) => (one.amountCents += 1))],
  [
    'is for the operator, and bob requested it',
    inTurn(without('WithdrawalReturned'), data('ProfitWithdrawalReturned', { withdrawalId: 'w2' })),
  ],
  ['withdrawal w1 was requested before', twice('WithdrawalRequested', { commandId: 'new' })],
  ['withdrawal w4 is not open', twice('ProfitWithdrawalCompleted', { commandId: 'new' })],
  ['was cancelled by its gamer while it was processed', before('WithdrawalReturned', W5_PROCESSING, 1)],
  ['withdrawal w9 is not open', data('WithdrawalReturned', { withdrawalId: 'w9' }, 1)],
  ['withdrawal w9 is not open', data('PayoutOrdered', { withdrawalId: 'w9' })],
  ['withdrawal w9 is not open', data('PayoutFailed', { withdrawalId: 'w9' })],
  ['but has admin notes', data('WithdrawalReturned', { adminNotes: 'mine' }, 1)],
  ['admin notes or a transaction id', data('WithdrawalReturned', { txid: 'ab12' }, 1)],
  // Payouts by the gateway.
  ['orders a payout that is ordered already', twice('PayoutOrdered', { commandId: 'new' })],
  ['orders a payout of a withdrawal that is not processed', without('WithdrawalProcessing')],
  ['while the payout is ordered', metadata('WithdrawalCompleted', { actor: { id: 'admin', role: 'admin' } }, 1)],
  ['completes by itself what was not ordered', metadata('WithdrawalCompleted', { actor: SYSTEM })],
  ['fails a payout that is not ordered', data('PayoutFailed', { payoutId: 'w1-1' })],
  ['orders a payout again after one that may have been paid', data('PayoutFailed', { outcome: 'uncertain' })],
  // Encrypted texts.
  ['is encrypted for carol, and is about bob', data('WithdrawalRequested', { walletAddress: 'encrypted:1:carol:AA' })],
  ['has a reason that is not encrypted in any known way', data('BalanceAdjusted', { reason: 'encrypted:2:other' })],
  // Deposits: fee, 30 days, amount and record.
  ['credits $7.00 of $7.34', data('DepositApproved', (one) => (one.feeCents -= 1))],
  ['is not of 30 days from now', data('DepositApproved', (one) => ((one.depositorUntilMs as number) += DAY))],
  ['is not of 30 days from now', data('DepositorStatusSet', (one) => ((one.untilMs as number) += DAY))],
  ['approves $10.01 and a fee of $0.50', data('DepositApproved', (one) => (one.amountCents += 1), 1)],
  ['approves $10.00 and a fee of $0.51', data('DepositApproved', (one) => (one.feeCents += 1), 1)],
  ['approves LTC, and BTC was recorded', data('DepositApproved', { cryptoType: 'LTC' }, 1)],
  ['approves another payment', data('DepositApproved', { paymentId: 'pay9' }, 1)],
  ['approves another payment', data('DepositApproved', { purpose: 'tokens' }, 1)],
  ['approves a recorded deposit without a person', metadata('DepositApproved', { actor: SYSTEM }, 1)],
  ['credits a token invoice as a deposit', data('DepositApproved', { purpose: 'tokens' })],
  ['with a payment of carol, without a reason', data('DepositApproved', { gamerId: BOB }, 1)],
  ['approves a deposit that was never recorded', without('DepositRecorded')],
  ['rejects a deposit that is not waiting', without('DepositRecorded', 1)],
  ['DepositRecorded is of $0.00', data('DepositRecorded', { amountCents: 0, feeCents: 0 })],
  ['deposit d1 was recorded before', data('DepositRecorded', { depositId: 'd1' })],
  ['payment pay1 was recorded before', data('DepositRecorded', { paymentId: 'pay1' })],
  // Breadth-first placement, and moves.
  ['in slot 2 of alice, and slot 0 of alice was the first free one', data('GamerEnrolled', { slot: 2 }, 2)],
  ['admin has a place already', twice('GamerEnrolled', { commandId: 'new' })],
  ['is the root, and stands below somebody', data('GamerEnrolled', { parentId: BOB })],
  ['is the root, and stands below somebody', data('GamerEnrolled', { sponsorId: BOB })],
  ['is the root, and stands below somebody', data('GamerEnrolled', { slot: 0 })],
  ['the sponsor nobody is not there', data('GamerEnrolled', { sponsorId: 'nobody' }, 2)],
  ['bob stands in slot 0 of admin', data('GamerEnrolled', { parentId: 'admin' }, 2)],
  ['frank stands in slot 0', data('GamerRemoved', (one) => ((one.moved[1] as { slot: number }).slot = 0))],
  ['moves 3 gamers, and 2 stood below dan', data('GamerRemoved', (one) => (one.moved = [...one.moved, one.moved[1]!]))],
  ['frank did not move', data('GamerRemoved', (one) => (one.moved = one.moved.slice(0, -1)))],
  // Invoice credits.
  ['InvoiceCredited credits $0.00', data('InvoiceCredited', { amountCents: 0 })],
  ['credits $0.61 for 2 tokens', data('InvoiceCredited', (one) => (one.amountCents += 1))],
  ['payment pay2 was recorded before', data('InvoiceCredited', { paymentId: 'pay2' })],
  ['is paid by no payment', data('TokenPurchased', { paymentId: null }, 2)],
  // Removals.
  ['forfeits $0.39 of $0.40', data('GamerRemoved', (one) => (one.forfeitedPurchaseCents -= 1))],
  ['forfeits $0.01 of $0.00 won', before('RoundEnded', CAROL_REMOVED)],
  ['admin cannot be removed', data('GamerRemoved', { gamerId: 'admin' })],
  ['removes bob, who has an open withdrawal', data('GamerRemoved', { gamerId: BOB })],
  ['removes carol, who bought last in the live round', before('RoundEnded', CAROL_REMOVED)],
  // Amounts and balances.
  ['is at −$', data('BalanceAdjusted', { purchaseCents: 0, purchaseBalanceCents: 0 })],
  ['states $25.01 in gamer:bob:winnings', data('BalanceAdjusted', (one) => (one.winningsBalanceCents += 1))],
  ['states $9.41', data('TokenPurchased', (one) => (one.purchaseBalanceCents += 1))],
  ['WinningsTransferred transfers $0.00', data('WinningsTransferred', { amountCents: 0 })],
  ['BalanceReleased transfers $0.00', data('BalanceReleased', { amountCents: 0 })],
  ['adjusts nothing', data('BalanceAdjusted', { purchaseCents: 0, winningsCents: 0 })],
  ['by more than a million dollars', ...edge(set('BalanceAdjusted', 'purchaseCents'), 100_000_001, 100_000_000)],
  ['is for nobody, who is not a gamer', data('BalanceAdjusted', { gamerId: 'nobody' })],
  ...OF_GAMERS.map((type): Forgery => [`${type} is for admin, who is not a gamer`, data(type, { gamerId: 'admin' })]),
];
