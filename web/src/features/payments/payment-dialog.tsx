import { useState } from 'react';
import { SheetClock } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import type { OpenInvoice, Purpose, ShownProgress } from './payment-rules.js';

const PaymentContent = lazy(() => import('./payment-content.js'), 'PaymentContent', 'the payment form', 5);

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
  const leave = (next: () => void) => () => {
    if (progress?.isOpen === false) setInvoice(null);
    next();
  };
  return (
    <Dialog
      open={open}
      onClose={leave(onClose)}
      title={progress?.heading ?? (purpose === 'deposit' ? 'Deposit Crypto' : 'Buy Omni Tokens')}
      above={purpose === 'tokens' && <SheetClock />}
    >
      <PaymentContent
        purpose={purpose}
        invoice={invoice}
        onInvoice={setInvoice}
        onProgress={setProgress}
        onSupport={leave(onSupport)}
        onClose={leave(onClose)}
      />
    </Dialog>
  );
}
