import { ChevronDown } from 'lucide-react';
import { dayText, formatCents } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { PageLink } from '../../shared/ui/controls.js';
import { Disclosure } from '../../shared/ui/disclosure.js';
import { LoadFailure, Loading } from '../../shared/ui/query-result.js';
import { scrollable } from '../../shared/ui/table.js';
import { useWinners } from '../../shared/winners.js';

export function RecentWinners() {
  const { status } = useWinners();
  const label = { pending: 'Loading recent winners', error: 'Recent Winners (unavailable)', success: 'Recent Winners' };
  const content = (
    <>
      <span>{label[status]}</span>
      <ChevronDown size={18} aria-hidden="true" />
    </>
  );
  return (
    <Disclosure
      className="winners"
      button={{ className: 'winners-open', children: content }}
      panel={{ className: 'winners-list', ...scrollable('Recent winners') }}
    >
      {() => (
        <>
          <WinnersList />
          <p className="t14 dim">
            A round that was reset has no winner and stands in the{' '}
            <PageLink className="underline" to="/record" text="public record" />.
          </p>
        </>
      )}
    </Disclosure>
  );
}

function WinnersList() {
  const { data, isPending, refetch } = useWinners();
  const myId = useMyId();
  if (isPending) return <Loading label="Loading recent winners" />;
  if (data === undefined) return <LoadFailure text="Recent Winners (unavailable)" onRetry={refetch} />;
  if (data.winners.length === 0) return <p className="empty">No recent winners yet</p>;
  return (
    <ul className="rows">
      {data.winners.map((winner) => (
        <li key={winner.roundId} className="winners-row">
          <span className="buy-who">
            <b>
              {winner.winnerGamerTag}
              {winner.winnerId === myId && <span className="you">You</span>}
            </b>
            <span>
              <PageLink
                className="underline"
                to="/rounds/$roundId"
                params={{ roundId: `${winner.roundId}` }}
                text={`Round ${winner.roundId}`}
              />
              , {dayText(winner.endedAt)}
            </span>
          </span>
          <b className="num won">{formatCents(winner.jackpotCents)}</b>
        </li>
      ))}
    </ul>
  );
}
