import { type FormEvent, useState } from 'react';
import type { GamerProfile } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../../../contracts/money.js';
import { reasonOf } from '../../shared/api/api-error.js';
import { inputFromCents } from '../../shared/format/money-input.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Field } from '../../shared/ui/field.js';
import { toast } from '../../shared/ui/toasts.js';
import { transferOf } from './transfer-rules.js';
import { useTransferToPurchase } from './winnings.queries.js';

interface TransferDialogProps {
  gamer: GamerProfile;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function TransferDialog({ gamer, open, onOpenChange }: TransferDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Transfer to Purchase Balance">
      <TransferForm gamer={gamer} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function TransferForm({ gamer, onDone }: { gamer: GamerProfile; onDone: () => void }) {
  const available = gamer.balances.currentWinningsCents;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { transfer, isPending } = useTransferToPurchase(gamer.id);
  const order = transferOf(text, available);
  const movedCents = 'amountCents' in order ? order.amountCents : 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if ('problem' in order) {
      setProblem(order.problem);
      return toast({ title: order.title, text: order.problem, tone: 'bad' });
    }
    try {
      await transfer(order.amountCents);
      toast({ title: 'Transferred', text: `${formatCents(order.amountCents)} is in your purchase balance.` });
      onDone();
    } catch (error) {
      const reason = reasonOf(
        error,
        'Nothing was moved that you cannot see. Press Transfer again: it cannot be moved twice.',
      );
      setProblem(reason);
      toast({ title: 'Transfer Failed', text: reason, tone: 'bad' });
    }
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <p className="avail">
        <span className="label">Available winnings</span>
        <b className="fig won num">{formatCents(available)}</b>
      </p>
      <Field
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        suffix="USD"
        placeholder="0.00"
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
      />
      <div className="actions">
        <button
          type="button"
          className="btn btn--line btn--sm"
          disabled={available === 0}
          onClick={() => setText(inputFromCents(available))}
        >
          All of it
        </button>
      </div>
      <dl className="sum num">
        <div>
          <dt>Winnings after this</dt>
          <dd>{formatCents(available - movedCents)}</dd>
        </div>
        <div className="total">
          <dt>Purchase Balance after this</dt>
          <dd>{formatCents(gamer.wallet.purchaseBalanceCents + movedCents)}</dd>
        </div>
      </dl>
      <button type="submit" className="btn btn--act btn--wide" disabled={isPending}>
        {isPending ? 'Transferring…' : movedCents > 0 ? `Transfer ${formatCents(movedCents)}` : 'Transfer'}
      </button>
      <p className="t14 dim">What is moved buys tokens. It cannot be moved back or withdrawn.</p>
    </form>
  );
}
