import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { LedgerAccount, Posting } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';

/** An event's postings, by the table in docs/for-auditors.md. Lines of zero cents are left out. */
export function postingsOf({ type, data }: LedgerEvent): Posting[] {
  const lines: Posting[] = [];
  const post = (account: LedgerAccount, cents: Cents): void => {
    if (cents !== 0) lines.push({ account, cents });
  };
  const transfer = (from: LedgerAccount, to: LedgerAccount, cents: Cents): void => {
    post(from, -cents);
    post(to, cents);
  };
  switch (type) {
    case 'TokenPurchased':
      post(data.source === 'invoice' ? 'world:crypto' : `gamer:${data.buyerId}:purchase`, -data.costCents);
      post('jackpot', data.jackpotShareCents);
      post('house:profit', data.houseShareCents);
      for (const { gamerId, cents } of data.allocations) post(`gamer:${gamerId}:winnings`, cents);
      post('house:unclaimed', data.unclaimedCents);
      break;
    case 'RoundEnded':
      if (data.winner !== null) transfer('jackpot', `gamer:${data.winner.gamerId}:winnings`, data.jackpotCents);
      break;
    case 'WinningsTransferred':
      transfer(`gamer:${data.gamerId}:winnings`, `gamer:${data.gamerId}:purchase`, data.amountCents);
      break;
    case 'BalanceReleased':
      transfer(`gamer:${data.gamerId}:purchase`, `gamer:${data.gamerId}:winnings`, data.amountCents);
      break;
    case 'BalanceAdjusted':
      transfer('house:adjustments', `gamer:${data.gamerId}:purchase`, data.purchaseCents);
      transfer('house:adjustments', `gamer:${data.gamerId}:winnings`, data.winningsCents);
      break;
    case 'DepositApproved':
      transfer('world:crypto', `gamer:${data.gamerId}:purchase`, data.amountCents);
      transfer('world:crypto', 'house:deposit-fees', data.feeCents);
      break;
    case 'InvoiceCredited':
      transfer('world:crypto', `gamer:${data.gamerId}:purchase`, data.amountCents);
      break;
    case 'WithdrawalRequested':
      transfer(`gamer:${data.gamerId}:winnings`, 'payouts:pending', data.amountCents);
      break;
    case 'WithdrawalReturned':
      transfer('payouts:pending', `gamer:${data.gamerId}:winnings`, data.amountCents);
      break;
    case 'ProfitWithdrawalRequested':
      transfer('house:profit', 'payouts:pending', data.amountCents);
      break;
    case 'ProfitWithdrawalReturned':
      transfer('payouts:pending', 'house:profit', data.amountCents);
      break;
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      transfer('payouts:pending', 'world:crypto', data.amountCents);
      break;
    case 'GamerRemoved':
      transfer(`gamer:${data.gamerId}:purchase`, 'house:forfeited', data.forfeitedPurchaseCents);
      transfer(`gamer:${data.gamerId}:winnings`, 'house:forfeited', data.forfeitedWinningsCents);
      break;
  }
  return lines;
}
