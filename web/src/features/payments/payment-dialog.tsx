import { useState } from 'react';
import { SheetClock } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import type { OpenInvoice, Purpose } from './payment-rules.js';

const PaymentContent = lazy(() => import('./payment-content.js'), 'PaymentContent', 'the payment form', 5);

/**
 * The dialogs "Buy Omni Tokens" (pay with crypto) and "Deposit Crypto": a form, then the invoice that it created. The
 * invoice is kept while the dialog is closed, so that a gamer who returns to the game can find the address again.
 */
export function PaymentDialog({ purpose, open, onClose }: { purpose: Purpose; open: boolean; onClose: () => void }) {
  const [invoice, setInvoice] = useState<OpenInvoice | null>(null);
  const [heading, setHeading] = useState<string | null>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={heading ?? (purpose === 'deposit' ? 'Deposit Crypto' : 'Buy Omni Tokens')}
      above={purpose === 'tokens' && <SheetClock />}
    >
      <PaymentContent
        purpose={purpose}
        invoice={invoice}
        onInvoice={setInvoice}
        onHeading={setHeading}
        onClose={onClose}
      />
    </Dialog>
  );
}
