import { useEffect, useRef } from 'react';
import type { OpenInvoice, PaymentInReview, PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import type { RoundResponse } from '../../../../contracts/http/rounds.js';
import type { OrderId } from '../../../../contracts/ids.js';
import { get, useApi, useRefreshOn } from '../../shared/api/api-client.js';
import { useBoardPart } from '../../shared/board.js';
import { formatCents } from '../../shared/format.js';
import { ledgerMemory } from '../../shared/ledger/ledger-memory.js';
import { gamerQuery, useMyId, usePayments } from '../../shared/session.queries.js';
import { createStoredText, useStore } from '../../shared/store.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { scrollToNotice } from '../../shared/ui/go-to.js';
import { Notice } from '../../shared/ui/notice.js';
import { LoadFailure } from '../../shared/ui/query-result.js';
import { toast } from '../../shared/ui/toasts.js';
import { shownInvoices } from './payment-dialog.js';
import { isOver, type Purpose, STATUSES } from './payment-rules.js';

const lineTexts: Partial<Record<OpenInvoice['status'], string>> = {
  waiting: 'waiting for payment',
  confirming: 'on its way',
  expired: 'expired, do not send any more',
  failed: 'failed, do not send any more',
};

/** The gamer's payments that are not in the balance yet, and the reset of their last round. Often nothing. */
export default function MyPayments({ onShow }: { onShow: (purpose: Purpose) => void }) {
  const { data } = usePayments<OpenInvoice>('open-invoices');
  const reviewed = usePayments<PaymentInReview>('payments-in-review').data?.map(({ orderId }) => orderId);
  // The live message of a review refetches the reviews only.
  const invoices = data?.filter(({ orderId }) => !reviewed?.includes(orderId)) ?? [];
  useRefreshOn(gamerQuery(useMyId()).queryKey, ...(invoices.length > 0 ? (['balanceUpdated'] as const) : []));
  useOutcomeToasts(data);
  const show = (invoice: OpenInvoice) => {
    shownInvoices[invoice.purpose].set(invoice);
    onShow(invoice.purpose);
  };
  return (
    <>
      {invoices.length > 0 && (
        <ul className="col-span-full t14" aria-label="Open payments">
          {invoices.map((invoice) => {
            const amount = `${formatCents(invoice.totalCents)} in ${invoice.cryptoType}`;
            return (
              <li key={invoice.orderId}>
                <span>{`${amount}: ${lineTexts[invoice.status]} · `}</span>
                <Button className="linkish" text="show" aria-label={`Show ${amount}`} onClick={() => show(invoice)} />
              </li>
            );
          })}
        </ul>
      )}
      <PaymentsInReview />
      <ResetNotice />
    </>
  );
}

type ListedPayment = { orderId: OrderId | null; status?: OpenInvoice['status'] };

/** Shows the outcome of each invoice or payment that left its list while no dialog showed it. */
function useOutcomeToasts(listed: readonly ListedPayment[] | undefined): void {
  const before = useRef<readonly ListedPayment[]>([]);
  useEffect(() => {
    if (listed === undefined) return;
    const open = new Set(listed.map(({ orderId }) => orderId));
    const ended = before.current.filter(({ orderId, status }) => !(status && isOver(status)) && !open.has(orderId));
    before.current = listed;
    const watched = document.querySelector('[role=dialog]') && Object.values(shownInvoices).map((shown) => shown.get());
    for (const { orderId } of ended)
      if (orderId !== null && !watched?.some((invoice) => invoice?.orderId === orderId))
        toastOutcome(orderId).catch(() => undefined);
  }, [listed]);
}

async function toastOutcome(orderId: string): Promise<void> {
  const { status, message } = await get<PaymentStatusResponse>(['/api', 'payments', orderId]);
  const title = STATUSES[status].heading;
  if (title !== null) toast({ title, text: message ?? '', tone: status === 'settled' ? 'time' : 'bad' });
}

export function PaymentsInReview() {
  const { data, isError, refetch } = usePayments<PaymentInReview>('payments-in-review');
  useOutcomeToasts(data?.filter(({ state }) => state !== 'rejected'));
  if (data === undefined && isError)
    return <LoadFailure text="Your payments under review could not be loaded" onRetry={refetch} />;
  if (!data?.length) return null;
  return (
    <ul className="col-span-full grid gap-3" aria-label="Payments under review">
      {data.map((payment) => (
        <li key={payment.paymentId}>
          <Notice tone={REVIEWS[payment.state].tone} title={reviewTitle(payment)} text={<ReviewText {...payment} />} />
        </li>
      ))}
    </ul>
  );
}

const REVIEWS = {
  review: { tone: 'time', heading: 'under review' },
  refunded: { tone: 'time', heading: 'sent back' },
  rejected: { tone: 'bad', heading: 'rejected' },
} as const;

function reviewTitle({ state, amountCents, dueCents, cryptoType }: PaymentInReview): string {
  const due = dueCents === null || dueCents === amountCents ? '' : ` for ${formatCents(dueCents)}`;
  return `Payment ${REVIEWS[state].heading}: ${formatCents(amountCents)}${due} in ${cryptoType}`;
}

const ReviewText = ({ state, message, paymentId }: PaymentInReview) => (
  <>
    {state === 'review' && 'It is not in your purchase balance yet. '}
    {`${message} Payment number for support: ${paymentId}. `}
    {state === 'rejected' && <PageLink className="linkish" to="/" hash="support" text="Contact Support" />}
  </>
);

const resetSeen = createStoredText('omni.reset-seen');

/** The admin's reset of the last round in which the gamer bought on this browser, until it is read. */
function ResetNotice() {
  const myId = useMyId();
  const { receipts } = useStore(ledgerMemory);
  const roundId = receipts.find(({ receipt }) => receipt.gamerId === myId)?.receipt.roundId ?? null;
  const isRunning = useBoardPart((board) => board.roundId === roundId) ?? true;
  const seen = useStore(resetSeen);
  const { data: round } = useApi<RoundResponse>(['/api', 'rounds', roundId ?? 0], {
    enabled: roundId !== null && !isRunning,
  });
  if (round?.state !== 'reset' || seen === `${roundId}`) return null;
  const text = (
    <>
      Reason: {round.resetReason || 'none given'}. Your tokens are spent, and the jackpot goes into the next round.{' '}
      <PageLink className="linkish" to="/record" text="Public record" />{' '}
      <Button className="linkish" text="Dismiss" onClick={() => resetSeen.set(`${roundId}`)} />
    </>
  );
  return (
    <div className="col-span-full" ref={scrollToNotice}>
      <Notice tone="time" title={`The admin reset round ${roundId}.`} text={text} urgent />
    </div>
  );
}
