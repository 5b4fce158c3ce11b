import type { LedgerEvent, TokenPurchased } from '../contracts/events/ledger-events.js';
import { type LedgerAccount, type Posting, purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';

/**
 * The double entry of an event: every change of money, signed cents an account, summing to zero.
 * The only place where money arithmetic lives: deciders fold these, the journal table stores these, auditors redo these.
 */
export function postings(event: LedgerEvent): Posting[] {
  switch (event.type) {
    case 'TokenPurchased':
      return purchasePostings(event.data);
    case 'RoundEnded': {
      const { winner, jackpotCents } = event.data;
      if (!winner) return [];
      return balanced(event, move('jackpot', winningsAccount(winner.gamerId), jackpotCents));
    }
    case 'WinningsTransferred': {
      const { gamerId, amountCents } = event.data;
      return balanced(event, move(winningsAccount(gamerId), purchaseAccount(gamerId), amountCents));
    }
    case 'BalanceAdjusted': {
      const { gamerId, purchaseCents, winningsCents } = event.data;
      return balanced(event, [
        { account: purchaseAccount(gamerId), cents: purchaseCents },
        { account: winningsAccount(gamerId), cents: winningsCents },
        { account: 'house:adjustments', cents: -purchaseCents - winningsCents },
      ]);
    }
    case 'DepositApproved': {
      const { gamerId, amountCents, feeCents } = event.data;
      return balanced(event, [
        { account: 'world:crypto', cents: -amountCents - feeCents },
        { account: purchaseAccount(gamerId), cents: amountCents },
        { account: 'house:deposit-fees', cents: feeCents },
      ]);
    }
    case 'InvoiceCredited': {
      const { gamerId, amountCents } = event.data;
      return balanced(event, move('world:crypto', purchaseAccount(gamerId), amountCents));
    }
    case 'WithdrawalRequested': {
      const { gamerId, amountCents } = event.data;
      return balanced(event, move(winningsAccount(gamerId), 'payouts:pending', amountCents));
    }
    case 'WithdrawalReturned': {
      const { gamerId, amountCents } = event.data;
      return balanced(event, move('payouts:pending', winningsAccount(gamerId), amountCents));
    }
    case 'ProfitWithdrawalRequested':
      return balanced(event, move('house:profit', 'payouts:pending', event.data.amountCents));
    case 'ProfitWithdrawalReturned':
      return balanced(event, move('payouts:pending', 'house:profit', event.data.amountCents));
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      return balanced(event, move('payouts:pending', 'world:crypto', event.data.amountCents));
    case 'GamerRemoved': {
      const { gamerId, forfeitedPurchaseCents, forfeitedWinningsCents } = event.data;
      return balanced(event, [
        { account: purchaseAccount(gamerId), cents: -forfeitedPurchaseCents },
        { account: winningsAccount(gamerId), cents: -forfeitedWinningsCents },
        { account: 'house:forfeited', cents: forfeitedPurchaseCents + forfeitedWinningsCents },
      ]);
    }
    case 'GamerEnrolled':
    case 'GameStarted':
    case 'LiveStarted':
    case 'LiveResumed':
    case 'TimeExtended':
    case 'GameReset':
    case 'TimersChanged':
    case 'DepositorStatusSet':
    case 'DepositRecorded':
    case 'DepositRejected':
    case 'WithdrawalProcessing':
      return [];
  }
}

const move = (from: LedgerAccount, to: LedgerAccount, cents: Cents): Posting[] => [
  { account: from, cents: -cents },
  { account: to, cents },
];

function purchasePostings(bought: TokenPurchased['data']): Posting[] {
  const paidBy = bought.source === 'balance' ? purchaseAccount(bought.buyerId) : 'world:crypto';
  return balanced({ type: 'TokenPurchased', data: bought }, [
    { account: paidBy, cents: -bought.costCents },
    { account: 'jackpot', cents: bought.jackpotShareCents },
    { account: 'house:profit', cents: bought.houseShareCents },
    ...bought.allocations.map(({ gamerId, cents }) => ({ account: winningsAccount(gamerId), cents })),
    { account: 'house:unclaimed', cents: bought.unclaimedCents },
  ]);
}

function balanced(event: LedgerEvent, lines: Posting[]): Posting[] {
  let sum = 0;
  for (const { account, cents } of lines) {
    if (!Number.isSafeInteger(cents)) throw new Error(`${event.type}: ${cents} into ${account} is not whole cents`);
    sum += cents;
  }
  if (sum !== 0) throw new Error(`${event.type}: postings sum to ${sum}, not zero`);
  return lines.filter(({ cents }) => cents !== 0);
}
