import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CRYPTO_TYPES, type CryptoType } from '../../../../contracts/crypto.js';
import type * as http from '../../../../contracts/http/payments.js';
import { DEPOSIT_FEE_PERCENT, MIN_DEPOSIT_DOLLARS } from '../../../../contracts/limits.js';
import { depositTotalCents } from '../../../../contracts/money.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { fewestDollars, fewestTokens } from '../../../../contracts/validation.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { useCannotBuyText, useTerms } from '../../shared/board.js';
import { addedText, counted, formatCents, numberText } from '../../shared/format.js';
import { gamerQuery, useMyId } from '../../shared/session.queries.js';
import { carriedQuantity, LimitLeft, QuantityField } from '../../shared/tokens/order-parts.js';
import { orderOf } from '../../shared/tokens/quantity.js';
import { Button, Field, Form, Pairs, Submit } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { CoinPicker } from '../../shared/ui/payout-fields.js';
import { announce, toast, toastProblem } from '../../shared/ui/toasts.js';
import * as rules from './payment-rules.js';
import './payments.css';
import { useQueryClient } from '@tanstack/react-query';
import { PaymentWaiting, type PaymentWaitingProps } from './payment-waiting.js';

interface PaymentContentProps extends Pick<PaymentWaitingProps, 'payment' | 'onClose'> {
  purpose: rules.Purpose;
  invoice: http.InvoiceResponse | null;
  onInvoice: (invoice: http.InvoiceResponse | null) => void;
  onDeposit: () => void;
}

export default function PaymentContent(props: PaymentContentProps) {
  const { invoice, purpose, onInvoice } = props;
  if (invoice !== null) return <PaymentWaiting {...props} invoice={invoice} onAgain={() => onInvoice(null)} />;
  return purpose === 'deposit' ? <DepositForm {...props} /> : <InvoiceForm {...props} />;
}

/** The chosen coin of a payment, and the gateway's minimum for it, which is 0 until it is known. */
function useCoin(cents: number, minimumText: (minimumCents: number) => string) {
  const [picked, setCoin] = useState<CryptoType | null>(null);
  const path = ['/api', 'coin-minimums'] as const;
  const { data: minimums } = useApi<http.CoinMinimumsResponse>(path, { staleTime: MINIMUMS_KEPT_MS });
  const coin = picked ?? (minimums ? rules.startingCoin(minimums, cents) : CRYPTO_TYPES[0]);
  const hasMinimums = minimums && Object.values(minimums).some((minimumCents) => minimumCents > 0);
  const noteOf = hasMinimums ? (each: CryptoType) => `from ${minimumText(minimums[each])}` : undefined;
  return { coin, setCoin, noteOf, minimumCents: minimums?.[coin] ?? 0 };
}

const MINIMUMS_KEPT_MS = 60_000;

function InvoiceForm({ onInvoice, onDeposit }: PaymentContentProps) {
  const { tokenPriceCents, tokenExtensionSeconds } = useTerms();
  const [typed, setText] = useState(carriedQuantity.get());
  useEffect(() => carriedQuantity.set(null), []);
  const { coin, setCoin, noteOf, minimumCents } = useCoin(tokenPriceCents, formatCents);
  const text = typed ?? `${fewestTokens(minimumCents, tokenPriceCents)}`;
  const { quantity, costCents, problem } = orderOf(text, tokenPriceCents, null);
  const coinError = problem === null ? rules.coinProblem(coin, costCents, minimumCents, tokenPriceCents) : null;
  const seconds = (quantity ?? 0) * tokenExtensionSeconds;
  return (
    <PaymentForm<http.CreateInvoiceRequest>
      purpose="tokens"
      body={{ quantity: quantity ?? 0, currency: coin }}
      problem={problem ?? coinError}
      belowMinimum={coinError !== null}
      onInvoice={onInvoice}
      onDeposit={onDeposit}
    >
      <QuantityField text={text} onChange={setText} problem={problem} />
      <LimitLeft kinds={['spending', 'loss', 'deposits']} cents={costCents} />
      <CoinPicker value={coin} onChange={setCoin} noteOf={noteOf} error={coinError} />
      <Pairs
        rows={[
          [`${counted(quantity ?? 0, 'token')} at ${formatCents(tokenPriceCents)}`, formatCents(costCents)],
          ['On the clock', addedText(seconds), 'time'],
          [`You pay in ${coin}`, formatCents(costCents), 'total'],
        ]}
      />
    </PaymentForm>
  );
}

const FIRST_OFFER_DOLLARS = 20;
const BELOW_MINIMUM = refusalText({ code: 'deposit-below-minimum' });
const depositMinimum = (minimumCents: number): string => `$${numberText(fewestDollars(minimumCents))}`;

function DepositForm({ onInvoice }: PaymentContentProps) {
  const smallestCents = depositTotalCents(MIN_DEPOSIT_DOLLARS * 100);
  const { coin, setCoin, noteOf, minimumCents } = useCoin(smallestCents, depositMinimum);
  const [text, setText] = useState(`${FIRST_OFFER_DOLLARS}`);
  const order = rules.depositOf(text);
  const coinError = order.problem === null ? rules.coinProblem(coin, order.totalCents, minimumCents, null) : null;
  const hint = `A deposit in ${coin} is at least ${depositMinimum(minimumCents)}. It can only buy tokens, and makes you a depositor for 30 days.`;
  const amountText = (cents: number) => (order.problem === null ? formatCents(cents) : '—');
  return (
    <PaymentForm<http.CreateDepositInvoiceRequest>
      purpose="deposit"
      body={{ amount: order.dollars ?? 0, currency: coin }}
      problem={order.problem ?? coinError}
      belowMinimum={coinError !== null || order.problem === BELOW_MINIMUM}
      onRefused={() => {
        if (order.problem === BELOW_MINIMUM) setText(`${MIN_DEPOSIT_DOLLARS}`);
      }}
      onInvoice={onInvoice}
    >
      <CoinPicker value={coin} onChange={setCoin} noteOf={noteOf} error={coinError} />
      <Field
        label="Deposit amount, whole dollars"
        inputMode="numeric"
        suffix="USD"
        value={text}
        hint={hint}
        error={order.problem}
        onChange={setText}
      />
      <LimitLeft kinds={['deposits']} cents={order.amountCents} />
      <Pairs
        rows={[
          ['To your purchase balance', amountText(order.amountCents)],
          [`Fee, ${DEPOSIT_FEE_PERCENT}%`, amountText(order.feeCents)],
          ['You pay', amountText(order.totalCents), 'total'],
        ]}
      />
    </PaymentForm>
  );
}

interface PaymentFormProps<Request> {
  purpose: rules.Purpose;
  body: Omit<Request, 'userId'>;
  problem: string | null;
  belowMinimum: boolean;
  /** Called instead of a payment when the input has a problem, such as an amount below the minimum. */
  onRefused?: () => void;
  onInvoice: PaymentContentProps['onInvoice'];
  onDeposit?: () => void;
  children: ReactNode;
}

function PaymentForm<Request>({ purpose, problem, belowMinimum, ...props }: PaymentFormProps<Request>) {
  const { path, footnote } = rules.PURPOSES[purpose];
  const gameClosedText = useCannotBuyText();
  const closedText = purpose === 'tokens' ? gameClosedText : null;
  const myId = useMyId();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { send: create } = useCommand<unknown, http.InvoiceResponse>('POST', path, {
    onSuccess: () => void client.invalidateQueries({ queryKey: gamerQuery(myId).queryKey }),
  });
  const submit = async () => {
    setFailure(null);
    if (closedText !== null) return toastProblem('Game Inactive', closedText);
    if (problem !== null) {
      props.onRefused?.();
      return toastProblem(belowMinimum ? 'Minimum Amount Required' : 'Invalid Form', problem);
    }
    if (myId === '') return toast({ ...rules.notLoggedIn(purpose), tone: 'bad' });
    const fail = ({ title, text }: { title: string; text: string }) => setFailure(toastProblem(title, text));
    try {
      const invoice = await create({ ...props.body, userId: myId });
      if (!rules.isWebPage(invoice.payment_url)) return fail({ title: 'Error', text: 'Failed to create payment link' });
      // If the gamer closed the dialog meanwhile, no payment page opens. The page lists the invoice.
      if (button.current === null) return;
      announce(`Send ${rules.coinText(invoice.payAmount, invoice.cryptoType)} to the address shown`);
      window.open(invoice.payment_url, '_blank', 'noopener');
      props.onInvoice(invoice);
    } catch (error) {
      fail(rules.paymentFailure(error, purpose));
    }
  };
  return (
    <Form onSubmit={submit}>
      {closedText !== null && <Notice tone="bad" title="Cannot Purchase Now" urgent text={closedText} />}
      {props.children}
      {failure !== null && <Notice tone="bad" title={failure} text="Nothing was charged." />}
      <div className="chips">
        <Submit
          ref={button}
          kind="act"
          text="Continue to payment"
          busy="Creating the payment…"
          aria-disabled={closedText !== null || undefined}
        />
        {props.onDeposit && <Button text="Deposit Crypto" onClick={props.onDeposit} />}
      </div>
      <p className="t14 dim">{footnote}</p>
    </Form>
  );
}
