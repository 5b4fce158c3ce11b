import { useEffect, useState } from 'react';
import { createStore, useStore } from '../../shared/store.js';
import { ROUND_OVER, RoundOver, SheetClock, useRoundOver } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import type { Purpose, ShownInvoice } from './payment-rules.js';

const PaymentContent = lazy(() => import('./payment-content.js'), 'PaymentContent', 'the payment form', 5);

const TITLES: Record<Purpose, string> = { deposit: 'Deposit Crypto', tokens: 'Buy Omni Tokens' };

/** The invoice that each dialog shows, else its form. */
export const shownInvoices = {
  tokens: createStore<ShownInvoice | null>(null),
  deposit: createStore<ShownInvoice | null>(null),
};

interface PaymentDialogProps {
  purpose: Purpose;
  open: boolean;
  onClose: () => void;
  onDeposit: () => void;
  onSupport: () => void;
}

/**
 * The dialogs "Buy Omni Tokens" (pay with crypto) and "Deposit Crypto": a form, then the invoice that it created. Closing one
 * leaves its invoice, which the page lists while it is open.
 */
export function PaymentDialog({ purpose, open, onClose, onDeposit, onSupport }: PaymentDialogProps) {
  const shown = shownInvoices[purpose];
  const invoice = useStore(shown);
  // The next gamer of this page must not see it.
  useEffect(() => () => shown.set(null), [shown]);
  const [heading, setHeading] = useState<string | null>(null);
  const { isRoundOver, wasOpen } = useRoundOver(open);
  const isOver = isRoundOver && purpose === 'tokens' && invoice === null;
  const leave = (next: () => void) => () => {
    shown.set(null);
    next();
  };
  return (
    <Dialog
      open={open}
      onClose={leave(onClose)}
      title={heading ?? (isOver && wasOpen ? ROUND_OVER : TITLES[purpose])}
      above={purpose === 'tokens' && <SheetClock />}
    >
      {isOver ? (
        <RoundOver wasOpen={wasOpen} onClose={onClose} />
      ) : (
        <PaymentContent
          purpose={purpose}
          invoice={invoice}
          onInvoice={shown.set}
          onHeading={setHeading}
          onDeposit={onDeposit}
          onSupport={leave(onSupport)}
          onClose={leave(onClose)}
        />
      )}
    </Dialog>
  );
}
