import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { ListPage } from '../../../../contracts/http/headers.js';
import { MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import { type ApiKey, get } from '../api/api-client.js';
import { numberText } from '../format.js';
import { Button } from '../ui/controls.js';
import { LoadFailure, LoadingOrFailure } from '../ui/query-result.js';

interface PagesProps<Row> {
  path: ApiKey;
  /** The list is fetched anew when this changes; until then the former rows stay. */
  version?: number;
  /** The rows' name in the response, and in the texts. */
  name: string;
  empty: string;
  children: (rows: Row[]) => ReactNode;
}

/** A list page by page, fetched when it is opened. Live messages change none of its pages. */
export function Pages<Row>({ path, version, name, empty, children }: PagesProps<Row>) {
  const query = useInfiniteQuery({
    queryKey: [useId(), version, ...path],
    placeholderData: keepPreviousData,
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      get<ListPage<string, Row>>([...path, { page, pageSize: MAX_PAGE_SIZE }], signal),
    getNextPageParam: ({ total }, pages) => (pages.length * MAX_PAGE_SIZE < total ? pages.length + 1 : null),
  });
  const { data } = query;
  if (data === undefined) return <LoadingOrFailure {...query} noun={`the ${name}`} rows={4} />;
  // A new row moves the last one of a page onto the next page, which may be fetched after it.
  const fetched = data.pages.flatMap((page) => page[name] ?? []);
  const rows = [...new Map(fetched.map((row) => [JSON.stringify(row), row])).values()];
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  const left = (data.pages.at(-1)?.total ?? 0) - rows.length;
  return (
    <>
      {children(rows)}
      <ShowOlder query={query} text={`Show more, ${numberText(left)} left`} failure="The rest could not be loaded" />
    </>
  );
}

interface ShowOlderProps {
  query: Pick<UseInfiniteQueryResult, 'isError' | 'hasNextPage' | 'isFetchingNextPage'> & {
    fetchNextPage: () => unknown;
  };
  text: string;
  failure: string;
}

export function ShowOlder({ query, text, failure }: ShowOlderProps) {
  const { isError, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (isError) return <LoadFailure text={failure} onRetry={fetchNextPage} />;
  if (!hasNextPage) return null;
  return (
    <div className="actions">
      <Button kind="line sm" text={text} busy={isFetchingNextPage && 'Loading…'} onClick={() => void fetchNextPage()} />
    </div>
  );
}
