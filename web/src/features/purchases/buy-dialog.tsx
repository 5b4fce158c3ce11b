import { Minus, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { MAX_TOKENS_PER_PURCHASE, TOKEN_PRICE_CENTS } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';
import { formatCents } from '../../../../contracts/money.js';
import { useBoard } from '../../shared/board/board.queries.js';
import { cannotBuyText } from '../../shared/board/cannot-buy.js';
import { useSecondsLeft } from '../../shared/clock/use-seconds-left.js';
import { addedText, clockText, counted } from '../../shared/format/clock-text.js';
import { oneTo } from '../../shared/format/one-to.js';
import { useGamer } from '../../shared/session/gamer.queries.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { FieldMessage } from '../../shared/ui/field.js';
import { Notice } from '../../shared/ui/notice.js';
import { toast } from '../../shared/ui/toasts.js';
import { affordable, type Order, orderOf } from './quantity.js';
import { usePurchase } from './use-purchase.js';
import './buy-dialog.css';

export function BuyDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Buy from Balance" above={<SheetClock />}>
      <BuyForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** On a phone the sheet hides the stage: its clock comes along. */
function SheetClock() {
  const { data: board } = useBoard();
  const secondsLeft = useSecondsLeft(board?.endsAtEpochMs ?? null);
  if (!board?.isActive || secondsLeft === null) return null;
  return (
    <p className="sheet-clock" aria-hidden="true">
      <b className="num">{clockText(secondsLeft)}</b>
      <span>
        Last buyer <b>{board.lastBuyerGamerTag ?? 'nobody yet'}</b>
      </span>
    </p>
  );
}

function BuyForm({ onDone }: { onDone: () => void }) {
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
    </form>
  );
}

function refusalToast(order: Order, balanceCents: number | null): { title: string; text: string } {
  if (order.missingCents === 0) return { title: 'Invalid Form', text: order.problem ?? '' };
  const parameters = { needCents: order.costCents, haveCents: balanceCents ?? 0 };
  return { title: 'Insufficient Funds', text: refusalText({ code: 'insufficient-balance', parameters }) };
}

function QuantityField({
  text,
  onChange,
  problem,
}: {
  text: string;
  onChange: (text: string) => void;
  problem: string | null;
}) {
  const id = useId();
  const { quantity } = orderOf(text, null);
  const step = (by: number) => onChange(`${Math.min(Math.max((quantity ?? 0) + by, 1), MAX_TOKENS_PER_PURCHASE)}`);
  return (
    <div className="field">
      <label htmlFor={id}>How many tokens</label>
      <div className={`stepper ${problem === null ? '' : 'stepper--bad'}`}>
        <button type="button" aria-label="One fewer" onClick={() => step(-1)}>
          <Minus size={18} aria-hidden="true" />
        </button>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={text}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-m`}
          onChange={(event) => onChange(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={() => {
            if (quantity === null) onChange('1');
          }}
        />
        <button type="button" aria-label="One more" onClick={() => step(1)}>
          <Plus size={18} aria-hidden="true" />
        </button>
      </div>
      <FieldMessage id={`${id}-m`} error={problem} />
    </div>
  );
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
