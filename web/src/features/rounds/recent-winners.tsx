import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { formatCents } from '../../../../contracts/money.js';
import { dayText } from '../../../../contracts/new-york-texts.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { useSession } from '../../shared/session.queries.js';
import { useDisclosure } from '../../shared/ui/hooks.js';
import { LoadFailure, Loading, scrollable } from '../../shared/ui/notice.js';
import { useWinners, WINNERS_KEY } from '../../shared/winners.queries.js';

export function RecentWinners() {
  const { open, setOpen, root, button } = useDisclosure();
  const listId = useId();
  const winners = useWinners();
  const label = { pending: 'Loading recent winners', error: 'Recent Winners (unavailable)', success: 'Recent Winners' };

  return (
    <div ref={root} className="winners">
      <button
        ref={button}
        type="button"
        className="winners-open"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <span>{label[winners.status]}</span>
        <ChevronDown size={18} aria-hidden="true" className={open ? 'rotate-180' : ''} />
      </button>
      {open && (
        <section id={listId} className="winners-list" {...scrollable('Recent winners')}>
          <WinnersList />
          <p className="t14 dim">
            A round that was reset has no winner and stands in the{' '}
            <Link className="underline" to="/record">
              public record
            </Link>
            .
          </p>
        </section>
      )}
    </div>
  );
}

function WinnersList() {
  const { data, isPending, refetch } = useWinners();
  const myId = useSession()?.id;
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
              <Link className="underline" to="/rounds/$roundId" params={{ roundId: `${winner.roundId}` }}>
                Round {winner.roundId}
              </Link>
              , {dayText(winner.endedAt)}
            </span>
          </span>
          <b className="num won">{formatCents(winner.jackpotCents)}</b>
        </li>
      ))}
    </ul>
  );
}

/** Refetches the winners when a round ends, and after a reconnect, because messages may be missing. */
export function useWinnersSync(): void {
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: WINNERS_KEY });
  usePageEvent('round:ended', refresh);
  usePageEvent('socket-connected', refresh);
}
