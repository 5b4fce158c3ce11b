import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DirectReferral, DirectReferralsResponse } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import { get } from '../../shared/api/api-client.js';
import { useRefreshOn } from '../../shared/api/use-api.js';
import { counted, numberText } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';
import { LoadFailure } from '../../shared/ui/notice.js';
import { scrollable } from '../../shared/ui/scrollable.js';

interface DirectReferralsProps {
  gamerId: GamerId;
  /** The first to join, which come with the genealogy. */
  first: DirectReferral[];
  count: number;
}

/** The gamer's direct referrals: how many, the first of them, and all on request. */
export function DirectReferrals({ gamerId, first, count }: DirectReferralsProps) {
  const [isAll, setIsAll] = useState(false);
  const pages = useDirectReferrals(gamerId, isAll);
  const listed = pages.data?.pages.flatMap(({ gamers }) => gamers) ?? first;
  const hidden = count - listed.length;
  const showMore = () => (isAll ? void pages.fetchNextPage() : setIsAll(true));
  return (
    <div>
      <h3>My Direct Referrals</h3>
      <p className="t14 dim mt-1 mb-3">
        {count === 0 ? 'Nobody has joined with your link yet.' : `${counted(count, 'gamer')} joined with your link.`}
      </p>
      {listed.length > 0 && (
        <div className="refs" {...scrollable('My direct referrals')}>
          <ul>
            {listed.map((gamer) => (
              <li key={gamer.id}>{gamer.username}</li>
            ))}
          </ul>
        </div>
      )}
      {pages.isError && <LoadFailure text="More direct referrals could not be loaded" onRetry={pages.refetch} />}
      {hidden > 0 && !pages.isError && (
        <div className="actions mt-3">
          <Button
            kind="line sm"
            text={isAll ? `Show more, ${numberText(hidden)} left` : `See all ${numberText(count)}`}
            busy={pages.isFetching && 'Loading…'}
            onClick={showMore}
          />
        </div>
      )}
    </div>
  );
}

function useDirectReferrals(gamerId: GamerId, enabled: boolean) {
  const queryKey = ['/api', 'genealogy', gamerId, 'direct-referrals'] as const;
  useRefreshOn('winnings:updated', queryKey);
  return useInfiniteQuery({
    queryKey,
    enabled,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      get<DirectReferralsResponse>([...queryKey, { page: pageParam, pageSize: MAX_PAGE_SIZE }], signal),
    getNextPageParam: ({ total }, pages) => (pages.length * MAX_PAGE_SIZE < total ? pages.length + 1 : null),
  });
}
