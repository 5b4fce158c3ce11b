import type { GamerId } from '../../../contracts/ids.js';
import type { Projected } from './view.js';

const WINNINGS_ACCOUNT = /^gamer:(.+):winnings$/;

/** Whose winnings the event's postings credit, with how much: by a purchase, a jackpot, or an admin's hand (signed). */
export function winningsCredits({ event, postings }: Projected): { gamerId: GamerId; cents: number }[] {
  if (event.type !== 'TokenPurchased' && event.type !== 'RoundEnded' && event.type !== 'BalanceAdjusted') return [];
  return postings.flatMap(({ account, cents }) => {
    const gamerId = WINNINGS_ACCOUNT.exec(account)?.[1];
    return gamerId === undefined ? [] : [{ gamerId, cents }];
  });
}
