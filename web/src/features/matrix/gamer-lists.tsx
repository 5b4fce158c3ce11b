import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { FoundInTreeResponse, GenealogyResponse, MatrixGamer } from '../../../../contracts/http/matrix.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MAX_PAGE_SIZE } from '../../../../contracts/limits.js';
import { type ApiKey, get } from '../../shared/api/api-client.js';
import { useApi } from '../../shared/api/use-api.js';
import { counted, numberText } from '../../shared/format.js';
import { Button, SearchField } from '../../shared/ui/controls.js';
import { useSettled } from '../../shared/ui/hooks.js';
import { LoadFailure, scrollable } from '../../shared/ui/notice.js';
import { ShowOlder } from '../../shared/ui/query-result.js';

interface ListOptions<Gamer> {
  first: Gamer[];
  count: number;
  /** Whether the fetched pages are fetched again whenever the genealogy is: their key begins with its key. */
  isRefreshed: boolean;
}

export function useMoreGamers<Gamer extends { id: GamerId }>(path: ApiKey, options: ListOptions<Gamer>) {
  const { first, count, isRefreshed } = options;
  const pages = useInfiniteQuery({
    queryKey: path,
    staleTime: isRefreshed ? Number.POSITIVE_INFINITY : 'static',
    gcTime: 0,
    initialPageParam: Math.floor(first.length / MAX_PAGE_SIZE) + 1,
    queryFn: ({ pageParam, signal }) =>
      get<{ gamers: Gamer[]; total: number }>([...path, { page: pageParam, pageSize: MAX_PAGE_SIZE }], signal),
    getNextPageParam: ({ total }, _pages, page) => (page * MAX_PAGE_SIZE < total ? page + 1 : null),
    // Nothing is fetched before somebody asks for more.
    enabled: ({ state }) => state.data !== undefined,
  });
  const fetched = pages.data?.pages ?? [];
  // The first page overlaps the first gamers, and later ones do when somebody joined in between.
  const gamers = [...first, ...fetched.flatMap((page) => page.gamers)];
  const listed = [...new Map(gamers.map((gamer) => [gamer.id, gamer])).values()];
  const left = pages.isSuccess && !pages.hasNextPage ? 0 : (fetched.at(-1)?.total ?? count) - listed.length;
  const { isError, isFetchingNextPage, fetchNextPage } = pages;
  const older = { isError, isFetchingNextPage, fetchNextPage, hasNextPage: left > 0 };
  return { listed, isExpanded: pages.isSuccess, older, text: `Show more, ${numberText(left)} left` };
}

export function DirectReferrals({ genealogy }: { genealogy: GenealogyResponse }) {
  const { directReferrals: first, directReferralCount: count } = genealogy;
  const path = ['/api', 'genealogy', genealogy.genealogy.id, 'direct-referrals'] as const;
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
      <div className="mt-3">
        <ShowOlder
          query={list.older}
          text={list.isExpanded ? list.text : `See all ${numberText(count)}`}
          failure="More gamers could not be loaded"
        />
      </div>
    </div>
  );
}

export function TreeSearch({ rootId, onOpen }: { rootId: GamerId; onOpen: (gamer: MatrixGamer) => void }) {
  const [typed, setTyped] = useState('');
  const tag = useSettled(typed.trim());
  return (
    <search className="tree-search" aria-label="Find a gamer in this tree">
      <SearchField
        label="Find a gamer by tag"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={20}
        value={typed}
        onChange={setTyped}
      />
      {tag !== '' && <Found rootId={rootId} tag={tag} onOpen={onOpen} />}
    </search>
  );
}

function Found({ rootId, tag, onOpen }: { rootId: GamerId; tag: string; onOpen: (gamer: MatrixGamer) => void }) {
  const { data, isError, refetch } = useApi<FoundInTreeResponse>(['/api', 'genealogy', rootId, 'find', { tag }], {
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  if (isError) return <LoadFailure text="The tree could not be searched" onRetry={refetch} />;
  if (data === undefined) return <p className="t14 dim">Searching…</p>;
  const { gamers, total } = data;
  return (
    <>
      <p className="t14 dim" role="status">
        <span>{total === 0 ? `Nobody’s tag here contains “${tag}”.` : `${counted(total, 'gamer')} found.`}</span>
        {total > gamers.length && <span>{` The first ${numberText(gamers.length)}, the nearest level first.`}</span>}
      </p>
      <ul className="rows level-rows">
        {gamers.map((gamer) => (
          <GamerRow key={gamer.id} gamer={gamer} onViewTree={onOpen}>
            {`level ${gamer.level}, team of ${numberText(gamer.teamSize)}`}
          </GamerRow>
        ))}
      </ul>
    </>
  );
}

interface GamerRowProps {
  gamer: MatrixGamer & { isDirect: boolean };
  onViewTree: (gamer: MatrixGamer) => void;
  children: ReactNode;
}

export const GamerRow = ({ gamer, onViewTree, children }: GamerRowProps) => (
  <li className="level-row">
    <span>
      <b>{gamer.username}</b>
      {gamer.isDirect && <span className="you">Direct</span>}
      <span className="t14 dim block num">{children}</span>
    </span>
    <Button kind="text" text="View tree" of={`of ${gamer.username}`} onClick={() => onViewTree(gamer)} />
  </li>
);
