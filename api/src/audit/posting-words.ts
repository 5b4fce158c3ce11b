import type { LedgerEvent, TokenPurchased } from '../../../contracts/events/ledger-events.js';
import type { AuditPosting } from '../../../contracts/http/audit.js';
import type { GamerId } from '../../../contracts/ids.js';
import { type Posting, winningsAccount } from '../../../contracts/ledger-accounts.js';
import {
  DEPOSIT_FEE_PERCENT,
  DIRECT_BONUS_CENTS,
  HOUSE_SHARE_CENTS,
  JACKPOT_SHARE_CENTS,
  LEVEL_SHARE_CENTS,
  MATRIX_DEPTH,
} from '../../../contracts/limits.js';
import { postings } from '../../../domain/postings.js';
import type { NameOf } from '../gamers/gamer-names.queries.js';
import { tokens } from './event-words.js';

/** An event's double entry, and of each line whose it is and why. */
export const postingsInWords = (event: LedgerEvent, nameOf: NameOf): AuditPosting[] =>
  postings(event).map((posting) => ({
    account: posting.account,
    name: accountName(posting.account, nameOf),
    why: whyOf(event, posting),
    cents: posting.cents,
  }));

const accountName = (account: string, nameOf: NameOf): string =>
  account.replace(/^gamer:(.*):/, (_, id: GamerId) => `gamer:${nameOf(id)}:`);

function whyOf(event: LedgerEvent, { account, cents }: Posting): string {
  switch (event.type) {
    case 'TokenPurchased':
      return whyOfPurchase(event.data, account);
    case 'RoundEnded':
      return `jackpot of round ${event.data.roundId}`;
    case 'WinningsTransferred':
      return cents < 0 ? 'transferred to the purchase balance' : 'transferred from winnings';
    case 'BalanceAdjusted':
      return account === 'house:adjustments' ? 'what the admin granted or took' : 'adjusted by the admin';
    case 'DepositApproved':
      if (account === 'world:crypto') return `paid in ${event.data.cryptoType}`;
      return account === 'house:deposit-fees' ? `fee of ${DEPOSIT_FEE_PERCENT} percent` : 'credited';
    case 'InvoiceCredited':
      return account === 'world:crypto'
        ? `paid in ${event.data.cryptoType}`
        : 'credited, the round was not live any more';
    case 'WithdrawalRequested':
    case 'ProfitWithdrawalRequested':
      return 'reserved for a withdrawal';
    case 'WithdrawalReturned':
    case 'ProfitWithdrawalReturned':
      return 'returned';
    case 'WithdrawalCompleted':
    case 'ProfitWithdrawalCompleted':
      return 'paid out';
    case 'GamerRemoved':
      return account === 'house:forfeited' ? 'forfeited to the house' : 'forfeited';
    default:
      throw new Error(`${event.type} posts to ${account}, and nobody said why`);
  }
}

function whyOfPurchase(bought: TokenPurchased['data'], account: string): string {
  if (account === 'jackpot') return `${JACKPOT_SHARE_CENTS} cents a token`;
  if (account === 'house:profit') return `${HOUSE_SHARE_CENTS} cents a token`;
  if (account === 'house:unclaimed') return `unclaimed: ${unclaimedInWords(bought)}`;
  const allocation = bought.allocations.find(({ gamerId }) => winningsAccount(gamerId) === account);
  if (!allocation) {
    const paid = `pays for ${tokens(bought.quantity)}`;
    return bought.source === 'invoice' ? `${paid}, by an invoice` : paid;
  }
  if (allocation.level === null) return `direct, from deeper than level ${MATRIX_DEPTH}`;
  return `level ${allocation.level}${allocation.direct ? ', and direct' : ''}`;
}

/** "levels 5 and 7, and direct": whom nobody was there to be paid as, or nobody entitled. */
function unclaimedInWords({ allocations, quantity, unclaimedCents }: TokenPurchased['data']): string {
  const paid = new Set(allocations.map(({ level }) => level as number | null));
  const unpaid = Array.from({ length: MATRIX_DEPTH }, (_, i) => i + 1).filter((level) => !paid.has(level));
  const isDirectUnpaid = unclaimedCents > unpaid.length * quantity * LEVEL_SHARE_CENTS;
  if (unpaid.length === 0) return `direct, ${DIRECT_BONUS_CENTS} cent a token`;
  const levels = unpaid.length === 1 ? `level ${unpaid[0]}` : `levels ${inRuns(unpaid)}`;
  return isDirectUnpaid ? `${levels}, and direct` : levels;
}

/** "1, 3 to 5 and 7". */
function inRuns(ascending: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const level of ascending) {
    const last = runs.at(-1);
    if (last && level === last[1] + 1) last[1] = level;
    else runs.push([level, level]);
  }
  const words = runs.flatMap(([from, to]) =>
    to - from > 1 ? [`${from} to ${to}`] : [...new Set([from, to])].map(String),
  );
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
