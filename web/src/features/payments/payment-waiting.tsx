import type { UseQueryResult } from '@tanstack/react-query';
import { COINS, paymentUri } from '../../../../contracts/crypto.js';
import type * as http from '../../../../contracts/http/payments.js';
import { runningRound, useBoardPart } from '../../shared/board.js';
import { formatCents } from '../../shared/format.js';
import { Copyable } from '../../shared/ui/admin-parts.js';
import { Button, PageLink } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import QrCode from '../../shared/ui/qr-code.js';
import * as rules from './payment-rules.js';

export interface PaymentWaitingProps {
  invoice: http.InvoiceResponse;
  payment: UseQueryResult<http.PaymentStatusResponse>;
  onAgain: () => void;
  onClose: () => void;
}

export function PaymentWaiting({ invoice, payment, onAgain, onClose }: PaymentWaitingProps) {
  const status = payment.data?.status ?? 'waiting';
  const isUnderWay = status === 'waiting' || status === 'confirming';
  const liveRoundId = useBoardPart(runningRound);
  const isTooLate = rules.isTooLate(invoice, liveRoundId);
  return (
    <>
      {status === 'waiting' && <WhereToSend invoice={invoice} />}
      <div role="status" className="grid gap-4">
        {payment.data && <Progress payment={payment.data} isTooLate={isTooLate} />}
        {isUnderWay && isTooLate && (
          <Notice tone="time" title="The round is over: a payment now goes to your purchase balance." />
        )}
        {payment.data === undefined && payment.isPending && <p className="t14 dim">Checking the payment…</p>}
        {payment.isError && (
          <Notice
            tone="bad"
            title="The status could not be loaded."
            text="Your payment will be credited all the same. We check again every few seconds."
          />
        )}
      </div>
      <div className="actions">
        {isUnderWay && (
          <a className="btn btn--line" href={invoice.payment_url} target="_blank" rel="noopener noreferrer">
            Open payment page
          </a>
        )}
        {status === 'rejected' && <PageLink className="btn btn--act" to="/" hash="support" text="Contact Support" />}
        {!isUnderWay && <Button text="New payment" onClick={onAgain} />}
        {status === 'settled' && <Button kind="act" text="Done" onClick={onClose} />}
        {status !== 'settled' && (
          <Button kind="text" text={status === 'waiting' ? 'Close, I have sent it' : 'Close'} onClick={onClose} />
        )}
      </div>
      {(status === 'waiting' || status === 'rejected') && (
        <p className="t14 dim">
          {`Payment number for support: ${invoice.paymentId}. `}
          {status === 'waiting' && (
            <Button className="linkish" text="Choose another coin or amount" onClick={onAgain} />
          )}
        </p>
      )}
    </>
  );
}

function Progress({ payment, isTooLate }: { payment: http.PaymentStatusResponse; isTooLate: boolean }) {
  const { status, message, credited } = payment;
  const { notice } = rules.STATUSES[status];
  return (
    <>
      {(status === 'settled' || !rules.isOver(status)) && (
        <ol className="steps">
          {rules
            .paymentSteps({ ...payment, credited: credited ?? (isTooLate ? 'balance' : null) })
            .map(({ text, state }) => (
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

function WhereToSend({ invoice }: Pick<PaymentWaitingProps, 'invoice'>) {
  const { cryptoType, payAddress, payAmount } = invoice;
  const { name: coinName, uriScheme } = COINS[cryptoType];
  return (
    <div className="pay">
      <div className="field">
        <p className="flabel">
          Amount <span className="dim num">{formatCents(invoice.totalCents)}</span>
        </p>
        <Copyable className="copyrow" noun="amount" text={rules.coinText(payAmount, cryptoType)} copied={payAmount} />
      </div>
      <div className="field">
        <p className="flabel">{coinName} address</p>
        <Copyable className="copyrow" noun="address" text={payAddress} />
      </div>
      <Notice tone="time" title="Send the exact amount." text={rules.WRONG_AMOUNT} />
      <div className="qr">
        <QrCode
          value={paymentUri(cryptoType, payAddress, payAmount)}
          title={`QR code with the ${coinName} address${uriScheme === null ? '' : ' and amount'}`}
          size={240}
        />
      </div>
    </div>
  );
}
