import { DepositForm } from './deposit-form.js';
import { InvoiceForm } from './invoice-form.js';
import type { PaymentRoomProps } from './payment-dialog.js';
import { PaymentWaiting } from './payment-waiting.js';
import './payments.css';

/** The form, or the invoice it made. */
export function PaymentRoom({ purpose, invoice, onInvoice, onHeading, onClose }: PaymentRoomProps) {
  if (invoice !== null)
    return <PaymentWaiting invoice={invoice} onHeading={onHeading} onAgain={() => onInvoice(null)} onClose={onClose} />;
  return purpose === 'deposit' ? <DepositForm onInvoice={onInvoice} /> : <InvoiceForm onInvoice={onInvoice} />;
}
