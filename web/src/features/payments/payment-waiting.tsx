import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useLayoutEffect } from 'react';
import { COINS, paymentUri } from '../../../../contracts/crypto.js';
import type { PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import type { OrderId } from '../../../../contracts/ids.js';
import { formatCents } from '../../../../contracts/money.js';
import { useApi } from '../../shared/api/use-api.js';
import { gamerQuery, useSession } from '../../shared/session.queries.js';
import { Button } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { copyText } from '../../shared/ui/toasts.js';
import {
  coinText,
  isOpen,
  isOver,
  type OpenInvoice,
  paymentHeadings,
  paymentSteps,
  type ShownProgress,
} from './payment-rules.js';

interface PaymentWaitingProps {
  invoice: OpenInvoice;
  onProgress: (progress: ShownProgress | null) => void;
  onAgain: () => void;
  onSupport: () => void;
  onClose: () => void;
}

export function PaymentWaiting({ invoice, onProgress, onAgain, onSupport, onClose }: PaymentWaitingProps) {
  const payment = usePayment(invoice.orderId);
  const status = payment.data?.status ?? 'waiting';
  const isUnderWay = isOpen(status);
  const heading = paymentHeadings[status] ?? `Send ${coinText(invoice.payAmount, invoice.cryptoType)}`;
  useLayoutEffect(() => {
    onProgress({ heading, isOpen: isUnderWay });
    return () => onProgress(null);
  }, [onProgress, heading, isUnderWay]);
  return (
    <>
      {status === 'waiting' && <WhereToSend invoice={invoice} />}
      <div role="status" className="grid gap-4">
        {payment.data && <Progress payment={payment.data} />}
        {payment.data === undefined && payment.isPending && <p className="t14 dim">Checking the payment…</p>}
        {payment.isError && (
          <Notice
            tone="bad"
            title="The status could not be loaded."
            text="Your payment will be credited all the same. We check again every few seconds."
          />
        )}
      </div>
      {status === 'waiting' && !invoice.pageOpened && (
        <Notice
          tone="plain"
          title="Your browser did not open the payment page."
          text="Open it with the link below, or pay from your wallet with the code above."
        />
      )}
      <div className="actions">
        {isUnderWay && (
          <a className="btn btn--line" href={invoice.payment_url} target="_blank" rel="noopener noreferrer">
            Open payment page
          </a>
        )}
        {status === 'rejected' && <Button kind="act" text="Contact Support" onClick={onSupport} />}
        {!isUnderWay && <Button text="New payment" onClick={onAgain} />}
        <Button kind="text" text={status === 'waiting' ? 'Close, I have sent it' : 'Close'} onClick={onClose} />
      </div>
      {status === 'waiting' && (
        <p className="t14 dim">
          Send the exact amount. A wrong crypto deposit amount means a 24-72 hour manual review.{' '}
          <Button className="linkish" text="Choose another coin or amount" onClick={onAgain} />
        </p>
      )}
    </>
  );
}

/** A live message usually reports the payment first. Polling covers a lost callback. */
const POLLED_EVERY_MS = 5_000;

/** Polls a payment's status until it is final. Refetches the gamer's balance once the payment is settled. */
function usePayment(orderId: OrderId) {
  const client = useQueryClient();
  const gamerId = useSession()?.id;
  const payment = useApi<PaymentStatusResponse>(['/api', 'payments', orderId], {
    refreshOn: 'balanceUpdated',
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : POLLED_EVERY_MS),
  });
  const isSettled = payment.data?.status === 'settled';
  useEffect(() => {
    if (isSettled && gamerId !== undefined) void client.invalidateQueries({ queryKey: gamerQuery(gamerId).queryKey });
  }, [client, isSettled, gamerId]);
  return payment;
}

function WhereToSend({ invoice }: { invoice: OpenInvoice }) {
  const { cryptoType, payAddress, payAmount } = invoice;
  const coinName = COINS[cryptoType].name;
  return (
    <div className="pay">
      <div className="qr">
        <QRCodeSVG
          value={paymentUri(cryptoType, payAddress, payAmount)}
          // The QR code of a TRX payment holds the bare address only (see paymentUri).
          title={`QR code with the ${coinName} address${cryptoType === 'TRX' ? '' : ' and amount'}`}
          size={240}
          marginSize={3}
          level="M"
          bgColor="#f8f1e7"
          fgColor="#120c14"
        />
      </div>
      <Copyable
        name="amount"
        label="Amount"
        note={formatCents(invoice.totalCents)}
        text={coinText(payAmount, cryptoType)}
        copied={payAmount}
      />
      <Copyable name="address" label={`${coinName} address`} text={payAddress} copied={payAddress} />
    </div>
  );
}

interface CopyableProps {
  name: string;
  label: string;
  note?: string;
  text: string;
  copied: string;
}

function Copyable({ name, label, note, text, copied }: CopyableProps) {
  return (
    <div className="field">
      <p className="flabel">
        {label} {note !== undefined && <span className="dim num">{note}</span>}
      </p>
      <div className="copyrow">
        <span className="code">{text}</span>
        <Button
          icon={Copy}
          aria-label={`Copy ${name}`}
          onClick={() => void copyText(copied, `The ${name} is on the clipboard.`)}
        />
      </div>
    </div>
  );
}

type ProgressNotice = { tone: 'bad' | 'time' | 'plain'; title: string; text: string };

/** The texts hold when the server sent no message. */
const progressNotices: Partial<Record<PaymentStatusResponse['status'], ProgressNotice>> = {
  expired: {
    tone: 'bad',
    title: 'This payment has expired.',
    text: 'Please do not send to this address any more. Coins that you have already sent will still be credited.',
  },
  review: {
    tone: 'time',
    title: 'Someone is reviewing this payment.',
    text: 'A wrong crypto deposit amount means a 24-72 hour manual review.',
  },
  rejected: {
    tone: 'bad',
    title: 'This payment was rejected.',
    text: 'This payment was not credited. Please contact support.',
  },
  settled: { tone: 'plain', title: 'Payment received.', text: 'It has been credited.' },
};

function Progress({ payment }: { payment: PaymentStatusResponse }) {
  const { status, message } = payment;
  const notice = progressNotices[status];
  return (
    <>
      {status !== 'expired' && status !== 'rejected' && (
        <ol className="steps">
          {paymentSteps(payment).map(({ text, state }) => (
            <li key={text} className={`is-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
              <i aria-hidden="true" />
              {text}
              {state === 'done' && <span className="sr">, done</span>}
            </li>
          ))}
        </ol>
      )}
      {notice && <Notice {...notice} text={message ?? notice.text} />}
      {!notice && message !== null && <p className="t14 dim">{message}</p>}
    </>
  );
}
