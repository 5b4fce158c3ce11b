import { Fragment } from 'react';
import type { RecentPurchase, RecentPurchasesResponse } from '../../../../contracts/http/purchases.js';
import { useApi } from '../../shared/api/api-client.js';
import { runningRound, useBoardPart } from '../../shared/board.js';
import { useServerNow } from '../../shared/clock.js';
import { addedText, agoText, counted, formatCents, numberText, range } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { LAMPS_DRAWN } from '../../shared/tokens/quantity.js';
import { Missing, scrollable } from '../../shared/ui/notice.js';
import { RoundEnd, useWinners } from '../../shared/winners.js';
import { FEED_KEY } from './recent-purchases.js';

const LAMPS_DRAWN_MAX = 24;

export function PurchaseFeed() {
  const myId = useMyId();
  const { data, ...query } = useApi<RecentPurchasesResponse>(FEED_KEY);
  const { data: winners } = useWinners();
  const runningRoundId = useBoardPart(runningRound);
  const nowMs = useServerNow();
  if (data === undefined) return <Missing {...query} what="recent purchases" rows={5} />;
  if (data.purchases.length === 0)
    return <p className="empty">No recent purchases yet. Be the first to join the game!</p>;
  // The newest round is not called ended until the board is known.
  const newestRoundId = data.purchases[0]?.roundId ?? null;
  const ongoingRoundId = runningRoundId === undefined ? newestRoundId : runningRoundId;
  return (
    <section className="feed" {...scrollable('Purchases')}>
      <ol className="rows">
        {data.purchases.map((purchase, index) => {
          const { purchaseId, roundId, buyerId } = purchase;
          const isNewestOfRound = data.purchases[index - 1]?.roundId !== roundId;
          const winner = winners?.winners.find((each) => each.roundId === roundId);
          return (
            <Fragment key={purchaseId}>
              {isNewestOfRound && roundId !== ongoingRoundId && <RoundEnd roundId={roundId} winner={winner} />}
              <PurchaseRow purchase={purchase} isYou={buyerId === myId} nowMs={nowMs} />
            </Fragment>
          );
        })}
      </ol>
    </section>
  );
}

function PurchaseRow({ purchase, isYou, nowMs }: { purchase: RecentPurchase; isYou: boolean; nowMs: number }) {
  const { quantity: tokens, addedSeconds } = purchase;
  return (
    <li className={`buy ${isYou ? 'is-you' : ''}`}>
      <span
        className={`buy-k ${tokens > LAMPS_DRAWN ? 'is-many' : ''} ${tokens > LAMPS_DRAWN_MAX ? 'is-very-many' : ''}`}
        aria-hidden="true"
      >
        {range(1, Math.min(tokens, LAMPS_DRAWN_MAX)).map((lamp) => (
          <i key={lamp} />
        ))}
        {tokens > LAMPS_DRAWN && <em>×{numberText(tokens)}</em>}
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
