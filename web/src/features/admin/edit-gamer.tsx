import { type FormEvent, useState } from 'react';
import type { AdminGamerRow } from '../../../../contracts/http/admin.js';
import { REASON_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/messages.js';
import { reasonOf } from '../../shared/api/api-error.js';
import { useServerNow } from '../../shared/clock/use-server-now.js';
import { dayText } from '../../shared/format/time-text.js';
import { Field } from '../../shared/ui/field.js';
import { toast } from '../../shared/ui/toasts.js';
import { changeText, deltaOf } from './adjustment.js';
import { useAdjustBalance, useSetDepositorStatus } from './gamers.queries.js';

export function EditGamer({ gamer }: { gamer: AdminGamerRow }) {
  return (
    <>
      <p className="t14 dim">{gamer.email}</p>
      <DepositorSwitch gamer={gamer} />
      <hr className="border-line" />
      <AdjustForm gamer={gamer} />
    </>
  );
}

/** Takes effect at once: 30 days from now, or off. */
function DepositorSwitch({ gamer }: { gamer: AdminGamerRow }) {
  const { setStatus, isPending } = useSetDepositorStatus(gamer.id);
  const now = useServerNow(60_000);
  const until = gamer.depositorExpiresAt;
  const isActive = gamer.isDepositor && until !== null && now <= until;
  const toggle = async () => {
    try {
      const { isDepositor, expiresAt } = await setStatus(!isActive);
      const text =
        isDepositor && expiresAt !== null ? `A depositor until ${dayText(expiresAt)}.` : 'Not a depositor any more.';
      toast({ title: 'Depositor Status Updated', text: `${gamer.gamerTag}: ${text}` });
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to update depositor status'), tone: 'bad' });
    }
  };
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isActive}
        checked={isActive}
        disabled={isPending}
        onChange={() => void toggle()}
      />
      <span>
        Depositor{' '}
        <span className="dim t14">
          {isActive && until !== null ? `until ${dayText(until)}` : 'switching on gives 30 days'}
        </span>
      </span>
    </label>
  );
}

function AdjustForm({ gamer }: { gamer: AdminGamerRow }) {
  const [purchase, setPurchase] = useState('');
  const [winnings, setWinnings] = useState('');
  const [reason, setReason] = useState('');
  const { adjust, isPending } = useAdjustBalance(gamer.id);
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
      await adjust({
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
      <button type="submit" className="btn btn--act btn--wide" disabled={isPending}>
        {isPending ? 'Saving…' : 'Save changes'}
      </button>
    </form>
  );
}
