import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GamerSession, ReferralLookup } from '../../../../contracts/http/gamers.js';
import type { OpenInvoice, PaymentInReview } from '../../../../contracts/http/payments.js';
import { useApi } from '../../shared/api/api-client.js';
import { useCannotBuyText, useTerms } from '../../shared/board.js';
import { usePageEvent } from '../../shared/live/live-events.js';
import { useExclusion, useGamer, usePayments, useProtection, useSession } from '../../shared/session.queries.js';
import { useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { newcomer, referral } from './referral.js';

/** One line above the header: a visitor's invitation, or a newcomer's next step. */
export default function ArrivalStrip() {
  const session = useSession();
  const code = useStore(referral);
  const newcomerId = useStore(newcomer);
  if (session === null && code !== null) return <Invitation code={code} />;
  return session && session.id === newcomerId && <NextStep session={session} />;
}

const useReferralLookup = (code: string | null) =>
  useApi<ReferralLookup>(['/api', 'ref', encodeURIComponent(code ?? '')], { enabled: code !== null });

function Invitation({ code }: { code: string }) {
  const { data: lookup } = useReferralLookup(code);
  const known = lookup?.exists ? `${lookup.ownerUsername} invited you` : `The referral code ${code} is unknown`;
  return <Strip label="Your invitation">{lookup ? known : '\u00a0'}</Strip>;
}

/** Shown until the first purchase, but not to an account that cannot play, nor while a payment is on its way. */
function NextStep({ session }: { session: GamerSession }) {
  const { data: gamer } = useGamer();
  const isExcluded = useExclusion() !== null;
  const isReviewed = usePayments<PaymentInReview>('payments-in-review').data?.some(({ state }) => state === 'review');
  const isPaid = usePayments<OpenInvoice>('open-invoices').data?.some(({ status }) => status === 'confirming');
  const { tokenPriceCents } = useTerms();
  const leftCents = useProtection().data?.limitsInForce[0]?.leftCents ?? Number.POSITIVE_INFINITY;
  const isClosed = useCannotBuyText() !== null;
  usePageEvent('purchase:added', ({ buyerId }) => buyerId === session.id && newcomer.set(null));
  if (session.role !== 'gamer' || isExcluded || isReviewed || isPaid || leftCents < tokenPriceCents) return null;
  if (gamer === undefined) return <Strip label="Your next step">&nbsp;</Strip>;
  const play = isClosed ? 'Next: wait until the game is live.' : 'Next: buy a token while the game is live.';
  if (gamer.wallet.purchaseBalanceCents >= tokenPriceCents) return <Strip label="Your next step">{play}</Strip>;
  return (
    <Strip label="Your next step">
      {!session.isEmailConfirmed && `We mailed a link to ${session.email}: it confirms your email. `}
      Next: <PageLink className="linkish" to="/" hash="deposit" text="deposit crypto" />.
    </Strip>
  );
}

const Strip = ({ label, children }: { label: string; children: ReactNode }) => (
  <aside className="strip" aria-label={label}>
    {children}
  </aside>
);

export function useReferral() {
  const navigate = useNavigate();
  const code = useStore(referral);
  const { data: lookup, refetch: check } = useReferralLookup(code);
  const drop = () => {
    referral.set(null);
    void navigate({ to: '/', search: {}, replace: true, resetScroll: false });
  };
  return { code, lookup, check, drop };
}

export function Sponsor({ code, lookup, drop }: ReturnType<typeof useReferral>) {
  if (code === null || lookup === undefined) return null;
  const invited = (
    <>
      Invited by <b>{lookup.ownerUsername}</b>. Your place in the matrix will be below theirs.
    </>
  );
  const unknown = (
    <>
      This referral code doesn't exist: <b>{code}</b>. Ask for the link again, or{' '}
      <Button className="linkish" text="register without it" onClick={drop} />.
    </>
  );
  if (lookup.exists) return <Notice tone="plain" text={invited} />;
  return <Notice tone="bad" title="Referral code not found" text={unknown} />;
}
