import { useDeferredValue, useRef } from 'react';
import type { GamerId } from '../../../contracts/ids.js';
import { refusalText } from '../../../contracts/messages.js';
import { AuthSection, goToAuth } from '../features/accounts/auth-section.js';
import { AdminSection } from '../features/admin/admin-section.js';
import { CommunitySection } from '../features/community/community-section.js';
import { Dock } from '../features/game/dock.js';
import { GamePanel } from '../features/game/game-panel.js';
import { LaunchCountdown } from '../features/launch/launch-countdown.js';
import { Rules } from '../features/launch/rules.js';
import { MatrixSection } from '../features/matrix/matrix-section.js';
import { PurchaseBalance } from '../features/purchases/purchase-balance.js';
import { PurchaseFeed } from '../features/purchases/purchase-feed.js';
import { ContactSupport } from '../features/support/contact-support.js';
import { RecentWinners } from '../features/winners/recent-winners.js';
import { WinningsSection } from '../features/winnings/winnings-section.js';
import { WithdrawWinnings } from '../features/withdrawals/withdraw-winnings.js';
import { useBoard } from '../shared/board/board.queries.js';
import { cannotBuyText } from '../shared/board/cannot-buy.js';
import { useSession } from '../shared/session/session.queries.js';
import { Act } from '../shared/ui/act.js';
import { Late, latePart } from '../shared/ui/late.js';
import { PageFooter } from './page-footer.js';
import { PageHeader } from './page-header.js';
import { ShareWin } from './share-win.js';
import { mainTarget } from './skip-link.js';
import { useWaysToPay } from './use-ways-to-pay.js';

const myWithdrawals = latePart<{ gamerId: GamerId }>(
  () => import('../features/withdrawals/my-withdrawals.js').then((module) => module.MyWithdrawals),
  { label: 'Loading your withdrawals', rows: 2 },
);

const roundChart = latePart<{ myId: GamerId | null }>(
  () => import('../features/game/round-chart.js').then((module) => module.RoundChart),
  { label: 'Loading the course of the round', rows: 5 },
);

/** Higher than the page will be, so that a page that was scrolled, and is loaded anew, is scrolled there again. */
const UNKNOWN_HEIGHT = { minHeight: '1000rem' };

export function MainPage() {
  const stageRef = useRef<HTMLElement>(null);
  const pay = useWaysToPay();
  const session = useSession();
  const { data: board } = useBoard();
  const myId = session?.id ?? null;
  // First what is seen first, by itself: together they would hold up a slow phone.
  const isRestShown = useDeferredValue(true, false);
  const neverBuys = session?.role === 'admin' ? refusalText({ code: 'admin-cannot-buy' }) : null;
  const join = () => {
    if (!session) goToAuth();
    else if (cannotBuyText(board ?? null) === null) pay.join();
  };
  return (
    <>
      <PageHeader />
      <main {...mainTarget}>
        <h1 className="sr">Omni Jackpot, the live countdown game</h1>
        <GamePanel
          stageRef={stageRef}
          myId={myId}
          shareWin={(result) => session && <ShareWin result={result} refCode={session.refCode} />}
          winners={<RecentWinners />}
          balance={
            session && neverBuys === null ? (
              <PurchaseBalance onBuy={pay.buyFromBalance} onDeposit={pay.deposit} />
            ) : null
          }
          onJoin={session === undefined ? null : join}
          neverBuys={neverBuys}
        />
        <div className="wrap" style={isRestShown ? undefined : UNKNOWN_HEIGHT}>
          {isRestShown && <BelowTheStage myId={myId} onDeposit={neverBuys === null ? pay.deposit : null} />}
        </div>
      </main>
      <Dock stageRef={stageRef} onJoin={session === undefined ? null : join} neverBuys={neverBuys} />
      {session && neverBuys === null && pay.dialogs}
    </>
  );
}

function BelowTheStage({ myId, onDeposit }: { myId: GamerId | null; onDeposit: (() => void) | null }) {
  return (
    <>
      <Act first title="Recent Purchases" lead={<p>Newest first. Every lamp is a token, every token is time.</p>}>
        <PurchaseFeed myId={myId} />
      </Act>
      <Act title="This Round" lead={<p>The clock falls second by second, and rises with every purchase.</p>}>
        <Late part={roundChart} props={{ myId }} />
      </Act>
      <Act title="How a round runs" lead={<LaunchCountdown />}>
        <Rules />
      </Act>
      <WinningsSection
        withdraw={(gamer) => <WithdrawWinnings gamer={gamer} />}
        withdrawals={(gamer) => <Late part={myWithdrawals} props={{ gamerId: gamer.id }} />}
        onDeposit={onDeposit}
      />
      <MatrixSection />
      <CommunitySection help={myId === null ? null : <ContactSupport gamerId={myId} />} />
      <AuthSection />
      <AdminSection />
      <PageFooter />
    </>
  );
}
