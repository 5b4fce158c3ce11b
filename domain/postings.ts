import type { LedgerEvent, TokenPurchased } from '../contracts/events/ledger-events.js';
import { type Posting, purchaseAccount, winningsAccount } from '../contracts/ledger-accounts.js';

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
      return balanced(event, [
        { account: 'jackpot', cents: -jackpotCents },
        { account: winningsAccount(winner.gamerId), cents: jackpotCents },
      ]);
    }
    case 'WinningsTransferred': {
      const { gamerId, amountCents } = event.data;
      return balanced(event, [
        { account: winningsAccount(gamerId), cents: -amountCents },
        { account: purchaseAccount(gamerId), cents: amountCents },
      ]);
    }
    case 'BalanceAdjusted': {
      const { gamerId, purchaseCents, winningsCents } = event.data;
      return balanced(event, [
        { account: purchaseAccount(gamerId), cents: purchaseCents },
        { account: winningsAccount(gamerId), cents: winningsCents },
        { account: 'house:adjustments', cents: -purchaseCents - winningsCents },
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
      return [];
  }
}

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
