import type { RecentPurchase } from '../../../../contracts/http/game.js';
import type { RoundId } from '../../../../contracts/ids.js';

export type FeedRow = { purchase: RecentPurchase } | { endedRoundId: RoundId };

/**
 * The feed's rows, newest first: before the newest purchase of each round that is over, the round's end.
 *
 * @param runningRoundId null when no round runs
 */
export const feedRows = (purchases: readonly RecentPurchase[], runningRoundId: RoundId | null): FeedRow[] =>
  purchases.flatMap((purchase, index) => {
    const { roundId } = purchase;
    const isNewestOfRound = purchases[index - 1]?.roundId !== roundId;
    return isNewestOfRound && roundId !== runningRoundId ? [{ endedRoundId: roundId }, { purchase }] : [{ purchase }];
  });
