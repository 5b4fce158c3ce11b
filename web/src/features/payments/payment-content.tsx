import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { COINS, CRYPTO_TYPES, type CryptoType, paymentUri } from '../../../../contracts/crypto.js';
import type {
  CoinMinimumsResponse,
  CreateDepositInvoiceRequest,
  CreateInvoiceRequest,
  InvoiceResponse,
  PaymentStatusResponse,
} from '../../../../contracts/http/payments.js';
import { DEPOSIT_FEE_PERCENT, MIN_DEPOSIT_DOLLARS } from '../../../../contracts/limits.js';
import { depositTotalCents, formatCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { useApi } from '../../shared/api/use-api.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useCannotBuy, useTerms } from '../../shared/board.js';
import { addedText, counted } from '../../shared/format.js';
import { gamerQuery, useSession } from '../../shared/session.queries.js';
import { LimitLeft, QuantityField } from '../../shared/tokens/order-fields.js';
import { orderOf } from '../../shared/tokens/quantity.js';
import { Button, Field, Form, Sum } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { CoinPicker } from '../../shared/ui/payout-fields.js';
import { announce, copyText, toast, toastProblem } from '../../shared/ui/toasts.js';
import {
  clampedDeposit,
  coinProblem,
  coinText,
  depositOf,
  fewestDollars,
  fewestTokens,
  isOpen,
  isOver,
  notLoggedIn,
  type Purpose,
  paymentFailure,
  paymentHeadings,
  paymentPageUrl,
  paymentSteps,
  type ShownInvoice,
  startingCoin,
} from './payment-rules.js';
import './payments.css';
import { useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import type { OrderId } from '../../../../contracts/ids.js';

interface PaymentContentProps {
  purpose: Purpose;
  invoice: ShownInvoice | null;
  onInvoice: (invoice: ShownInvoice | null) => void;
  /** Gives the dialog the payment's heading; null when the form is shown again. */
  onHeading: (heading: string | null) => void;
  onDeposit: () => void;
  onSupport: () => void;
  onClose: () => void;
}

export function PaymentContent({ purpose, invoice, onInvoice, onDeposit, ...waiting }: PaymentContentProps) {
  if (invoice !== null) return <PaymentWaiting invoice={invoice} onAgain={() => onInvoice(null)} {...waiting} />;
  if (purpose === 'deposit') return <DepositForm onInvoice={onInvoice} />;
  return <InvoiceForm onInvoice={onInvoice} onDeposit={onDeposit} />;
}

type OnInvoice = (invoice: ShownInvoice) => void;

/**
 * The coin of a payment, and the coins' minimums, which are the gateway's and change: until they are known, there is none.
 * `minimumText` gives a minimum as the form asks for it, so that the form names one minimum only.
 */
function useCoin(cents: number, minimumText: (minimumCents: number) => string) {
  const [picked, setCoin] = useState<CryptoType | null>(null);
  const path = ['/api', 'coin-minimums'] as const;
  const { data: minimums } = useApi<CoinMinimumsResponse>(path, { staleTime: MINIMUMS_KEPT_MS });
  const coin = picked ?? (minimums ? startingCoin(minimums, cents) : CRYPTO_TYPES[0]);
  const hasMinimums = minimums && Object.values(minimums).some((minimumCents) => minimumCents > 0);
  const noteOf = hasMinimums ? (each: CryptoType) => `from ${minimumText(minimums[each])}` : undefined;
  return { coin, setCoin, noteOf, minimumCents: minimums?.[coin] ?? 0 };
}

const MINIMUMS_KEPT_MS = 60_000;

function InvoiceForm({ onInvoice, onDeposit }: { onInvoice: OnInvoice; onDeposit: () => void }) {
  const closed = useCannotBuy();
  const { tokenPriceCents, tokenExtensionSeconds } = useTerms();
  const [typed, setText] = useState<string | null>(null);
  const { coin, setCoin, noteOf, minimumCents } = useCoin(tokenPriceCents, formatCents);
  const text = typed ?? `${fewestTokens(minimumCents, tokenPriceCents)}`;
  const { quantity, costCents, problem } = orderOf(text, tokenPriceCents, null);
  const coinError = problem === null ? coinProblem(coin, costCents, minimumCents, tokenPriceCents) : null;
  const seconds = (quantity ?? 0) * tokenExtensionSeconds;
  return (
    <PaymentForm<CreateInvoiceRequest>
      purpose="tokens"
      path="/api/create-invoice"
      body={{ quantity: quantity ?? 0, currency: coin }}
      closed={closed}
      problem={problem ?? coinError}
      belowMinimum={coinError !== null}
      onInvoice={onInvoice}
      onDeposit={onDeposit}
      footnote="Your tokens are bought when the network confirms the payment, which takes minutes. If the round is over by then, its full value goes to your purchase balance. A wrong amount means a 24-72 hour manual review."
    >
      <QuantityField text={text} onChange={setText} problem={problem} />
      <LimitLeft kinds={['spending', 'loss', 'deposits']} cents={costCents} />
      <CoinPicker value={coin} onChange={setCoin} noteOf={noteOf} error={coinError} />
      <Sum
        rows={[
          [`${counted(quantity ?? 0, 'token')} at ${formatCents(tokenPriceCents)}`, formatCents(costCents)],
          ['On the clock', addedText(seconds), 'time'],
          [`You pay in ${coin}`, formatCents(costCents), 'total'],
        ]}
      />
    </PaymentForm>
  );
}

const FIRST_OFFER_DOLLARS = '20';
const depositMinimum = (minimumCents: number): string => `$${fewestDollars(minimumCents)}`;

function DepositForm({ onInvoice }: { onInvoice: OnInvoice }) {
  const smallestCents = depositTotalCents(MIN_DEPOSIT_DOLLARS * 100);
  const { coin, setCoin, noteOf, minimumCents } = useCoin(smallestCents, depositMinimum);
  const [text, setText] = useState(FIRST_OFFER_DOLLARS);
  /** Why leaving the field changed the amount. It refuses one press, so that nobody pays an amount they have not read. */
  const [clamped, setClamped] = useState<{ why: string; isAnnounced: boolean } | null>(null);
  const order = depositOf(text);
  const problem = order.problem ?? (clamped?.isAnnounced ? null : (clamped?.why ?? null));
  const coinError = problem === null ? coinProblem(coin, order.totalCents, minimumCents, null) : null;
  return (
    <PaymentForm<CreateDepositInvoiceRequest>
      purpose="deposit"
      path="/api/create-deposit-invoice"
      body={{ amount: order.dollars ?? 0, currency: coin }}
      problem={problem ?? coinError}
      belowMinimum={coinError !== null || problem === refusalText({ code: 'deposit-below-minimum' })}
      onSubmit={() => setClamped(clamped && { ...clamped, isAnnounced: true })}
      onInvoice={onInvoice}
      footnote="Send the exact amount. A wrong crypto deposit amount means a 24-72 hour manual review."
    >
      <CoinPicker value={coin} onChange={setCoin} noteOf={noteOf} error={coinError} />
      <Field
        label="Deposit amount, whole dollars"
        inputMode="numeric"
        suffix="USD"
        value={text}
        hint={`At least ${depositMinimum(minimumCents)} in ${coin}. Makes you a depositor for 30 days.`}
        error={order.problem ?? (clamped && `${clamped.why}. It is $${text} now.`)}
        onChange={(event) => {
          setText(event.target.value);
          setClamped(null);
        }}
        onBlur={() => {
          if (order.problem !== null) setClamped({ why: order.problem, isAnnounced: false });
          setText(clampedDeposit(text));
        }}
      />
      <LimitLeft kinds={['deposits']} cents={order.amountCents} />
      <Sum
        rows={[
          ['To your purchase balance', formatCents(order.amountCents)],
          [`Fee, ${DEPOSIT_FEE_PERCENT}%`, formatCents(order.feeCents)],
          ['You pay', formatCents(order.totalCents), 'total'],
        ]}
      />
    </PaymentForm>
  );
}

interface PaymentFormProps<Request> {
  purpose: Purpose;
  path: string;
  body: Omit<Request, 'userId'>;
  closed?: string | null;
  problem: string | null;
  belowMinimum: boolean;
  onSubmit?: () => void;
  onInvoice: OnInvoice;
  /** Offers the balance, from which a purchase takes a second. */
  onDeposit?: () => void;
  footnote: string;
  children: ReactNode;
}

function PaymentForm<Request>({ purpose, closed = null, problem, belowMinimum, ...props }: PaymentFormProps<Request>) {
  const session = useSession();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { send: create, isBusy: isPending } = useCommand<unknown, InvoiceResponse>('POST', props.path, {
    onSuccess: () => void client.invalidateQueries({ queryKey: gamerQuery(session?.id ?? '').queryKey }),
  });
  const submit = async () => {
    if (isPending) return;
    setFailure(null);
    props.onSubmit?.();
    if (closed !== null) return toastProblem('Game Inactive', closed);
    if (problem !== null) return toastProblem(belowMinimum ? 'Minimum Amount Required' : 'Invalid Form', problem);
    if (!session) return toast({ ...notLoggedIn(purpose), tone: 'bad' });
    const fail = ({ title, text }: { title: string; text: string }) => setFailure(toastProblem(title, text));
    try {
      const invoice = await create({ ...props.body, userId: session.id });
      if (paymentPageUrl(invoice.payment_url) === null)
        return fail({ title: 'Error', text: 'Failed to create payment link' });
      // Whoever closed the dialog meanwhile wants no payment page. The page lists the invoice.
      if (button.current === null) return;
      announce(`Send ${coinText(invoice.payAmount, invoice.cryptoType)} to the address shown`);
      props.onInvoice({ ...invoice, pageOpened: openPaymentPage(invoice.payment_url) });
    } catch (error) {
      fail(paymentFailure(error, purpose));
    }
  };
  return (
    <Form onSubmit={submit}>
      {closed !== null && <Notice tone="bad" title="Cannot Purchase Now" urgent text={closed} />}
      {props.children}
      {failure !== null && <Notice tone="bad" title={failure} text="Nothing was charged." />}
      <div className="chips">
        <Button
          ref={button}
          type="submit"
          kind={props.onDeposit ? 'line' : 'act'}
          text="Continue to payment"
          busy={isPending && 'Creating the payment…'}
          aria-disabled={closed !== null || undefined}
        />
        {props.onDeposit && <Button kind="act" text="Deposit Crypto" onClick={props.onDeposit} />}
      </div>
      <p className="t14 dim">{props.footnote}</p>
    </Form>
  );
}

/**
 * Opens the payment page in a new tab that cannot reach back to this page. The tab's opener is cleared by hand, because
 * with the feature `noopener` a browser does not say whether it opened a tab. Returns false when the browser blocked it.
 */
function openPaymentPage(url: string): boolean {
  const tab = window.open('', '_blank');
  if (tab === null) return false;
  tab.opener = null;
  tab.location.replace(url);
  return true;
}

const closeTexts: Partial<Record<string, string>> = { waiting: 'Close, I have sent it', settled: 'Done' };

interface PaymentWaitingProps extends Pick<PaymentContentProps, 'onHeading' | 'onSupport' | 'onClose'> {
  invoice: ShownInvoice;
  onAgain: () => void;
}

export function PaymentWaiting({ invoice, onHeading, onAgain, onSupport, onClose }: PaymentWaitingProps) {
  const payment = usePayment(invoice.orderId);
  const status = payment.data?.status ?? 'waiting';
  const isUnderWay = isOpen(status);
  const heading = paymentHeadings[status] ?? `Send ${coinText(invoice.payAmount, invoice.cryptoType)}`;
  useLayoutEffect(() => {
    onHeading(heading);
    return () => onHeading(null);
  }, [onHeading, heading]);
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
        <Button kind={status === 'settled' ? 'act' : 'text'} text={closeTexts[status] ?? 'Close'} onClick={onClose} />
      </div>
      {status === 'waiting' && (
        <p className="t14 dim">
          {`Payment number for support: ${invoice.paymentId}. `}
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

function WhereToSend({ invoice }: { invoice: ShownInvoice }) {
  const { cryptoType, payAddress, payAmount } = invoice;
  const coinName = COINS[cryptoType].name;
  return (
    <div className="pay">
      <Copyable
        name="amount"
        label="Amount"
        note={formatCents(invoice.totalCents)}
        text={coinText(payAmount, cryptoType)}
        copied={payAmount}
      />
      <Copyable name="address" label={`${coinName} address`} text={payAddress} copied={payAddress} />
      <Notice
        tone="time"
        title="Send the exact amount."
        text="A wrong crypto deposit amount means a 24-72 hour manual review."
      />
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
        <span>{label}</span> {note !== undefined && <span className="dim num">{note}</span>}
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
