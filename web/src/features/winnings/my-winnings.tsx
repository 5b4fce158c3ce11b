import { type ReactNode, useState } from 'react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { useGamer } from '../../shared/session/gamer.queries.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { DepositorBanner } from './depositor-banner.js';
import { Figures } from './figures.js';
import { ReferralLink } from './referral-link.js';
import { TransferDialog } from './transfer-dialog.js';

export interface WinningsParts {
  /** The way out of the winnings, in crypto. */
  withdraw: (gamer: GamerProfile) => ReactNode;
  /** What was withdrawn. */
  withdrawals: (gamer: GamerProfile) => ReactNode;
  /** Null for the admin, who never deposits. */
  onDeposit: (() => void) | null;
}

export function MyWinnings({ withdraw, withdrawals, onDeposit }: WinningsParts) {
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
