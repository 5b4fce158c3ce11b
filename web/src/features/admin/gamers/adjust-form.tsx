import { type FormEvent, useState } from 'react';
import type { AdminGamerRow } from '../../../../../contracts/http/admin.js';
import { REASON_MAX_LENGTH } from '../../../../../contracts/limits.js';
import { refusalText } from '../../../../../contracts/messages.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { changeText, deltaOf } from './adjustment.js';
import { useAdjustBalance } from './gamers.queries.js';

/** Signed changes against the house, for which the ledger keeps a reason (decision 13). */
export function AdjustForm({ gamer, proposedReason }: { gamer: AdminGamerRow; proposedReason: string }) {
  const [purchase, setPurchase] = useState('');
  const [winnings, setWinnings] = useState('');
  const [reason, setReason] = useState(proposedReason);
  const { run, isBusy } = useAdjustBalance(gamer.id);
  const purchaseDelta = deltaOf(purchase, gamer.purchaseBalance);
  const winningsDelta = deltaOf(winnings, gamer.currentWinnings);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { cents: purchaseCents } = purchaseDelta;
    const { cents: winningsCents } = winningsDelta;
    const problem = purchaseDelta.problem ?? winningsDelta.problem;
    if (
      problem !== null ||
      purchaseCents === null ||
      winningsCents === null ||
      (purchaseCents === 0 && winningsCents === 0)
    ) {
      return toast({
        title: 'Invalid Form',
        text: problem ?? refusalText({ code: 'invalid-adjustment' }),
        tone: 'bad',
      });
    }
    try {
      await run({
        purchaseBalanceCents: purchaseCents,
        totalWinningsCents: winningsCents,
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      });
      toast({ title: 'Balances Adjusted', text: `${gamer.gamerTag}: the ledger keeps who did it and why.` });
      setPurchase('');
      setWinnings('');
      setReason('');
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to adjust balances'), tone: 'bad' });
    }
  };

  return (
    <form className="grid gap-4" aria-label="Adjust balances" noValidate onSubmit={(event) => void submit(event)}>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field
          label="Purchase, ± dollars"
          inputMode="text"
          autoComplete="off"
          placeholder="0.00"
          value={purchase}
          hint={changeText(gamer.purchaseBalance, purchaseDelta)}
          error={purchaseDelta.problem}
          onChange={(event) => setPurchase(event.target.value)}
        />
        <Field
          label="Winnings, ± dollars"
          inputMode="text"
          autoComplete="off"
          placeholder="0.00"
          value={winnings}
          hint={changeText(gamer.currentWinnings, winningsDelta)}
          error={winningsDelta.problem}
          onChange={(event) => setWinnings(event.target.value)}
        />
      </div>
      <Field
        label="Reason, kept in the ledger"
        placeholder="Why the balance changes"
        maxLength={REASON_MAX_LENGTH}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <button type="submit" className="btn btn--act btn--wide" disabled={isBusy}>
        {isBusy ? 'Saving…' : 'Save changes'}
      </button>
    </form>
  );
}
