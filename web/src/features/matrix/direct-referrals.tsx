import type { DirectReferral } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { counted, numberText } from '../../shared/format.js';
import { scrollable } from '../../shared/ui/scrollable.js';
import { ShowMore, useMoreGamers } from './more-gamers.js';

interface DirectReferralsProps {
  gamerId: GamerId;
  /** The first to join, which come with the genealogy. */
  first: DirectReferral[];
  count: number;
}

/** The gamer's direct referrals: how many, the first of them, and all on request. */
export function DirectReferrals({ gamerId, first, count }: DirectReferralsProps) {
  const path = ['/api', 'genealogy', gamerId, 'direct-referrals'] as const;
  const list = useMoreGamers(path, { first, count, isRefreshed: true });
  return (
    <div>
      <h3>My Direct Referrals</h3>
      <p className="t14 dim mt-1 mb-3">
        {count === 0 ? 'Nobody has joined with your link yet.' : `${counted(count, 'gamer')} joined with your link.`}
      </p>
      {list.listed.length > 0 && (
        <div className="refs" {...scrollable('My direct referrals')}>
          <ul>
            {list.listed.map((gamer) => (
              <li key={gamer.id}>{gamer.username}</li>
            ))}
          </ul>
        </div>
      )}
      <ShowMore list={list} text={list.isExpanded ? undefined : `See all ${numberText(count)}`} />
    </div>
  );
}
