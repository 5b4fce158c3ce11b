import { type FormEvent, useState } from 'react';
import type { CryptoType } from '../../../../contracts/crypto.js';
import { DEPOSIT_FEE_PERCENT, MAX_DEPOSIT_DOLLARS, MIN_DEPOSIT_DOLLARS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { useSession } from '../../shared/session/session.queries.js';
import { CoinPicker } from '../../shared/ui/coin-picker.js';
import { Field } from '../../shared/ui/field.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { clampedDeposit, type DepositOrder, depositOf } from './deposit-order.js';
import { makeInvoice } from './make-invoice.js';
import type { OpenInvoice } from './payment-dialog.js';
import { notLoggedIn } from './payment-failure.js';
import { useCreateDepositInvoice } from './payments.queries.js';

const FIRST_OFFER_DOLLARS = '20';

export function DepositForm({ onInvoice }: { onInvoice: (invoice: OpenInvoice) => void }) {
  const session = useSession();
  const [coin, setCoin] = useState<CryptoType>('BTC');
  const [text, setText] = useState(FIRST_OFFER_DOLLARS);
  /** Why the field was set to another amount when it was left: nothing is paid for that the gamer has not seen. */
  const [clampedFor, setClampedFor] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const command = useCreateDepositInvoice();
  const order = depositOf(text);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (command.isPending) return;
    setFailure(null);
    const problem = order.problem ?? clampedFor;
    setClampedFor(null);
    if (problem !== null || order.dollars === null)
      return toast({ title: 'Minimum Amount Required', text: problem ?? '', tone: 'bad' });
    if (!session) return toast({ ...notLoggedIn('deposit'), tone: 'bad' });
    const request = { amount: order.dollars, currency: coin, userId: session.id };
    setFailure(await makeInvoice('deposit', onInvoice)(() => command.mutateAsync(request)));
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className="grid gap-4 min-w-0" disabled={command.isPending}>
        <CoinPicker value={coin} onChange={setCoin} />
        <Field
          label="Deposit amount, whole dollars"
          type="number"
          inputMode="numeric"
          min={MIN_DEPOSIT_DOLLARS}
          max={MAX_DEPOSIT_DOLLARS}
          step={1}
          autoComplete="off"
          suffix="USD"
          value={text}
          hint={`At least $${MIN_DEPOSIT_DOLLARS}. Makes you a depositor for 30 days.`}
          error={order.problem ?? clampedFor}
          onChange={(event) => {
            setText(event.target.value);
            setClampedFor(null);
          }}
          onBlur={() => {
            if (order.problem !== null) setClampedFor(order.problem);
            setText(clampedDeposit(text));
          }}
        />
        <DepositSum order={order} />
        {failure !== null && (
          <Notice tone="bad" title={failure}>
            Nothing was charged.
          </Notice>
        )}
        <button type="submit" className="btn btn--act btn--wide">
          {command.isPending ? 'Creating the payment…' : 'Continue to payment'}
        </button>
      </fieldset>
      <p className="t14 dim">Send the exact amount. A wrong crypto deposit amount means a 24-72 hour manual review.</p>
    </form>
  );
}

function DepositSum({ order }: { order: DepositOrder }) {
  return (
    <dl className="sum num">
      <div>
        <dt>To your purchase balance</dt>
        <dd>{formatCents(order.amountCents)}</dd>
      </div>
      <div>
        <dt>Fee, {DEPOSIT_FEE_PERCENT}%</dt>
        <dd>{formatCents(order.feeCents)}</dd>
      </div>
      <div className="total">
        <dt>You pay</dt>
        <dd>{formatCents(order.totalCents)}</dd>
      </div>
    </dl>
  );
}
