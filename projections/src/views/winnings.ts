import type { GamerId } from '../../../contracts/ids.js';
import type { Projected } from './view.js';

const PREFIX = 'gamer:';
const SUFFIX = ':winnings';

/** Whose winnings the event's postings credit, with how much: by a purchase, a jackpot, or an admin's hand (signed). */
export function winningsCredits({ event, postings }: Projected): { gamerId: GamerId; cents: number }[] {
  if (event.type !== 'TokenPurchased' && event.type !== 'RoundEnded' && event.type !== 'BalanceAdjusted') return [];
  const credits: { gamerId: GamerId; cents: number }[] = [];
  for (const { account, cents } of postings) {
    if (account.endsWith(SUFFIX)) credits.push({ gamerId: account.slice(PREFIX.length, -SUFFIX.length), cents });
  }
  return credits;
}
