import { useState } from 'react';
import type { PaymentInReview } from '../../../../contracts/http/payments.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { useApi } from '../../shared/api/use-api.js';
import { ROUND_OVER, RoundOver, SheetClock, useIsRoundOver } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import { LoadFailure, Notice } from '../../shared/ui/notice.js';
import type { OpenInvoice, Purpose, ShownProgress } from './payment-rules.js';

const PaymentContent = lazy(() => import('./payment-content.js'), 'PaymentContent', 'the payment form', 5);

const TITLES: Record<Purpose, string> = { deposit: 'Deposit Crypto', tokens: 'Buy Omni Tokens' };

interface PaymentDialogProps {
  purpose: Purpose;
  open: boolean;
  onClose: () => void;
  onSupport: () => void;
}

/**
 * The dialogs "Buy Omni Tokens" (pay with crypto) and "Deposit Crypto": a form, then the invoice that it created. The
 * invoice is kept while the dialog is closed, so that a gamer who returns to the game can find the address again. A
 * receipt that the gamer has seen is not kept.
 */
export function PaymentDialog({ purpose, open, onClose, onSupport }: PaymentDialogProps) {
  const [invoice, setInvoice] = useState<OpenInvoice | null>(null);
  const [progress, setProgress] = useState<ShownProgress | null>(null);
  const isRoundOver = useIsRoundOver();
  const isOver = isRoundOver && purpose === 'tokens' && invoice === null;
  const leave = (next: () => void) => () => {
    if (progress?.isOpen === false) setInvoice(null);
    next();
  };
  return (
    <Dialog
      open={open}
      onClose={leave(onClose)}
      title={progress?.heading ?? (isOver ? ROUND_OVER : TITLES[purpose])}
      above={purpose === 'tokens' && <SheetClock />}
    >
      {isOver ? (
        <RoundOver onClose={onClose} />
      ) : (
        <PaymentContent
          purpose={purpose}
          invoice={invoice}
          onInvoice={setInvoice}
          onProgress={setProgress}
          onSupport={leave(onSupport)}
          onClose={leave(onClose)}
        />
      )}
    </Dialog>
  );
}

/** A rejection sends no live message, because its event does not name the gamer. */
const POLLED_EVERY_MS = 30_000;

/** The gamer's payments that arrived and wait for the admin, so that their money is not lost from sight. Often none. */
export function PaymentsInReview({ gamerId }: { gamerId: GamerId }) {
  // Live messages about the gamer's money refetch this key, because it begins with the profile's key.
  const { data, isError, refetch } = useApi<PaymentInReview[]>(['/api', 'gamer', gamerId, 'payments-in-review'], {
    refetchInterval: ({ state }) => (state.data?.length ? POLLED_EVERY_MS : false),
  });
  if (data === undefined && isError)
    return <LoadFailure text="Your payments under review could not be loaded" onRetry={refetch} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <ul className="col-span-full grid gap-3" aria-label="Payments under review">
      {data.map(({ paymentId, amountCents, cryptoType, isRefunded, message }) => (
        <li key={paymentId}>
          <Notice
            tone="time"
            title={`Payment ${isRefunded ? 'sent back' : 'under review'}: ${formatCents(amountCents)} in ${cryptoType}`}
            text={isRefunded ? message : `It is not in your purchase balance yet. ${message}`}
          />
        </li>
      ))}
    </ul>
  );
}
