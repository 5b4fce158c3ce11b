import { useState } from 'react';
import { TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';
import { formatCents } from '../../../../contracts/money.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { cannotBuyText } from '../../shared/board/cannot-buy.js';
import { addedText, counted } from '../../shared/format/clock-text.js';
import { oneTo } from '../../shared/format/one-to.js';
import { useGamer } from '../../shared/session/gamer.queries.js';
import { affordable, type Order, orderOf } from '../../shared/tokens/quantity.js';
import { QuantityField } from '../../shared/tokens/quantity-field.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import type { BuyFormProps } from './buy-dialog.js';
import { usePurchase } from './use-purchase.js';
import './buy-dialog.css';

export function BuyForm({ onDone, onDeposit, onPayWithCrypto }: BuyFormProps) {
  const [text, setText] = useState('1');
  const { data: board } = useBoard();
  const { data: gamer } = useGamer();
  const { purchase, isPending } = usePurchase();
  const balanceCents = gamer?.wallet.purchaseBalanceCents ?? null;
  const order = orderOf(text, balanceCents);
  const inactive = cannotBuyText(board ?? null);
  const blocked = inactive !== null || order.problem !== null || isPending;

  const submit = async () => {
    if (isPending) return;
    if (inactive !== null) return toast({ title: 'Game Inactive', text: inactive, tone: 'bad' });
    if (order.quantity === null || order.problem !== null)
      return toast({ ...refusalToast(order, balanceCents), tone: 'bad' });
    if (!gamer) return toast({ title: 'Authentication Error', text: 'Please log in to buy tokens', tone: 'bad' });
    if (await purchase({ quantity: order.quantity, userId: gamer.id })) onDone();
  };

  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {inactive !== null && (
        <Notice tone="bad" title="Cannot Purchase Now" urgent>
          {inactive}
        </Notice>
      )}
      <QuantityField text={text} onChange={setText} problem={order.problem} />
      <QuickPicks balanceCents={balanceCents} onPick={(tokens) => setText(`${tokens}`)} />
      {order.problem === null && order.quantity !== null && board && inactive === null && (
        <Gain quantity={order.quantity} seconds={order.quantity * board.timers.tokenExtensionSeconds} />
      )}
      <Summary order={order} balanceCents={balanceCents} />
      <button type="submit" className="btn btn--buy btn--big" aria-disabled={blocked || undefined}>
        <span>{isPending ? 'Buying…' : `Buy ${counted(order.quantity ?? 0, 'token')}`}</span>
        <span className="num">{formatCents(order.costCents)}</span>
      </button>
      <div className="actions">
        {order.missingCents > 0 && (
          <button type="button" className="btn btn--line btn--sm" onClick={onDeposit}>
            Deposit Crypto
          </button>
        )}
        {inactive === null && (
          <button type="button" className="btn btn--text btn--sm" onClick={onPayWithCrypto}>
            Pay with crypto instead
          </button>
        )}
      </div>
    </form>
  );
}

function refusalToast(order: Order, balanceCents: number | null): { title: string; text: string } {
  if (order.missingCents === 0) return { title: 'Invalid Form', text: order.problem ?? '' };
  const parameters = { needCents: order.costCents, haveCents: balanceCents ?? 0 };
  return { title: 'Insufficient Funds', text: refusalText({ code: 'insufficient-balance', parameters }) };
}

function QuickPicks({ balanceCents, onPick }: { balanceCents: number | null; onPick: (tokens: number) => void }) {
  const all = balanceCents === null ? 0 : affordable(balanceCents);
  return (
    <div className="chips">
      {[1, 5, 10].map((tokens) => (
        <button
          key={tokens}
          type="button"
          className="btn btn--line btn--sm"
          aria-label={counted(tokens, 'token')}
          onClick={() => onPick(tokens)}
        >
          {tokens}
        </button>
      ))}
      {all > 0 && (
        <button type="button" className="btn btn--line btn--sm" onClick={() => onPick(all)}>
          All {all.toLocaleString('en-US')}
        </button>
      )}
    </div>
  );
}

const LAMPS_DRAWN = 4;

function Gain({ quantity, seconds }: { quantity: number; seconds: number }) {
  return (
    <div className="gain">
      <span className="gain-lamps" aria-hidden="true">
        {oneTo(Math.min(quantity, LAMPS_DRAWN)).map((lamp) => (
          <i key={lamp} />
        ))}
      </span>
      <b className="num">{addedText(seconds)} on the clock</b>
      <span>You become the last buyer.</span>
    </div>
  );
}

function Summary({ order, balanceCents }: { order: Order; balanceCents: number | null }) {
  return (
    <dl className="sum num">
      <div>
        <dt>
          {counted(order.quantity ?? 0, 'token')} at {formatCents(TOKEN_PRICE_CENTS)}
        </dt>
        <dd>{formatCents(order.costCents)}</dd>
      </div>
      <div>
        <dt>Purchase Balance</dt>
        <dd>{balanceCents === null ? '—' : formatCents(balanceCents)}</dd>
      </div>
      {order.problem === null && balanceCents !== null && (
        <div className="total">
          <dt>Left after this</dt>
          <dd>{formatCents(balanceCents - order.costCents)}</dd>
        </div>
      )}
    </dl>
  );
}
