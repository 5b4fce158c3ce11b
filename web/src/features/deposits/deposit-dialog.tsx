import { useState } from 'react';
import type * as http from '../../../../contracts/http/deposits.js';
import { formatCents } from '../../shared/format.js';
import { type Asked, sumOf, sumText, useDecision } from '../../shared/lists/queue.js';
import { ConfirmDialog, NotesField, notesLabel } from '../../shared/ui/admin-parts.js';
import { type PairRow, Sum } from '../../shared/ui/controls.js';

/** Approves or rejects one or several deposits. */
export function DepositDialog({ isApproval, rows, ...dialog }: Asked<http.PendingDeposit> & { isApproval: boolean }) {
  const [first, ...others] = rows;
  const isSingle = others.length === 0;
  const [notes, setNotes] = useState<Readonly<Record<string, string>>>({});
  const verdict = isApproval ? 'approve' : 'reject';
  const sum = sumText(rows, 'deposit');
  const gamerTag = isSingle ? first.gamerTag : 'their gamers';
  const typical = rows.find(({ purpose }) => purpose === 'deposit') ?? first;
  const all = isSingle ? first : { ...typical, gamerTag, amountCents: sumOf(rows), paymentId: null };
  const decide = useDecision<http.PendingDeposit>({
    intent: `${verdict} deposit`,
    failureTitle: isApproval ? 'Approval Failed' : 'Update Failed',
    title: isApproval ? 'Deposit Approved' : 'Deposit Rejected',
    noun: 'deposit',
    outcome: isApproval ? `credited to ${gamerTag}` : 'not credited',
    commandOf: ({ id: depositId, change }) => ({
      method: 'POST',
      path: `/api/admin/${verdict}-deposit`,
      body: { depositId, change, ...(!isApproval && { adminNotes: notes[depositId]?.trim() || undefined }) },
    }),
  });
  const changes = rows.flatMap(({ change }) => (change === null ? [] : `${change}.`));
  return (
    <ConfirmDialog
      {...dialog}
      title={isApproval ? `Approve ${sum} for ${gamerTag}?` : `Reject ${isSingle ? 'this deposit' : sum}?`}
      description={[...changes, isApproval ? describeApproval(all) : describeRejection(all)].join('\n\n')}
      labels={{ cancel: 'Leave it pending', confirm: `${isApproval ? 'Credit' : 'Reject'} ${sum}`, busy: 'Saving…' }}
      tone={isApproval ? 'act' : 'final'}
      onConfirm={() => decide(rows)}
    >
      {isSingle && <Sum rows={reviewRows(first)} />}
      {!isApproval && (
        <NotesField
          label={notesLabel(gamerTag)}
          value={notes[first.id] ?? ''}
          onChange={({ target }) => setNotes(Object.fromEntries(rows.map(({ id }) => [id, target.value])))}
        />
      )}
    </ConfirmDialog>
  );
}

type Deposit<Fields extends keyof http.PendingDeposit> = Pick<http.PendingDeposit, 'amountCents' | 'gamerTag' | Fields>;

/* For several deposits, `amountCents` is their sum and `gamerTag` is "their gamers". */

export function describeApproval({ amountCents, gamerTag, purpose }: Deposit<'purpose'>): string {
  const credit = `${formatCents(amountCents)} goes to the purchase balance of ${gamerTag}`;
  const status = purpose === 'deposit' ? '. Who made a deposit is a depositor for 30 days from now' : '';
  return `${credit}${status}. The ledger keeps it: only an adjustment can take it back.`;
}

export function reviewRows(deposit: Deposit<'dueCents' | 'purpose' | 'reason'>): PairRow[] {
  const { amountCents, dueCents, purpose, reason } = deposit;
  const fee = purpose === 'deposit' ? ', without the fee' : '';
  return [
    ['Reason', reason],
    ...(dueCents === null ? [] : [[`Due${fee}`, formatCents(dueCents)] as const]),
    [`Arrived${fee}`, formatCents(amountCents)],
  ];
}

type Rejected = Deposit<never> & { paymentId: string | null };

export function describeRejection({ amountCents, gamerTag, paymentId }: Rejected): string {
  const whom = gamerTag === null ? '' : ` to ${gamerTag}`;
  const notice = gamerTag === null ? '' : ' They get a mail, and your notes stand on their page.';
  return `${formatCents(amountCents)} is not credited${whom}, and ${paymentId === null ? 'each payment' : `payment ${paymentId}`} leaves this list for good.${notice} The coins stay where they arrived. To return them, send them by hand.`;
}
