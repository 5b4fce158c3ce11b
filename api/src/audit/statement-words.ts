import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import type { StatementAccount } from '../../../contracts/http/audit.js';
import type { NameOf } from '../gamers/gamer-names.queries.js';
import { gamerOf } from './event-gamers.js';
import { wordsOfType } from './event-words.js';

/** Purchases, as the account knows them. */
const PURCHASES: Partial<Record<StatementAccount, string>> = {
  winnings: 'Matrix credits',
  jackpot: 'Jackpot shares',
  'house:profit': 'House shares',
  'house:unclaimed': 'Unclaimed shares',
  'world:crypto': 'Tokens paid by invoice',
};

/** "Matrix credits, rounds 34 to 37". */
export function purchasesInWords(account: StatementAccount, firstRound: number, lastRound: number): string {
  const rounds = firstRound === lastRound ? `round ${firstRound}` : `rounds ${firstRound} to ${lastRound}`;
  return `${PURCHASES[account] ?? 'Tokens bought'}, ${rounds}`;
}

/** Any other change; on the accounts that are no gamer's it says whose it was. */
export function changeInWords(account: StatementAccount, one: RecordedLedgerEvent, nameOf: NameOf): string {
  const what = changeOf(account, one);
  const gamerId = gamerOf(one);
  return gamerId === null || account === 'winnings' || account === 'purchase' ? what : `${what} (${nameOf(gamerId)})`;
}

function changeOf(account: StatementAccount, { event: { type, data } }: RecordedLedgerEvent): string {
  switch (type) {
    case 'RoundEnded':
      return `Jackpot of round ${data.roundId}`;
    case 'WinningsTransferred':
      return account === 'winnings' ? 'Transfer to purchase balance' : 'Transfer from winnings';
    case 'BalanceAdjusted':
      return data.reason ? `Adjusted: ${data.reason}` : 'Adjusted';
    case 'DepositApproved': {
      const what = data.purpose === 'tokens' ? 'Token payment' : 'Deposit';
      return `${account === 'house:deposit-fees' ? `${what} fee` : `${what} approved`}, ${data.cryptoType}`;
    }
    case 'InvoiceCredited':
      return `Invoice credited, ${data.cryptoType}`;
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested':
      return `${wordsOfType(type)}, ${data.cryptoType}`;
    case 'WithdrawalCompleted':
      return 'Withdrawal paid out';
    case 'ProfitWithdrawalCompleted':
      return 'Profit withdrawal paid out';
    case 'GamerRemoved':
      return 'Forfeited';
    default:
      return wordsOfType(type);
  }
}
