import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import { type ApiKey, get } from '../../shared/api/api-client.js';
import { numberText } from '../../shared/format.js';
import { Button } from '../../shared/ui/controls.js';
import { LoadFailure } from '../../shared/ui/notice.js';

interface ListOptions<Gamer> {
  /** The first gamers of the list, which come with the genealogy. */
  first: Gamer[];
  /** How many gamers the whole list has. */
  count: number;
  /** Whether the fetched pages are fetched again whenever the genealogy is: their key begins with its key. */
  isRefreshed: boolean;
}

/** A list of gamers below: the first of them, and the others by pages of `path` on request. */
export function useMoreGamers<Gamer extends { id: GamerId }>(path: ApiKey, options: ListOptions<Gamer>) {
  const { first, count, isRefreshed } = options;
  const [isExpanded, setIsExpanded] = useState(false);
  const pages = useInfiniteQuery({
    queryKey: path,
    enabled: isExpanded,
    staleTime: isRefreshed ? Number.POSITIVE_INFINITY : 'static',
    gcTime: 0,
    initialPageParam: Math.floor(first.length / MAX_PAGE_SIZE) + 1,
    queryFn: ({ pageParam, signal }) =>
      get<{ gamers: Gamer[]; total: number }>([...path, { page: pageParam, pageSize: MAX_PAGE_SIZE }], signal),
    getNextPageParam: ({ total }, _pages, page) => (page * MAX_PAGE_SIZE < total ? page + 1 : null),
  });
  const fetched = pages.data?.pages ?? [];
  // The first page overlaps the first gamers, and later ones do when somebody joined in between.
  const gamers = [...first, ...fetched.flatMap((page) => page.gamers)];
  const listed = [...new Map(gamers.map((gamer) => [gamer.id, gamer])).values()];
  const left = pages.isSuccess && !pages.hasNextPage ? 0 : (fetched.at(-1)?.total ?? count) - listed.length;
  return {
    listed,
    left,
    isExpanded,
    isBusy: pages.isLoading || pages.isFetchingNextPage,
    isError: pages.isError,
    showMore: () => (isExpanded ? void pages.fetchNextPage() : setIsExpanded(true)),
    retry: () => (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch()),
  };
}

interface ShowMoreProps {
  list: ReturnType<typeof useMoreGamers>;
  /** The button's text; default: how many gamers are left. */
  text?: string | undefined;
}

/** The button that shows more of a list, while it has more. */
export function ShowMore({ list: { left, isBusy, isError, showMore, retry }, text }: ShowMoreProps) {
  if (isError) return <LoadFailure text="More gamers could not be loaded" onRetry={retry} />;
  if (left <= 0) return null;
  return (
    <div className="actions mt-3">
      <Button
        kind="line sm"
        text={text ?? `Show more, ${numberText(left)} left`}
        busy={isBusy && 'Loading…'}
        onClick={showMore}
      />
    </div>
  );
}
