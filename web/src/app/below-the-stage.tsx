import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { GamerId } from '../../../contracts/ids.js';
import { AdminSection } from '../features/admin/admin-section.js';
import { AuthSection, LockedAuthSection } from '../features/gamers/auth-section.js';
import { emptyLevels, LevelList } from '../features/matrix/levels.js';
import '../features/matrix/matrix.css';
import { MissedNotice } from '../features/purchases/missed.js';
import { PurchaseFeed } from '../features/purchases/purchase-feed.js';
import { Figures } from '../features/winnings/figures.js';
import '../features/winnings/winnings.css';
import { sessionQuery, useSession } from '../shared/session.queries.js';
import { Act, NeedsSession, SessionFailure } from '../shared/ui/act.js';
import { WINNINGS_ID } from '../shared/ui/go-to.js';
import { lazy } from '../shared/ui/lazy.js';
import { PageFooter } from './page.js';

const MyWinnings = lazy(() => import('../features/winnings/my-winnings.js'), 'MyWinnings', 'your winnings', 4);
const MyMatrix = lazy(() => import('../features/matrix/my-matrix.js'), 'MyMatrix', 'your matrix', 7);
const CommunityFeed = lazy(
  () => import('../features/community/community-feed.js'),
  'CommunityFeed',
  'the community feed',
  5,
);

const NO_WINNINGS = {
  totalWinningsCents: 0,
  transferredCents: 0,
  personalWithdrawalsPaidCents: 0,
  reservedCents: 0,
  currentWinningsCents: 0,
};

interface BelowTheStageProps {
  myId: GamerId | null;
  onDeposit: (() => void) | null;
  onSupport: () => void;
}

/**
 * Renders for another gamer only. The place of the visitors' forms is kept until the session is known, so that
 * nothing moves.
 */
export const BelowTheStage = memo(({ myId, onDeposit, onSupport }: BelowTheStageProps) => {
  const session = useSession();
  return (
    <>
      <MissedNotice />
      {!session && <VisitorsForms isKnown={session === null} />}
      <Act first={Boolean(session)} title="Recent Purchases">
        <PurchaseFeed myId={myId} />
      </Act>
      <Act id={WINNINGS_ID} title="My Winnings">
        <NeedsSession why="Log in to see your winnings" preview={<Figures balances={NO_WINNINGS} />}>
          {({ role }) => <MyWinnings role={role} onDeposit={onDeposit} />}
        </NeedsSession>
      </Act>
      <Act title="My 3x7 Matrix Genealogy">
        <NeedsSession why="Log in to see your matrix" preview={<LevelList levels={emptyLevels} />}>
          {(gamer) => <MyMatrix session={gamer} />}
        </NeedsSession>
      </Act>
      <Act
        title="Gamers Community Feed"
        lead={
          <>
            <p>Be decent. Posts are public.</p>
            {myId !== null && (
              <p>
                <button type="button" className="linkish min-h-11" onClick={onSupport}>
                  Need Help? Contact Support
                </button>
              </p>
            )}
          </>
        }
      >
        <CommunityFeed session={session} />
      </Act>
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
