import { Fragment } from 'react';
import type { RecentPurchase, RecentPurchasesResponse } from '../../../../contracts/http/purchases.js';
import { MAX_FEED_PURCHASES } from '../../../../contracts/limits.js';
import { useApi } from '../../shared/api/api-client.js';
import { runningRound, useBoardPart } from '../../shared/board.js';
import { useServerNow } from '../../shared/clock.js';
import { addedText, agoText, counted, formatCents, numberText, range } from '../../shared/format.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { useMyId } from '../../shared/session.queries.js';
import { MAX_UNCOUNTED_LAMPS } from '../../shared/tokens/quantity.js';
import { LoadingOrFailure } from '../../shared/ui/query-result.js';
import { scrollable } from '../../shared/ui/table.js';
import { RoundEnd, useWinners } from '../../shared/winners.js';

const MAX_LAMPS_IN_FEED = 24;

export function PurchaseFeed() {
  const myId = useMyId();
  const { purchases, ...query } = usePurchases();
  const { data: winners } = useWinners();
  const runningRoundId = useBoardPart(runningRound);
  const lastEndedId = useBoardPart(({ lastResult }) => lastResult?.roundId ?? 0);
  const nowMs = useServerNow();
  if (purchases === undefined) return <LoadingOrFailure {...query} noun="recent purchases" rows={5} />;
  if (purchases.length === 0) return <p className="empty">No recent purchases yet. Be the first to join the game!</p>;
  // The newest round is not called ended until the board is known.
  const newestRoundId = purchases[0]?.roundId ?? null;
  const ongoingRoundId = runningRoundId === undefined ? newestRoundId : runningRoundId;
  return (
    <section className="feed" {...scrollable('Purchases')}>
      <ol className="rows">
        {purchases.map((purchase, index) => {
          const { purchaseId, roundId, buyerId } = purchase;
          const isNewestOfRound = purchases[index - 1]?.roundId !== roundId;
          const winner = winners?.winners.find((each) => each.roundId === roundId);
          // A round with a purchase ends with a winner, unless it is reset. The newest winner may not be loaded yet.
          const isLaterWon = winners?.winners.some((each) => each.roundId > roundId);
          const isReset = lastEndedId !== undefined && (roundId > lastEndedId || (!winner && isLaterWon === true));
          return (
            <Fragment key={purchaseId}>
              {isNewestOfRound && roundId !== ongoingRoundId && (
                <RoundEnd roundId={roundId} winner={winner} isReset={isReset} />
              )}
              <PurchaseRow purchase={purchase} isYou={buyerId === myId} nowMs={nowMs} />
            </Fragment>
          );
        })}
      </ol>
    </section>
  );
}

type FeedPurchase = Omit<RecentPurchase, 'newCountdown'>;

/** The purchases of the board's round, which live messages keep up to date, and before them the fetched ones. */
function usePurchases() {
  const { data, isPending, refetch } = useApi<RecentPurchasesResponse>(['/api', 'purchases', 'recent'], {
    refreshOn: ['round:ended', 'socket-connected'],
    refetchOnMount: 'always',
  });
  const ofRound = useBoardPart(({ roundId, purchases }) =>
    purchases.map(({ ts, ...purchase }): FeedPurchase => ({ ...purchase, roundId: roundId ?? 0, timestamp: ts })),
  );
  // A reset takes its round's purchases from the board.
  usePageEvent('state:update', ({ gameState }) => {
    if (gameState === 'idle') void refetch();
  });
  const known = new Set(ofRound?.map(({ purchaseId }) => purchaseId));
  const before: FeedPurchase[] | undefined = data?.purchases.filter(({ purchaseId }) => !known.has(purchaseId));
  return { purchases: before && [...(ofRound ?? []), ...before].slice(0, MAX_FEED_PURCHASES), isPending, refetch };
}

function PurchaseRow({ purchase, isYou, nowMs }: { purchase: FeedPurchase; isYou: boolean; nowMs: number }) {
  const { quantity: tokens, addedSeconds } = purchase;
  return (
    <li className={`buy ${isYou ? 'is-you' : ''}`}>
      <span
        className={`buy-k ${tokens > MAX_UNCOUNTED_LAMPS ? 'is-many' : ''} ${tokens > MAX_LAMPS_IN_FEED ? 'is-very-many' : ''}`}
        aria-hidden="true"
      >
        {range(1, Math.min(tokens, MAX_LAMPS_IN_FEED)).map((lamp) => (
          <i key={lamp} />
        ))}
        {tokens > MAX_UNCOUNTED_LAMPS && <em>×{numberText(tokens)}</em>}
      </span>
      <span className="buy-who">
        <b>{purchase.buyerGamerTag}</b>
        {isYou && <span className="you">You</span>}
        <span>{`${counted(tokens, 'token')}, ${agoText(purchase.timestamp, nowMs)}`}</span>
      </span>
      <span className="buy-sum num">
        <b>{addedText(addedSeconds)}</b>
        <span>{`Jackpot ${formatCents(purchase.newJackpot)}`}</span>
      </span>
    </li>
  );
}
