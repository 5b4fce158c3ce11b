import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect } from 'react';
import { COINS, type CryptoType, paymentUri } from '../../../../contracts/crypto.js';
import type { PaymentStatusResponse } from '../../../../contracts/http/payments.js';
import { formatCents } from '../../../../contracts/money.js';
import { copyText } from '../../shared/ui/copy.js';
import { Notice } from '../../shared/ui/notice.js';
import type { OpenInvoice } from './payment-dialog.js';
import { coinText, paymentHeading, paymentSteps } from './payment-steps.js';
import { usePayment } from './payments.queries.js';

interface PaymentWaitingProps {
  invoice: OpenInvoice;
  onHeading: (heading: string | null) => void;
  onAgain: () => void;
  onClose: () => void;
}

/** The code, the address, the amount, each to be copied alone; and how far the payment has come. */
export function PaymentWaiting({ invoice, onHeading, onAgain, onClose }: PaymentWaitingProps) {
  const payment = usePayment(invoice.orderId);
  const status = payment.data?.status ?? 'waiting';
  const isOpen = status === 'waiting' || status === 'confirming';
  useEffect(() => {
    onHeading(paymentHeading(status));
    return () => onHeading(null);
  }, [onHeading, status]);
  return (
    <>
      {status === 'waiting' && <WhereToSend invoice={invoice} />}
      <div role="status" className="grid gap-4">
        {payment.data && <Progress payment={payment.data} />}
        {payment.data === undefined && payment.isPending && (
          <p className="t14 dim">Asking the payment service how far it is…</p>
        )}
        {payment.isError && (
          <Notice tone="bad" title="The status could not be asked for.">
            What you send is credited all the same. We ask again every few seconds.
          </Notice>
        )}
      </div>
      {status === 'waiting' && !invoice.pageOpened && (
        <Notice tone="plain" title="Your browser did not open the payment page.">
          Open it with the link below, or pay from your wallet with the code above.
        </Notice>
      )}
      <div className="actions">
        {isOpen && (
          <a className="btn btn--line" href={invoice.payment_url} target="_blank" rel="noopener noreferrer">
            Open payment page
          </a>
        )}
        {!isOpen && (
          <button type="button" className="btn btn--line" onClick={onAgain}>
            New payment
          </button>
        )}
        <button type="button" className="btn btn--text" onClick={onClose}>
          {status === 'waiting' ? 'Close, I have sent it' : 'Close'}
        </button>
      </div>
      {status === 'waiting' && (
        <p className="t14 dim">
          Send the exact amount. A wrong crypto deposit amount means a 24-72 hour manual review.{' '}
          <button type="button" className="linkish" onClick={onAgain}>
            Choose another coin or amount
          </button>
        </p>
      )}
    </>
  );
}

function WhereToSend({ invoice }: { invoice: OpenInvoice }) {
  const { cryptoType, payAddress, payAmount } = invoice;
  const { name } = COINS[cryptoType];
  return (
    <div className="pay">
      <div className="qr">
        <QRCodeSVG
          value={paymentUri(cryptoType, payAddress, payAmount)}
          title={qrTitle(cryptoType)}
          size={240}
          marginSize={3}
          level="M"
          bgColor="#f8f1e7"
          fgColor="#120c14"
        />
      </div>
      <Copyable label="Amount" text={payAmount} shown={coinText(payAmount, cryptoType)} what="amount">
        {formatCents(invoice.totalCents)}
      </Copyable>
      <Copyable label={`${name} address`} text={payAddress} shown={payAddress} what="address" />
    </div>
  );
}

/** Wallets have no common way to read an amount for TRX: its code is the bare address (docs of the coins, contracts). */
const qrTitle = (coin: CryptoType): string =>
  coin === 'TRX'
    ? `QR code with the ${COINS[coin].name} address`
    : `QR code with the ${COINS[coin].name} address and amount`;

function Copyable({
  label,
  text,
  shown,
  what,
  children,
}: {
  label: string;
  text: string;
  shown: string;
  what: string;
  children?: string;
}) {
  return (
    <div className="field">
      <p className="flabel">
        {label} {children !== undefined && <span className="dim num">{children}</span>}
      </p>
      <div className="copyrow">
        <span className="code">{shown}</span>
        <button
          type="button"
          className="btn btn--line"
          aria-label={`Copy ${what}`}
          onClick={() => void copyText(text, `The ${what} is on the clipboard.`)}
        >
          <Copy size={18} aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}

function Progress({ payment }: { payment: PaymentStatusResponse }) {
  const { purpose, status, message } = payment;
  if (status === 'expired') {
    return (
      <Notice tone="bad" title="This payment has expired.">
        {message ?? 'Do not send to its address any more. What was sent before is still credited.'}
      </Notice>
    );
  }
  return (
    <>
      <ol className="steps">
        {paymentSteps(purpose, status).map(({ text, state }) => (
          <li key={text} className={`is-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
            <i aria-hidden="true" />
            {text}
            {state === 'done' && <span className="sr">, done</span>}
          </li>
        ))}
      </ol>
      {status === 'review' && (
        <Notice tone="time" title="A person is looking at this payment.">
          {message ?? 'A wrong crypto deposit amount means a 24-72 hour manual review.'}
        </Notice>
      )}
      {status === 'settled' && (
        <Notice tone="plain" title="Payment received.">
          {message ?? 'It is credited.'}
        </Notice>
      )}
      {status !== 'review' && status !== 'settled' && message !== null && <p className="t14 dim">{message}</p>}
    </>
  );
}
