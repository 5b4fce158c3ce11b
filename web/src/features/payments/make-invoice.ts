import type { InvoiceResponse, PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import { announce } from '../../shared/ui/announcer.js';
import { toast } from '../../shared/ui/toasts.js';
import type { OpenInvoice } from './payment-dialog.js';
import { paymentFailure } from './payment-failure.js';
import { openPaymentPage, paymentPageUrl } from './payment-page.js';
import { coinText } from './payment-steps.js';

/** Has an invoice made, opens its page, and says what went wrong otherwise. */
export function makeInvoice(purpose: PaymentStatusResponse['purpose'], onInvoice: (invoice: OpenInvoice) => void) {
  return async (create: () => Promise<InvoiceResponse>): Promise<string | null> => {
    try {
      const invoice = await create();
      if (paymentPageUrl(invoice.payment_url) === null) throw new NoPaymentPage();
      announce(`Send ${coinText(invoice.payAmount, invoice.cryptoType)} to the address shown`);
      onInvoice({ ...invoice, pageOpened: openPaymentPage(invoice.payment_url) });
      return null;
    } catch (error) {
      const failure =
        error instanceof NoPaymentPage
          ? { title: 'Error', text: 'Failed to create payment link' }
          : paymentFailure(error, purpose);
      toast({ ...failure, tone: 'bad' });
      return failure.text;
    }
  };
}

class NoPaymentPage extends Error {}
