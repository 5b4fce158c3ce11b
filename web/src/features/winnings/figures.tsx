import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../../../contracts/money.js';

const minus = (cents: number): string => (cents === 0 ? formatCents(0) : `−${formatCents(cents)}`);

export function Figures({ balances }: { balances: GamerProfile['balances'] }) {
  const { totalWinningsCents, transferredCents, personalWithdrawalsPaidCents, reservedCents, currentWinningsCents } =
    balances;
  const rows = [
    ['Won so far', formatCents(totalWinningsCents)],
    // A balance released during an exclusion came back (decision 55).
    transferredCents < 0
      ? ['Released from purchase balance', formatCents(-transferredCents)]
      : ['Transferred to purchase balance', minus(transferredCents)],
    ['Withdrawn', minus(personalWithdrawalsPaidCents)],
    ['Reserved for withdrawals', minus(reservedCents)],
  ];
  return (
    <>
      <p className="stat">
        <span className="label">Available now</span>
        <b className={`fig num ${currentWinningsCents > 0 ? 'won' : ''}`}>{formatCents(currentWinningsCents)}</b>
      </p>
      <dl className="pairs t14">
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
