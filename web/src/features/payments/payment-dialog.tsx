import { useState } from 'react';
import type { InvoiceResponse, PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import { SheetClock } from '../../shared/tokens/sheet-clock.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Late, latePart } from '../../shared/ui/late.js';
import { coinText } from './payment-steps.js';

/** An invoice that was made and waits for its money. */
export interface OpenInvoice extends InvoiceResponse {
  /** False when the browser would not open the payment page by itself. */
  pageOpened: boolean;
}

export interface PaymentRoomProps {
  purpose: PaymentStatusResponse['purpose'];
  invoice: OpenInvoice | null;
  onInvoice: (invoice: OpenInvoice | null) => void;
  /** What has become of it, over the dialog; null while it waits for its money. */
  onHeading: (heading: string | null) => void;
  onClose: () => void;
}

const paymentRoom = latePart<PaymentRoomProps>(() => import('./payment-room.js').then((module) => module.PaymentRoom), {
  label: 'Loading the payment form',
  rows: 5,
});

interface PaymentDialogProps {
  purpose: PaymentStatusResponse['purpose'];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * Buy Omni Tokens (pay with crypto), and Deposit Crypto: a form, then the invoice it made. The invoice is kept while the
 * dialog is closed, so that a gamer who looks at the game meanwhile finds the address again.
 */
export function PaymentDialog({ purpose, open, onOpenChange }: PaymentDialogProps) {
  const [invoice, setInvoice] = useState<OpenInvoice | null>(null);
  const [heading, setHeading] = useState<string | null>(null);
  const title =
    invoice !== null
      ? (heading ?? `Send ${coinText(invoice.payAmount, invoice.cryptoType)}`)
      : purpose === 'deposit'
        ? 'Deposit Crypto'
        : 'Buy Omni Tokens';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      {...(purpose === 'tokens' ? { above: <SheetClock /> } : {})}
    >
      <Late
        part={paymentRoom}
        props={{ purpose, invoice, onInvoice: setInvoice, onHeading: setHeading, onClose: () => onOpenChange(false) }}
      />
    </Dialog>
  );
}
