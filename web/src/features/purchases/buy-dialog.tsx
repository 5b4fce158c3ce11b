import { useState } from 'react';
import { useBoard, useBoardPart, useCannotBuyText, useTerms } from '../../shared/board.js';
import { useSecondsLeft } from '../../shared/clock.js';
import { addedText, counted, formatCents, numberText, range } from '../../shared/format.js';
import { useSession, useStrictestLimit } from '../../shared/session.queries.js';
import {
  carriedQuantity,
  LimitLeft,
  QuantityField,
  ROUND_OVER,
  RoundOver,
  SheetClock,
  useRoundOver,
} from '../../shared/tokens/order-parts.js';
import { affordableTokens, MAX_UNCOUNTED_LAMPS, orderOf } from '../../shared/tokens/quantity.js';
import { Button, Form, Pairs } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { useFrozen } from '../../shared/ui/hooks.js';
import { Notice } from '../../shared/ui/notice.js';
import { toastProblem } from '../../shared/ui/toasts.js';
import { BUYING_LIMITS, useIsPurchaseSlow, usePurchase } from './use-purchase.js';
import './buy-dialog.css';

interface BuyDialogProps {
  open: boolean;
  onClose: () => void;
  onDeposit: () => void;
  onPayWithCrypto: () => void;
}

export default function BuyDialog(props: BuyDialogProps) {
  const { open, onClose } = props;
  const { isRoundOver, wasOpen } = useRoundOver(open);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={isRoundOver && wasOpen ? ROUND_OVER : 'Buy from Balance'}
      above={<SheetClock />}
    >
      {isRoundOver ? <RoundOver wasOpen={wasOpen} onClose={onClose} /> : <BuyForm {...props} />}
    </Dialog>
  );
}

function BuyForm({ onClose, onDeposit, onPayWithCrypto }: BuyDialogProps) {
  const [text, setText] = useState('1');
  const { tokenPriceCents } = useTerms();
  const { purchase, isBusy, balanceCents: currentCents } = usePurchase();
  // Held while a purchase is pending: that purchase's live messages would change the form as if it were a second purchase.
  const closedText = useFrozen(useCannotBuyText(), isBusy);
  // Disabled at zero, as on the stage: a purchase would arrive too late.
  const endsAtEpochMs = useBoardPart((board) => (board.isActive ? board.endsAtEpochMs : null)) ?? null;
  const isTimeUp = useSecondsLeft(endsAtEpochMs, 1) === 0;
  const balanceCents = useFrozen(currentCents, isBusy);
  const isSlow = useIsPurchaseSlow();
  const order = orderOf(text, tokenPriceCents, balanceCents);
  const leftCents = useStrictestLimit(BUYING_LIMITS)?.leftCents ?? Number.POSITIVE_INFINITY;
  const isBeyond = order.costCents > leftCents;
  const blocked = closedText !== null || order.problem !== null || isBusy || isTimeUp || isBeyond;
  const showsEffect = order.problem === null && order.quantity !== null && !isTimeUp;
  const leftText = order.problem === null ? formatCents((balanceCents ?? 0) - order.costCents) : '—';
  const buyText = `Buy ${counted(order.quantity ?? 0, 'token')} · ${formatCents(order.costCents)}`;
  const submit = async () => {
    if (isTimeUp) return;
    if (closedText === null && order.quantity === null) toastProblem('Invalid Form', order.problem ?? '');
    else if (await purchase(order.quantity ?? 1)) onClose();
  };
  const payWithCrypto = () => {
    carriedQuantity.set(text);
    onPayWithCrypto();
  };
  return (
    <Form onSubmit={submit}>
      {closedText !== null && <Notice tone="bad" title="Cannot Purchase Now" urgent text={closedText} />}
      <QuantityField text={text} onChange={setText} problem={order.problem} />
      <QuickPicks cents={Math.min(balanceCents ?? 0, leftCents)} onPick={(tokens) => setText(`${tokens}`)} />
      <LimitLeft kinds={BUYING_LIMITS} cents={order.costCents} />
      {/* Keeps its place when there is nothing to show, so that the button does not move. Beyond a limit the warning takes this place. */}
      {closedText === null && !isBeyond && (
        <div className={showsEffect ? '' : 'invisible'} aria-hidden={!showsEffect}>
          <PurchaseEffect quantity={order.quantity ?? 1} isBusy={isBusy} />
        </div>
      )}
      <Pairs
        rows={[
          ['Balance after this', balanceCents === null ? '—' : `${leftText} of ${formatCents(balanceCents)}`, 'total'],
        ]}
      />
      <div className="pay-foot">
        {isSlow && <p role="status">Still trying … You are charged once at most.</p>}
        <Button
          type="submit"
          className="btn btn--buy btn--big"
          text={<span className="num">{isBusy ? 'Buying…' : buyText}</span>}
          aria-disabled={blocked || undefined}
        />
      </div>
      <div className="chips">
        <Button text="Buy with crypto" aria-disabled={closedText !== null || undefined} onClick={payWithCrypto} />
        <Button text="Deposit Crypto" onClick={onDeposit} />
      </div>
    </Form>
  );
}

function QuickPicks({ cents, onPick }: { cents: number; onPick: (tokens: number) => void }) {
  const { tokenPriceCents } = useTerms();
  const all = affordableTokens(cents, tokenPriceCents);
  return (
    <div className="chips">
      {[1, 5, 10].map((tokens) => (
        <Button
          key={tokens}
          kind="line sm"
          text={tokens}
          aria-label={counted(tokens, 'token')}
          onClick={() => onPick(tokens)}
        />
      ))}
      {all > 0 && <Button kind="line sm" text={`All ${numberText(all)}`} onClick={() => onPick(all)} />}
    </div>
  );
}

function PurchaseEffect({ quantity, isBusy }: { quantity: number; isBusy: boolean }) {
  const { tokenExtensionSeconds } = useTerms();
  const { data: board } = useBoard();
  const session = useSession();
  const isLast = useFrozen(session != null && board?.lastBuyerId === session.id, isBusy);
  return (
    <div className="gain">
      <span className="gain-lamps" aria-hidden="true">
        {range(1, quantity > MAX_UNCOUNTED_LAMPS ? 1 : quantity).map((lamp) => (
          <i key={lamp} />
        ))}
        {quantity > MAX_UNCOUNTED_LAMPS && <b className="num">{`×${numberText(quantity)}`}</b>}
      </span>
      <b className="num">{`${addedText(quantity * tokenExtensionSeconds)} on the clock`}</b>
      <span>{isLast ? 'You are the last buyer already.' : 'You become the last buyer.'}</span>
    </div>
  );
}
