import { formatCents } from '../../../../contracts/money.js';

export function Figures({ current, total, paid }: { current: number; total: number; paid: number }) {
  return (
    <>
      <p className="stat">
        <span className="label">Available now</span>
        <b className={`fig num ${current > 0 ? 'won' : ''}`}>{formatCents(current)}</b>
      </p>
      <dl className="pairs t14">
        <div>
          <dt>Won so far</dt>
          <dd className={`num ${total > 0 ? 'won' : ''}`}>{formatCents(total)}</dd>
        </div>
        <div>
          <dt>Withdrawals paid</dt>
          <dd className="num">{formatCents(paid)}</dd>
        </div>
      </dl>
    </>
  );
}
