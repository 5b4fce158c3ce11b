import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../shared/format.js';
import { type PairRow, Pairs } from '../../shared/ui/controls.js';

const minus = (cents = 0): string => (cents === 0 ? formatCents(0) : `−${formatCents(cents)}`);

export function Figures({ balances }: { balances: Partial<GamerProfile['balances']> }) {
  const { totalWinningsCents = 0, currentWinningsCents = 0, releasedCents = 0, ...taken } = balances;
  const rows: PairRow[] = [
    ['Won so far', formatCents(totalWinningsCents), 'num'],
    ['Transferred to purchase balance', minus(taken.transferredCents), 'num'],
    ['Released from purchase balance', releasedCents > 0 && formatCents(releasedCents), 'num'],
    ['Withdrawn', minus(taken.personalWithdrawalsPaidCents), 'num'],
    ['Reserved for withdrawals', minus(taken.reservedCents), 'num'],
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
