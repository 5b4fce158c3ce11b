import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Role } from '../../../contracts/ids.js';
import { exclusionText, type PlainRefusalCode, refusalText } from '../../../contracts/refusals.js';
import { GamePanel } from '../features/game/game-panel.js';
import { useCannotBuyText, useTerms } from '../shared/board.js';
import { counted, formatCents } from '../shared/format.js';
import { isDown, useConnection } from '../shared/live/live-events.js';
import { canBeReminded } from '../shared/push.js';
import { useExclusion, useGamer, useSession } from '../shared/session.queries.js';
import { Button } from '../shared/ui/controls.js';
import { Dialog, preloadDialogs } from '../shared/ui/dialog.js';
import { goToAuth } from '../shared/ui/go-to.js';
import { lazy } from '../shared/ui/lazy.js';
import { LoadFailure } from '../shared/ui/query-result.js';
import { MainPageHeader, mainTarget } from './page-frame.js';

const SupportCenter = lazy(() => import('../features/support/support-center.js'), 'the Support Center', 5);
// Fetched after the stage has rendered, alone: the whole page at once would block a slow phone.
const BelowTheStage = lazy(() => import('./below-the-stage.js'), 'the rest of the page', 12);
const BuyDialog = lazy(() => import('../features/purchases/buy-dialog.js'));
const PaymentDialog = lazy(() => import('../features/payments/payment-dialog.js'));
const MyPayments = lazy(() => import('../features/payments/my-payments.js'));
const Dock = lazy(() => import('../features/game/dock.js'));
const RemindMe = lazy(() => import('../features/reminders/remind-me.js'), 'the reminder', 1);

const NEVER_BUYS: Partial<Record<Role, PlainRefusalCode>> = {
  admin: 'admin-cannot-buy',
  auditor: 'staff-cannot-play',
  operator: 'staff-cannot-play',
};

export function MainPage() {
  const pay = useWaysToPay();
  const session = useSession();
  const closedText = useCannotBuyText();
  const exclusion = useExclusion();
  const code = session && NEVER_BUYS[session.role];
  const neverBuys = code ? `${refusalText({ code })}.` : exclusion && exclusionText(exclusion);
  const join = () => {
    if (!session) goToAuth('register');
    else if (closedText === null) pay.join();
  };
  const buying = { onJoin: session === undefined ? null : join, neverBuys };
  const mayBuy = session && neverBuys === null;
  return (
    <>
      <MainPageHeader />
      <main {...mainTarget}>
        <h1 className="sr">Omni Jackpot, the live countdown game</h1>
        <GamePanel
          remind={mayBuy && canBeReminded() && <RemindMe key={session.id} />}
          balance={
            session &&
            !code && (
              <>
                <PurchaseBalance mayBuy={mayBuy === true} onBuy={pay.buyFromBalance} onDeposit={pay.deposit} />
                <MyPayments onShow={pay.show} />
              </>
            )
          }
          {...buying}
        />
        <div className="wrap below-the-stage">
          <BelowTheStage mayDeposit={neverBuys === null} onShow={pay.show} />
        </div>
      </main>
      <Dock {...buying} />
      {session && !code && pay.dialogs}
      {session && pay.supportDialog}
    </>
  );
}

/** Dialogs that a link from any page opens, by the hash of the address. */
const LINKED_DIALOGS = ['deposit', 'support'] as const;

type OpenDialog = 'balance' | 'tokens' | (typeof LINKED_DIALOGS)[number];

function useWaysToPay() {
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const { tokenPriceCents } = useTerms();
  const { data: gamer } = useGamer();
  const hasGamer = gamer !== undefined;
  const session = useSession();
  const isLoggedIn = Boolean(session);
  useEffect(() => {
    if (hasGamer) preloadDialogs();
  }, [hasGamer]);
  // Logging in again must not reopen a dialog that logging out closed.
  useEffect(() => {
    if (!isLoggedIn) setOpened(null);
  }, [isLoggedIn]);
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const linked = LINKED_DIALOGS.find((dialog) => dialog === hash);
    if (linked === undefined || session === undefined) return;
    if (session === null) return goToAuth('login');
    setOpened(linked);
    void navigate({ to: '/', hash: '', search: true, replace: true, resetScroll: false });
  }, [hash, session, navigate]);
  const open = (dialog: OpenDialog) => () => setOpened(dialog);
  const deposit = open('deposit');
  const bind = (dialog: OpenDialog) => ({ open: opened === dialog, onClose: () => setOpened(null) });
  return {
    buyFromBalance: open('balance'),
    deposit,
    show: setOpened,
    /** Opens the purchase from the balance, even while the balance is unknown: that purchase takes a second, one with crypto minutes. */
    join: open((gamer?.wallet.purchaseBalanceCents ?? tokenPriceCents) >= tokenPriceCents ? 'balance' : 'tokens'),
    dialogs: (
      <>
        <BuyDialog {...bind('balance')} onDeposit={deposit} onPayWithCrypto={open('tokens')} />
        <PaymentDialog purpose="tokens" {...bind('tokens')} onDeposit={deposit} />
        <PaymentDialog purpose="deposit" {...bind('deposit')} onDeposit={deposit} />
      </>
    ),
    supportDialog: (
      <Dialog title="Support Center" {...bind('support')}>
        <SupportCenter />
      </Dialog>
    ),
  };
}

interface PurchaseBalanceProps {
  /** False in a time-out or self-exclusion. */
  mayBuy: boolean;
  onBuy: () => void;
  onDeposit: () => void;
}

function PurchaseBalance({ mayBuy, onBuy, onDeposit }: PurchaseBalanceProps) {
  const { tokenPriceCents } = useTerms();
  const isLost = isDown(useConnection());
  const { data: gamer, isError, refetch } = useGamer();
  if (isError && !gamer) {
    return (
      <div className="balance">
        <LoadFailure text="Your purchase balance could not be loaded" onRetry={refetch} />
      </div>
    );
  }
  const cents = gamer?.wallet.purchaseBalanceCents;
  return (
    <div className="balance">
      <p>
        <span className="label">Purchase Balance</span>
        <br />
        <b className="num text-[min(1.375rem,6vw)]">{cents === undefined ? '—' : formatCents(cents)}</b>
        {cents !== undefined && (
          <span className="dim t14">{`, enough for ${counted(Math.floor(cents / tokenPriceCents), 'token')}`}</span>
        )}
      </p>
      <div className="actions">
        <Button text="Buy Tokens from Balance" disabled={!mayBuy || cents === undefined || isLost} onClick={onBuy} />
        <Button
          text="Deposit Crypto"
          kind={cents !== undefined && cents < tokenPriceCents ? 'act' : 'line'}
          disabled={!mayBuy || gamer === undefined}
          onClick={onDeposit}
        />
      </div>
    </div>
  );
}
