import type { Withdrawal, WithdrawalStatus } from '../../../../contracts/http/withdrawals.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { momentText } from '../../shared/format/time-text.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { shortAddress } from './short-address.js';
import { useWithdrawals } from './withdrawals.queries.js';
import './withdrawals.css';

/** What the gamer asked to be paid, how far it is, and what the admin wrote about it. */
export function MyWithdrawals({ gamerId }: { gamerId: GamerId }) {
  return (
    <div className="withdrawals">
      <h3>My Withdrawals</h3>
      <WithdrawalRows gamerId={gamerId} />
    </div>
  );
}

function WithdrawalRows({ gamerId }: { gamerId: GamerId }) {
  const { data, isPending, refetch } = useWithdrawals(gamerId);
  if (isPending) return <Loading label="Loading your withdrawals" rows={2} />;
  if (data === undefined)
    return <LoadFailure text="Your withdrawals could not be loaded" onRetry={() => void refetch()} />;
  if (data.length === 0)
    return <p className="empty">No withdrawals yet. What you withdraw is listed here, with how far it is.</p>;
  return (
    <ul className="rows">
      {data.map((withdrawal) => (
        <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
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

function WithdrawalRow({ withdrawal }: { withdrawal: Withdrawal }) {
  const { amountCents, cryptoType, walletAddress, status, createdAt, processedAt, adminNotes, txid } = withdrawal;
  const chip = chips[status];
  return (
    <li className="withdrawal">
      <b className={`num ${status === 'completed' ? 'won' : ''}`}>{formatCents(amountCents)}</b>
      <span className={chip.className}>{chip.text}</span>
      <p className="t14 dim">
        {cryptoType} to{' '}
        <span className="code" title={walletAddress}>
          {shortAddress(walletAddress)}
        </span>
        , asked for {momentText(createdAt)}
        {processedAt !== null && `, ${chip.text.toLowerCase()} ${momentText(processedAt)}`}
        {status === 'returned' && '. The money is back in your winnings'}
      </p>
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
