import { type ReactNode, useState } from 'react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../../../contracts/money.js';
import { useGamer } from '../../shared/session/gamer.queries.js';
import { useSession } from '../../shared/session/session.queries.js';
import { Act } from '../../shared/ui/act.js';
import { Locked } from '../../shared/ui/locked.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { DepositorBanner } from './depositor-banner.js';
import { ReferralLink } from './referral-link.js';
import { TransferDialog } from './transfer-dialog.js';
import './winnings.css';

interface WinningsParts {
  /** The way out of the winnings, in crypto. */
  withdraw: (gamer: GamerProfile) => ReactNode;
  /** What was withdrawn. */
  withdrawals: (gamer: GamerProfile) => ReactNode;
  /** Null for the admin, who never deposits. */
  onDeposit: (() => void) | null;
}

/** What the gamer has won, and what can be done with it. Blurred for visitors. */
export function WinningsSection(parts: WinningsParts) {
  const session = useSession();
  return (
    <Act
      title="My Winnings"
      lead={<p>Jackpots and matrix pay. Withdraw in crypto, or move it to your purchase balance.</p>}
    >
      {session ? (
        <MyWinnings {...parts} />
      ) : (
        <Locked why="Log in to see your winnings">
          <Figures current={0} total={0} paid={0} />
        </Locked>
      )}
    </Act>
  );
}

function MyWinnings({ withdraw, withdrawals, onDeposit }: WinningsParts) {
  const { data: gamer, isPending, refetch } = useGamer();
  if (isPending) return <Loading label="Loading your winnings" rows={4} />;
  if (gamer === undefined)
    return <LoadFailure text="Your winnings could not be loaded" onRetry={() => void refetch()} />;
  return (
    <>
      <div className="duo">
        <MyFigures gamer={gamer} withdraw={withdraw} />
        <div className="grid content-start gap-6">
          <DepositorBanner gamer={gamer} onDeposit={onDeposit} />
          <ReferralLink refCode={gamer.refCode} />
        </div>
      </div>
      {withdrawals(gamer)}
    </>
  );
}

function MyFigures({ gamer, withdraw }: { gamer: GamerProfile } & Pick<WinningsParts, 'withdraw'>) {
  const [transferring, setTransferring] = useState(false);
  const { currentWinningsCents, totalWinningsCents, personalWithdrawalsPaidCents } = gamer.balances;
  return (
    <div>
      <Figures current={currentWinningsCents} total={totalWinningsCents} paid={personalWithdrawalsPaidCents} />
      <div className="actions">
        {withdraw(gamer)}
        <button type="button" className="btn btn--line" onClick={() => setTransferring(true)}>
          Transfer to Purchase Balance
        </button>
      </div>
      <TransferDialog gamer={gamer} open={transferring} onOpenChange={setTransferring} />
    </div>
  );
}

function Figures({ current, total, paid }: { current: number; total: number; paid: number }) {
  return (
    <>
      <p className="stat">
        <span className="label">Available now</span>
        <b className="fig won num">{formatCents(current)}</b>
      </p>
      <dl className="pairs t14">
        <div>
          <dt>Won so far</dt>
          <dd className="num won">{formatCents(total)}</dd>
        </div>
        <div>
          <dt>Withdrawals paid</dt>
          <dd className="num">{formatCents(paid)}</dd>
        </div>
      </dl>
    </>
  );
}
