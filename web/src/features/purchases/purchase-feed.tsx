import type { RecentPurchase } from '../../../../contracts/http/game.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { DEFAULT_TIMERS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { tokensOf } from '../../shared/board/receive.js';
import { useServerNow } from '../../shared/clock/use-server-now.js';
import { addedText, counted } from '../../shared/format/clock-text.js';
import { oneTo } from '../../shared/format/one-to.js';
import { agoText } from '../../shared/format/time-text.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { useRecentPurchases } from './purchases.queries.js';

/** Above this many tokens a phone shows one lamp and the count. */
const LAMPS_DRAWN = 5;
const LAMPS_DRAWN_MAX = 24;

export function PurchaseFeed({ myId }: { myId: GamerId | null }) {
  const { data, isPending, refetch } = useRecentPurchases();
  const now = useServerNow();
  if (isPending) return <Loading label="Loading recent purchases" rows={5} />;
  if (data === undefined)
    return <LoadFailure text="Recent purchases could not be loaded" onRetry={() => void refetch()} />;
  if (data.length === 0) return <p className="empty">No recent purchases yet. Be the first to join the game!</p>;
  return (
    <ol className="rows">
      {data.map((purchase) => (
        <PurchaseRow key={purchase.purchaseId} purchase={purchase} isYou={purchase.buyerId === myId} now={now} />
      ))}
    </ol>
  );
}

function PurchaseRow({ purchase, isYou, now }: { purchase: RecentPurchase; isYou: boolean; now: number }) {
  const tokens = tokensOf(purchase);
  const addedSeconds = purchase.addedSeconds ?? tokens * DEFAULT_TIMERS.tokenExtensionSeconds;
  return (
    <li className={`buy ${isYou ? 'is-you' : ''}`}>
      <span
        className={`buy-k ${tokens > LAMPS_DRAWN ? 'is-many' : ''} ${tokens > LAMPS_DRAWN_MAX ? 'is-very-many' : ''}`}
        aria-hidden="true"
      >
        {oneTo(Math.min(tokens, LAMPS_DRAWN_MAX)).map((lamp) => (
          <i key={lamp} />
        ))}
        {tokens > LAMPS_DRAWN && <em>×{tokens.toLocaleString('en-US')}</em>}
      </span>
      <span className="buy-who">
        <b>{purchase.buyerGamerTag}</b>
        {isYou && <span className="you">You</span>}
        <span>
          {counted(tokens, 'token')}, {agoText(purchase.timestamp, now).replace('Just', 'just')}
        </span>
      </span>
      <span className="buy-sum num">
        <b>{addedText(addedSeconds)}</b>
        <span>
          <span className="pre">Jackpot </span>
          {formatCents(purchase.newJackpot)}
        </span>
      </span>
    </li>
  );
}
