import type { GamerId } from '../../../contracts/ids.js';
import type { Projected } from './view.js';

const PREFIX = 'gamer:';
const SUFFIX = ':winnings';

/** The credits to gamers' winnings by a purchase or a won jackpot, and signed changes by an admin's adjustment. */
export function winningsCredits({ event, postings }: Projected): readonly { gamerId: GamerId; cents: number }[] {
  if (event.type === 'TokenPurchased') return event.data.allocations;
  if (event.type !== 'RoundEnded' && event.type !== 'BalanceAdjusted') return [];
  const credits: { gamerId: GamerId; cents: number }[] = [];
  for (const { account, cents } of postings) {
    if (account.endsWith(SUFFIX)) credits.push({ gamerId: account.slice(PREFIX.length, -SUFFIX.length), cents });
  }
  return credits;
}
