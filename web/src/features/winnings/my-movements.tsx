import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { GamerAccount, MovementsResponse, StatementLine } from '../../../../contracts/http/audit.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { get } from '../../shared/api/api-client.js';
import { useRefreshOn } from '../../shared/api/use-api.js';
import { dateTimeText, dayText, numberText } from '../../shared/format.js';
import { Button, SelectField } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { TableHead } from '../../shared/ui/table-head.js';

const PAGE_SIZE = 20;

const accounts: { value: GamerAccount; text: string }[] = [
  { value: 'winnings', text: 'My winnings' },
  { value: 'purchase', text: 'My purchase balance' },
];

/** Every movement of the gamer's money with the balance after it, newest first. Read when it is opened. */
export function MyMovements({ gamerId }: { gamerId: GamerId }) {
  const [account, setAccount] = useState<GamerAccount | null>(null);
  return (
    <section className="movements" aria-label="My Movements">
      <h3>My Movements</h3>
      {account === null ? (
        <div className="actions">
          <Button kind="line sm" text="Show every movement" onClick={() => setAccount('winnings')} />
        </div>
      ) : (
        <>
          <SelectField
            label="Movements of"
            value={account}
            options={accounts}
            onChange={(chosen) => setAccount(chosen as GamerAccount)}
          />
          <Movements key={account} gamerId={gamerId} account={account} />
        </>
      )}
    </section>
  );
}

function Movements({ gamerId, account }: { gamerId: GamerId; account: GamerAccount }) {
  const queryKey = ['/api', 'gamer', gamerId, 'movements', account] as const;
  useRefreshOn('winnings:updated', queryKey);
  useRefreshOn('balanceUpdated', queryKey);
  const { data, isPending, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      get<MovementsResponse>(
        ['/api', 'gamer', gamerId, 'movements', { account, page: pageParam, pageSize: PAGE_SIZE }],
        signal,
      ),
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE_SIZE < total ? pages.length + 1 : null),
  });
  if (isPending) return <Loading label="Loading your movements" rows={4} />;
  const movements = data?.pages.flatMap((page) => page.movements) ?? [];
  if (isError && movements.length === 0)
    return <LoadFailure text="Your movements could not be loaded" onRetry={refetch} />;
  if (movements.length === 0)
    return <p className="empty">No movements yet. Everything that comes in or goes out will be listed here.</p>;
  const left = (data?.pages[0]?.total ?? 0) - movements.length;
  return (
    <>
      <table className="tbl tbl--brief">
        <caption className="sr">Movements, newest first</caption>
        <TableHead columns={['When', 'What', 'Amount', 'Balance']} right={2} />
        <tbody>
          {movements.map((movement) => (
            <Movement key={movement.number} movement={movement} isWinnings={account === 'winnings'} />
          ))}
        </tbody>
      </table>
      {isError && <LoadFailure text="More movements could not be loaded" onRetry={fetchNextPage} />}
      {hasNextPage && !isError && (
        <div className="actions">
          <Button
            kind="line sm"
            text={`Show older, ${numberText(left)} left`}
            busy={isFetchingNextPage && 'Loading…'}
            onClick={() => void fetchNextPage()}
          />
        </div>
      )}
    </>
  );
}

function Movement({ movement, isWinnings }: { movement: StatementLine; isWinnings: boolean }) {
  const { atEpochMs, what, events, cents, balanceCents } = movement;
  return (
    <tr>
      <td className="c num" title={dayText(atEpochMs)}>
        {dateTimeText(atEpochMs)}
      </td>
      <td className="a">
        {what}
        {events > 1 && <span className="dim t12">, {numberText(events)} purchases</span>}
      </td>
      <td className={`b r num ${isWinnings && cents > 0 ? 'won' : ''}`}>
        {cents > 0 ? '+' : '−'}
        {formatCents(Math.abs(cents))}
      </td>
      <td className="d r num">{formatCents(balanceCents)}</td>
    </tr>
  );
}
