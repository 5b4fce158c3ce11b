import { formatCents } from '../../../../contracts/money.js';
import { useStats } from './stats.queries.js';

/** The two public counters. */
export function Tally() {
  const { data } = useStats();
  return (
    <div className="tally">
      <span>
        Total Gamers <b className="num">{data ? data.totalGamers.toLocaleString('en-US') : '—'}</b>
      </span>
      <span>
        Total Winnings{' '}
        <b className="num won">{data ? formatCents(Math.round(data.totalWinningsDollars * 100)) : '—'}</b>
      </span>
    </div>
  );
}
