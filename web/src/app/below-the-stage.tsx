import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { GamerId } from '../../../contracts/ids.js';
import { AuthSection, LockedAuthSection } from '../features/accounts/auth-section.js';
import { AdminSection } from '../features/admin/admin-section.js';
import { CommunitySection } from '../features/community/community-section.js';
import { LaunchCountdown, Rules } from '../features/launch/rules.js';
import { MatrixSection } from '../features/matrix/matrix-section.js';
import { PurchaseFeed } from '../features/purchases/purchase-feed.js';
import { WinningsSection } from '../features/winnings/winnings-section.js';
import { sessionQuery, useSession } from '../shared/session.queries.js';
import { Act, SessionFailure } from '../shared/ui/act.js';
import { DialogButton } from '../shared/ui/dialog.js';
import { lazy } from '../shared/ui/lazy.js';
import { PageFooter } from './page-frame.js';

const MyWithdrawals = lazy(
  () => import('../features/withdrawals/my-withdrawals.js'),
  'MyWithdrawals',
  'your withdrawals',
  2,
);
const WithdrawForm = lazy(
  () => import('../features/withdrawals/withdraw-form.js'),
  'WithdrawForm',
  'the withdrawal form',
  6,
);
const RoundChart = lazy(() => import('../features/game/round-chart.js'), 'RoundChart', 'the course of the round', 5);

interface BelowTheStageProps {
  myId: GamerId | null;
  onDeposit: (() => void) | null;
  onSupport: () => void;
}

/**
 * Renders for another gamer only: a purchase changes the stage and the parts that show it. A visitor's page begins with the
 * forms; their place is kept until the session is known, so that nothing moves for visitors.
 */
export const BelowTheStage = memo(({ myId, onDeposit, onSupport }: BelowTheStageProps) => {
  const session = useSession();
  return (
    <>
      {!session && <VisitorsForms isKnown={session === null} />}
      <Act
        first={Boolean(session)}
        title="Recent Purchases"
        lead={<p>Newest first. Every lamp is a token, every token is time.</p>}
      >
        <PurchaseFeed myId={myId} />
      </Act>
      <Act title="This Round" lead={<p>The clock falls second by second, and rises with every purchase.</p>}>
        <RoundChart myId={myId} />
      </Act>
      <Act title="How a round runs" lead={<LaunchCountdown />}>
        <Rules />
      </Act>
      <WinningsSection
        withdraw={(gamer) => (
          <DialogButton text="Withdraw Winnings" className="btn btn--act" title="Withdraw Winnings">
            {(close) => <WithdrawForm gamer={gamer} onDone={close} />}
          </DialogButton>
        )}
        withdrawals={(gamer) => <MyWithdrawals gamerId={gamer.id} />}
        onDeposit={onDeposit}
      />
      <MatrixSection />
      <CommunitySection onSupport={myId === null ? null : onSupport} />
      {myId !== null && <LockedAuthSection />}
      <AdminSection />
      <PageFooter />
    </>
  );
});

function VisitorsForms({ isKnown }: { isKnown: boolean }) {
  const { isError, refetch } = useQuery(sessionQuery);
  if (!isKnown && isError)
    return (
      <div className="act border-t-0">
        <SessionFailure onRetry={refetch} />
      </div>
    );
  return (
    <div className={isKnown ? undefined : 'invisible'}>
      <AuthSection />
    </div>
  );
}
