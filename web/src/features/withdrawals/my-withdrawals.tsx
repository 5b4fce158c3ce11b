import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { Withdrawal, WithdrawalStatus } from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { useApi } from '../../shared/api/use-api.js';
import { useCommand } from '../../shared/api/use-command.js';
import { shortened } from '../../shared/files.js';
import { dateTimeText } from '../../shared/format.js';
import { gamerQuery } from '../../shared/session.queries.js';
import { Button } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import './withdrawals.css';

export function MyWithdrawals({ gamerId }: { gamerId: GamerId }) {
  return (
    <div className="withdrawals">
      <h3>My Withdrawals</h3>
      <WithdrawalRows gamerId={gamerId} />
    </div>
  );
}

/** The admin settles withdrawals by hand, and no live message reports it: polled while one is open. */
const OPEN_POLLED_EVERY_MS = 30_000;
const isOpen = ({ status }: Withdrawal): boolean => status === 'pending' || status === 'processing';

function WithdrawalRows({ gamerId }: { gamerId: GamerId }) {
  const { data, isPending, refetch } = useApi<Withdrawal[]>(['/api', 'gamer', gamerId, 'withdrawals'], {
    refreshOn: 'winnings:updated',
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? OPEN_POLLED_EVERY_MS : false),
  });
  if (isPending) return <Loading label="Loading your withdrawals" rows={2} />;
  if (data === undefined) return <LoadFailure text="Your withdrawals could not be loaded" onRetry={refetch} />;
  if (data.length === 0)
    return <p className="empty">No withdrawals yet. Your withdrawals and their status will be listed here.</p>;
  return (
    <ul className="rows">
      {data.map((withdrawal) => (
        <WithdrawalRow key={withdrawal.id} gamerId={gamerId} withdrawal={withdrawal} />
      ))}
    </ul>
  );
}

const chips: Record<WithdrawalStatus, { text: string; className: string }> = {
  pending: { text: 'Pending', className: 'chip chip--time' },
  processing: { text: 'Processing', className: 'chip chip--time chip--half' },
  completed: { text: 'Completed', className: 'chip chip--won' },
  returned: { text: 'Returned', className: 'chip chip--bad' },
};

interface RowProps {
  gamerId: GamerId;
  withdrawal: Withdrawal;
}

function WithdrawalRow({ gamerId, withdrawal }: RowProps) {
  const { amountCents, cryptoType, walletAddress, status, createdAt, processedAt, adminNotes, txid } = withdrawal;
  const chip = chips[status];
  return (
    <li className="withdrawal">
      <b className={`num ${status === 'completed' ? 'won' : ''}`}>{formatCents(amountCents)}</b>
      <span className={chip.className}>{chip.text}</span>
      <p className="t14 dim">
        {cryptoType} to{' '}
        <span className="code" title={walletAddress}>
          {shortened(walletAddress, 6)}
        </span>
        , requested {dateTimeText(createdAt)}
        {processedAt !== null && `, ${chip.text.toLowerCase()} ${dateTimeText(processedAt)}`}
        {status === 'returned' && '. The money is back in your winnings'}
      </p>
      {status === 'pending' && <Cancel gamerId={gamerId} withdrawal={withdrawal} />}
      {txid !== null && (
        <p className="t14 dim">
          Transaction <span className="code">{txid}</span>
        </p>
      )}
      {adminNotes !== null && adminNotes !== '' && (
        <p className="t14">
          <span className="dim">Note from the admin: </span>
          {adminNotes}
        </p>
      )}
    </li>
  );
}

function Cancel({ gamerId, withdrawal: { id, amountCents } }: RowProps) {
  const path = `/api/gamer/${gamerId}/withdrawals/${id}/cancel`;
  const { run, isBusy: isPending } = useCommand<object, MessageResponse>('POST', path, {
    failed: 'Not Cancelled',
    otherwise: 'Please try again.',
    // The key of the list begins with this one.
    reloads: [gamerQuery(gamerId).queryKey],
  });
  const cancel = () => void run({}, ({ message }) => ({ title: 'Withdrawal Cancelled', text: message }));
  return (
    <div className="withdrawal-hold">
      <p className="t14">Cancel it if it was not you, or if the address is wrong.</p>
      <Button
        kind="line sm"
        text="Cancel"
        aria-label={`Cancel the withdrawal of ${formatCents(amountCents)}`}
        busy={isPending && 'Cancelling…'}
        onClick={cancel}
      />
    </div>
  );
}
