import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { AdminSection } from '../features/admin/admin-section.js';
import { AuthSection, LockedAuthSection } from '../features/gamers/auth-section.js';
import { emptyLevels, LevelList } from '../features/matrix/levels.js';
import '../features/matrix/matrix.css';
import { PurchaseFeed } from '../features/purchases/purchase-feed.js';
import { Figures } from '../features/winnings/figures.js';
import '../features/winnings/winnings.css';
import { sessionQuery, useSession } from '../shared/session.queries.js';
import { Act } from '../shared/ui/act.js';
import { Button } from '../shared/ui/controls.js';
import { WINNINGS_ID } from '../shared/ui/go-to.js';
import { lazy } from '../shared/ui/lazy.js';
import { NeedsSession, SessionFailure } from '../shared/ui/needs-session.js';
import { PageFooter } from './page.js';

const MyWinnings = lazy(() => import('../features/winnings/my-winnings.js'), 'your winnings', 4);
const MyMatrix = lazy(() => import('../features/matrix/my-matrix.js'), 'your matrix', 7);
const CommunityFeed = lazy(() => import('../features/community/community-feed.js'), 'the community feed', 5);

interface BelowTheStageProps {
  mayDeposit: boolean;
  onShow: (dialog: 'deposit' | 'support') => void;
}

/** Renders for another gamer only. Keeps the place of the visitors' forms until the session is known. */
const BelowTheStage = memo(({ mayDeposit, onShow }: BelowTheStageProps) => {
  const session = useSession();
  return (
    <>
      {!session && <VisitorsForms isKnown={session === null} />}
      <Act first={Boolean(session)} title="Recent Purchases">
        <PurchaseFeed />
      </Act>
      <Act id={WINNINGS_ID} title="My Winnings">
        <NeedsSession why="Log in to see your winnings" preview={<Figures balances={{}} />}>
          {() => <MyWinnings onDeposit={mayDeposit ? () => onShow('deposit') : null} />}
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
            {session && (
              <p>
                <Button
                  className="linkish min-h-11"
                  text="Need Help? Contact Support"
                  onClick={() => onShow('support')}
                />
              </p>
            )}
          </>
        }
      >
        <CommunityFeed />
      </Act>
      {session && <LockedAuthSection gamerTag={session.gamerTag} />}
      <AdminSection />
      <PageFooter />
    </>
  );
});

export default BelowTheStage;

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
