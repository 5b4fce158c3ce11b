import type { LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import { type LedgerAccount, type Posting, purchaseAccount, winningsAccount } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';

/** Signed cents per account; throws unless they sum to zero. The auditor has postings of its own. */
export function postings(event: LedgerEvent): Posting[] {
  const lines = linesOf(event);
  let sum = 0;
  for (const { account, cents } of lines) {
    if (!Number.isSafeInteger(cents)) throw new Error(`${event.type}: ${cents} into ${account} is not whole cents`);
    sum += cents;
  }
  if (sum !== 0) throw new Error(`${event.type}: postings sum to ${sum}, not zero`);
  return lines.filter(({ cents }) => cents !== 0);
}

function linesOf({ type, data }: LedgerEvent): Posting[] {
  switch (type) {
    case 'TokenPurchased':
      return purchasePostings(data);
    case 'RoundEnded':
      return data.winner ? move('jackpot', winningsAccount(data.winner.gamerId), data.jackpotCents) : [];
    case 'WinningsTransferred':
      return move(winningsAccount(data.gamerId), purchaseAccount(data.gamerId), data.amountCents);
    case 'BalanceReleased':
      return move(purchaseAccount(data.gamerId), winningsAccount(data.gamerId), data.amountCents);
    case 'BalanceAdjusted':
      return [
        { account: purchaseAccount(data.gamerId), cents: data.purchaseCents },
        { account: winningsAccount(data.gamerId), cents: data.winningsCents },
        { account: 'house:adjustments', cents: -data.purchaseCents - data.winningsCents },
      ];
    case 'DepositApproved':
      return [
        { account: 'world:crypto', cents: -data.amountCents - data.feeCents },
        { account: purchaseAccount(data.gamerId), cents: data.amountCents },
        { account: 'house:deposit-fees', cents: data.feeCents },
      ];
    case 'InvoiceCredited':
      return move('world:crypto', purchaseAccount(data.gamerId), data.amountCents);
    case 'WithdrawalRequested':
      return move(winningsAccount(data.gamerId), 'payouts:pending', data.amountCents);
    case 'WithdrawalReturned':
      return move('payouts:pending', winningsAccount(data.gamerId), data.amountCents);
    case 'ProfitWithdrawalRequested':
      return move('house:profit', 'payouts:pending', data.amountCents);
    case 'ProfitWithdrawalReturned':
      return move('payouts:pending', 'house:profit', data.amountCents);
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      return move('payouts:pending', 'world:crypto', data.amountCents);
    case 'GamerRemoved':
      return [
        { account: purchaseAccount(data.gamerId), cents: -data.forfeitedPurchaseCents },
        { account: winningsAccount(data.gamerId), cents: -data.forfeitedWinningsCents },
        { account: 'house:forfeited', cents: data.forfeitedPurchaseCents + data.forfeitedWinningsCents },
      ];
    // These move no money. Without a default, the compiler refuses an event type that has no case.
    case 'GamerEnrolled':
    case 'DepositorStatusSet':
    case 'StaffStatusSet':
    case 'PowersSet':
    case 'GameScheduled':
    case 'ScheduleCancelled':
    case 'GameStarted':
    case 'LiveStarted':
    case 'LiveResumed':
    case 'TimeExtended':
    case 'GameReset':
    case 'TimersChanged':
    case 'DepositRecorded':
    case 'DepositRejected':
    case 'WithdrawalProcessing':
    case 'PayoutOrdered':
    case 'PayoutFailed':
    case 'PayoutSettled':
    case 'PayoutsReleased':
    case 'GamerExcluded':
    case 'ExclusionLifted':
    case 'LimitsSet':
    case 'LimitsConfirmed':
    case 'ProtectionProfileSet':
    case 'HistoryLost':
      return [];
  }
}

const move = (from: LedgerAccount, to: LedgerAccount, cents: Cents): Posting[] => [
  { account: from, cents: -cents },
  { account: to, cents },
];

function purchasePostings(purchase: LedgerEvents['TokenPurchased']): Posting[] {
  const paidBy = purchase.source === 'balance' ? purchaseAccount(purchase.buyerId) : 'world:crypto';
  return [
    { account: paidBy, cents: -purchase.costCents },
    { account: 'jackpot', cents: purchase.jackpotShareCents },
    { account: 'house:profit', cents: purchase.houseShareCents },
    ...purchase.allocations.map(({ gamerId, cents }) => ({ account: winningsAccount(gamerId), cents })),
    { account: 'house:unclaimed', cents: purchase.unclaimedCents },
  ];
}
