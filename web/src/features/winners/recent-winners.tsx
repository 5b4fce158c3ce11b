import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { formatCents } from '../../../../contracts/money.js';
import { shortDayText } from '../../shared/format/time-text.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { useDisclosure } from '../../shared/ui/use-disclosure.js';
import { useWinners } from './winners.queries.js';

/** Opens over the stage. */
export function RecentWinners() {
  const { open, setOpen, root, button } = useDisclosure();
  const listId = useId();
  const winners = useWinners();
  const label = winners.isPending
    ? 'Loading recent winners'
    : winners.isError
      ? 'Recent Winners (unavailable)'
      : 'Recent Winners';

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
        {label}
        <ChevronDown size={18} aria-hidden="true" className={open ? 'rotate-180' : ''} />
      </button>
      {open && (
        <section id={listId} className="winners-list" aria-label="Recent winners" {...scrollable}>
          <WinnersList />
        </section>
      )}
    </div>
  );
}

/** It scrolls, so the keyboard must reach it. */
const scrollable = { tabIndex: 0 };

function WinnersList() {
  const { data, isPending, refetch } = useWinners();
  if (isPending) return <Loading label="Loading recent winners" />;
  if (data === undefined) return <LoadFailure text="Recent Winners (unavailable)" onRetry={() => void refetch()} />;
  if (data.length === 0) return <p className="empty">No recent winners yet</p>;
  return (
    <ul className="rows">
      {data.map((winner) => (
        <li key={winner.roundId} className="winners-row">
          <span className="buy-who">
            <b>{winner.winnerGamerTag}</b>
            <span>
              Round {winner.roundId}, {shortDayText(winner.endedAt)}
            </span>
          </span>
          <b className="num won">{formatCents(winner.jackpotCents)}</b>
        </li>
      ))}
    </ul>
  );
}
