import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../shared/format.js';
import { type PairRow, Pairs } from '../../shared/ui/controls.js';

const minus = (cents: number): string => (cents === 0 ? formatCents(0) : `−${formatCents(cents)}`);

export function Figures({ balances }: { balances: GamerProfile['balances'] }) {
  const { totalWinningsCents, transferredCents, personalWithdrawalsPaidCents, reservedCents, currentWinningsCents } =
    balances;
  const rows: PairRow[] = [
    ['Won so far', formatCents(totalWinningsCents), 'num'],
    // A balance released during an exclusion came back (decision 55).
    transferredCents < 0
      ? ['Released from purchase balance', formatCents(-transferredCents), 'num']
      : ['Transferred to purchase balance', minus(transferredCents), 'num'],
    ['Withdrawn', minus(personalWithdrawalsPaidCents), 'num'],
    ['Reserved for withdrawals', minus(reservedCents), 'num'],
  ];
  return (
    <>
      <p className="stat">
        <span className="label">Available now</span>
        <b className={`fig num ${currentWinningsCents > 0 ? 'won' : ''}`}>{formatCents(currentWinningsCents)}</b>
      </p>
      <Pairs className="pairs t14" rows={rows} />
    </>
  );
}
