import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { InvoiceResponse, PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import { useApi } from '../../shared/api/api-client.js';
import { gamerQuery, PAYMENTS_POLLED_EVERY_MS, useMyId } from '../../shared/session.queries.js';
import { createStore, useStore } from '../../shared/store.js';
import { ROUND_OVER, RoundOver, SheetClock, useRoundOver } from '../../shared/tokens/order-parts.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import { coinText, isOver, PURPOSES, type Purpose, STATUSES } from './payment-rules.js';

const PaymentContent = lazy(() => import('./payment-content.js'), 'the payment form', 5);

/** The invoice that each dialog shows, else its form. */
export const shownInvoices = {
  tokens: createStore<InvoiceResponse | null>(null),
  deposit: createStore<InvoiceResponse | null>(null),
};

interface PaymentDialogProps {
  purpose: Purpose;
  open: boolean;
  onClose: () => void;
  onDeposit: () => void;
}

/** A form, then the invoice that it created. Closing the dialog leaves the invoice, which the page lists while it is open. */
export default function PaymentDialog({ purpose, open, onClose, onDeposit }: PaymentDialogProps) {
  const shown = shownInvoices[purpose];
  const invoice = useStore(shown);
  // Neither the next opening nor the next gamer of this page shows the invoice again.
  useEffect(() => {
    if (!open) shown.set(null);
  }, [open, shown]);
  const orderId = invoice?.orderId ?? null;
  const payment = useApi<PaymentStatusResponse>(['/api', 'payments', orderId ?? ''], {
    enabled: orderId !== null,
    refreshOn: ['balanceUpdated'],
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : PAYMENTS_POLLED_EVERY_MS),
  });
  const client = useQueryClient();
  const myId = useMyId();
  const isSettled = payment.data?.status === 'settled';
  useEffect(() => {
    if (isSettled) void client.invalidateQueries({ queryKey: gamerQuery(myId).queryKey });
  }, [client, isSettled, myId]);
  const { isRoundOver, wasOpen } = useRoundOver(open);
  const isClosed = isRoundOver && purpose === 'tokens' && invoice === null;
  const formTitle = isClosed && wasOpen ? ROUND_OVER : PURPOSES[purpose].title;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={invoice === null ? formTitle : headingOf(invoice, payment.data)}
      above={purpose === 'tokens' && <SheetClock />}
    >
      {isClosed ? (
        <RoundOver wasOpen={wasOpen} onClose={onClose} />
      ) : (
        <PaymentContent
          purpose={purpose}
          invoice={invoice}
          onInvoice={shown.set}
          payment={payment}
          onDeposit={onDeposit}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

const headingOf = ({ payAmount, cryptoType }: InvoiceResponse, payment: PaymentStatusResponse | undefined): string =>
  STATUSES[payment?.status ?? 'waiting'].heading ?? `Send ${coinText(payAmount, cryptoType)}`;
