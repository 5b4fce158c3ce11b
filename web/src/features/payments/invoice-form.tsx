import { type FormEvent, useState } from 'react';
import type { CryptoType } from '../../../../contracts/crypto.js';
import { TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import { formatCents } from '../../../../contracts/money.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { cannotBuyText } from '../../shared/board/cannot-buy.js';
import { addedText, counted } from '../../shared/format/clock-text.js';
import { useSession } from '../../shared/session/session.queries.js';
import { orderOf } from '../../shared/tokens/quantity.js';
import { QuantityField } from '../../shared/tokens/quantity-field.js';
import { CoinPicker } from '../../shared/ui/coin-picker.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { makeInvoice } from './make-invoice.js';
import type { OpenInvoice } from './payment-dialog.js';
import { notLoggedIn } from './payment-failure.js';
import { useCreateInvoice } from './payments.queries.js';

/** Tokens paid for with a coin: bought the moment the payment settles, if the round still runs. */
export function InvoiceForm({ onInvoice }: { onInvoice: (invoice: OpenInvoice) => void }) {
  const session = useSession();
  const { data: board } = useBoard();
  const [coin, setCoin] = useState<CryptoType>('BTC');
  const [text, setText] = useState('1');
  const [failure, setFailure] = useState<string | null>(null);
  const command = useCreateInvoice();
  const order = orderOf(text, null);
  const inactive = cannotBuyText(board ?? null);
  const seconds = (order.quantity ?? 0) * (board?.timers.tokenExtensionSeconds ?? 0);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (command.isPending) return;
    setFailure(null);
    if (inactive !== null) return toast({ title: 'Game Inactive', text: inactive, tone: 'bad' });
    if (order.quantity === null || order.problem !== null)
      return toast({ title: 'Invalid Form', text: order.problem ?? '', tone: 'bad' });
    if (!session) return toast({ ...notLoggedIn('tokens'), tone: 'bad' });
    const request = { quantity: order.quantity, currency: coin, userId: session.id };
    setFailure(await makeInvoice('tokens', onInvoice)(() => command.mutateAsync(request)));
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {inactive !== null && (
        <Notice tone="bad" title="Cannot Purchase Now" urgent>
          {inactive}
        </Notice>
      )}
      <fieldset className="grid gap-4 min-w-0" disabled={command.isPending}>
        <QuantityField text={text} onChange={setText} problem={order.problem} />
        <CoinPicker value={coin} onChange={setCoin} />
        <dl className="sum num">
          <div>
            <dt>
              {counted(order.quantity ?? 0, 'token')} at {formatCents(TOKEN_PRICE_CENTS)}
            </dt>
            <dd>{formatCents(order.costCents)}</dd>
          </div>
          <div>
            <dt>On the clock</dt>
            <dd className="time">{addedText(seconds)}</dd>
          </div>
          <div className="total">
            <dt>You pay in {coin}</dt>
            <dd>{formatCents(order.costCents)}</dd>
          </div>
        </dl>
        {failure !== null && (
          <Notice tone="bad" title={failure}>
            Nothing was charged.
          </Notice>
        )}
        <button type="submit" className="btn btn--act btn--wide" aria-disabled={inactive !== null || undefined}>
          {command.isPending ? 'Creating the payment…' : 'Continue to payment'}
        </button>
      </fieldset>
      <p className="t14 dim">
        Your tokens are bought when the network confirms the payment, which takes minutes. If the round is over by then,
        its full value goes to your purchase balance. A wrong amount means a 24-72 hour manual review.
      </p>
    </form>
  );
}
