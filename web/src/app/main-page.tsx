import { memo, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import type { RoundResult } from '../../../contracts/http/game.js';
import type { GamerId } from '../../../contracts/ids.js';
import { TOKEN_PRICE_CENTS } from '../../../contracts/limits.js';
import { formatCents } from '../../../contracts/money.js';
import { exclusionText, refusalText } from '../../../contracts/refusals.js';
import { AuthSection, LockedAuthSection } from '../features/accounts/auth-section.js';
import { AdminSection } from '../features/admin/admin-section.js';
import { CommunitySection } from '../features/community/community-section.js';
import { Dock } from '../features/game/dock.js';
import { GamePanel } from '../features/game/game-panel.js';
import { LaunchCountdown, Rules } from '../features/launch/rules.js';
import { MatrixSection } from '../features/matrix/matrix-section.js';
import { PaymentDialog } from '../features/payments/payment-dialog.js';
import { BuyDialog, BuyForm } from '../features/purchases/buy-dialog.js';
import { PurchaseBalance } from '../features/purchases/purchase-balance.js';
import { PurchaseFeed } from '../features/purchases/purchase-feed.js';
import { useBuyAgain } from '../features/purchases/use-purchase.js';
import { RecentWinners } from '../features/winners/recent-winners.js';
import { WinningsSection } from '../features/winnings/winnings-section.js';
import { useCannotBuy } from '../shared/board.js';
import { useExclusion } from '../shared/protection.queries.js';
import { canBeReminded } from '../shared/push.js';
import { referralUrl, useGamer, useSession } from '../shared/session.queries.js';
import { Act } from '../shared/ui/act.js';
import { Dialog, DialogButton } from '../shared/ui/dialog.js';
import { goToAuth } from '../shared/ui/go-to-auth.js';
import { lazy } from '../shared/ui/lazy.js';
import { ShareButton } from '../shared/ui/share-button.js';
import { useKey } from '../shared/ui/use-key.js';
import { mainTarget, PageFooter } from './page-frame.js';
import { PageHeader } from './page-header.js';

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
const SupportCenter = lazy(
  () => import('../features/support/support-center.js'),
  'SupportCenter',
  'the Support Center',
  5,
);
const RemindMe = lazy(() => import('../features/reminders/remind-me.js'), 'RemindMe', 'the reminder', 1);
const RoundChart = lazy(() => import('../features/game/round-chart.js'), 'RoundChart', 'the course of the round', 5);

/** Higher than the whole page, so that the browser can restore the scroll position after a reload. */
const UNKNOWN_HEIGHT = { minHeight: '1000rem' };

export function MainPage() {
  const stageRef = useRef<HTMLElement>(null);
  const pay = useWaysToPay();
  const session = useSession();
  const closed = useCannotBuy();
  const myId = session?.id ?? null;
  // The stage renders first and alone: rendering the whole page at once would block a slow phone.
  const isRestShown = useDeferredValue(true, false);
  const exclusion = useExclusion();
  const neverBuys =
    session?.role === 'admin' ? `${refusalText({ code: 'admin-cannot-buy' })}.` : exclusion && exclusionText(exclusion);
  const join = () => {
    if (!session) goToAuth('register');
    else if (closed === null) pay.join();
  };
  const again = useBuyAgain();
  const buying = { onJoin: session === undefined ? null : join, neverBuys, again };
  const mayBuy = session && neverBuys === null;
  useKey('b', mayBuy && closed === null ? pay.join : null);
  return (
    <>
      <PageHeader />
      <main {...mainTarget}>
        <h1 className="sr">Omni Jackpot, the live countdown game</h1>
        <GamePanel
          stageRef={stageRef}
          myId={myId}
          shareWin={(result) => session && <ShareWin result={result} refCode={session.refCode} />}
          remind={mayBuy && canBeReminded() ? (join) => <RemindMe key={myId}>{join}</RemindMe> : null}
          winners={<RecentWinners />}
          balance={mayBuy && <PurchaseBalance onBuy={pay.buyFromBalance} onDeposit={pay.deposit} />}
          {...buying}
        />
        <div className="wrap" style={isRestShown ? undefined : UNKNOWN_HEIGHT}>
          {isRestShown && <BelowTheStage myId={myId} onDeposit={neverBuys === null ? pay.deposit : null} />}
        </div>
      </main>
      <Dock stageRef={stageRef} {...buying} />
      {mayBuy && pay.dialogs}
    </>
  );
}

interface BelowTheStageProps {
  myId: GamerId | null;
  onDeposit: (() => void) | null;
}

/**
 * Renders for another gamer only: a purchase changes the stage and the parts that show it. A visitor's page begins with the
 * forms; their place is kept until the session is known, so that nothing moves for visitors.
 */
const BelowTheStage = memo(({ myId, onDeposit }: BelowTheStageProps) => {
  const session = useSession();
  return (
    <>
      {!session && (
        <div className={session === undefined ? 'invisible' : undefined}>
          <AuthSection />
        </div>
      )}
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
      <CommunitySection help={myId === null ? null : <ContactSupport gamerId={myId} />} />
      {myId !== null && <LockedAuthSection />}
      <AdminSection />
      <PageFooter />
    </>
  );
});

function ContactSupport({ gamerId }: { gamerId: GamerId }) {
  return (
    <p>
      <DialogButton text="Need Help? Contact Support" className="linkish min-h-11" title="Support Center">
        {() => <SupportCenter gamerId={gamerId} />}
      </DialogButton>
    </p>
  );
}

function ShareWin({ result, refCode }: { result: RoundResult; refCode: string }) {
  return (
    <ShareButton
      className="btn btn--line btn--sm mt-2"
      text="Share my win"
      shared={{
        title: 'Omni Jackpot',
        text: `I won ${formatCents(result.jackpotCents)} in round ${result.roundId} of Omni Jackpot.`,
        url: referralUrl(refCode),
      }}
    />
  );
}

type OpenDialog = 'balance' | 'tokens' | 'deposit' | 'support';

/** The dialogs in which a gamer pays, and support for a payment; one is open at a time. */
function useWaysToPay() {
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const { data: gamer } = useGamer();
  const hasGamer = gamer !== undefined;
  const isLoggedIn = Boolean(useSession());
  useEffect(() => {
    // A failed preload is retried when the dialog opens.
    if (hasGamer) BuyForm.preload().catch(() => undefined);
  }, [hasGamer]);
  // Logging in again must not reopen a dialog that logging out closed.
  useEffect(() => {
    if (!isLoggedIn) setOpened(null);
  }, [isLoggedIn]);
  const open = (dialog: OpenDialog) => () => setOpened(dialog);
  const deposit = useCallback(() => setOpened('deposit'), []);
  const bind = (dialog: OpenDialog) => ({
    open: opened === dialog,
    onClose: () => setOpened(null),
  });
  return {
    buyFromBalance: open('balance'),
    deposit,
    /** Buys from the balance, which takes a second. With too little for a token, pays with crypto, which takes minutes. */
    join: open((gamer?.wallet.purchaseBalanceCents ?? 0) >= TOKEN_PRICE_CENTS ? 'balance' : 'tokens'),
    dialogs: (
      <>
        <BuyDialog {...bind('balance')} onDeposit={deposit} onPayWithCrypto={open('tokens')} />
        <PaymentDialog purpose="tokens" {...bind('tokens')} onSupport={open('support')} />
        <PaymentDialog purpose="deposit" {...bind('deposit')} onSupport={open('support')} />
        <Dialog title="Support Center" {...bind('support')}>
          {gamer && <SupportCenter gamerId={gamer.id} />}
        </Dialog>
      </>
    ),
  };
}
