import { useState } from 'react';
import type { PendingDeposit } from '../../../../../contracts/http/payments.js';
import { formatCents } from '../../../../../contracts/money.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { toast } from '../../../shared/ui/toasts.js';
import { ConfirmDialog } from '../confirm-dialog.js';
import { NotesField } from '../fields/notes-field.js';
import { approvalText, rejectionText } from './deposit-words.js';
import { useApproveDeposit, useRejectDeposit } from './deposits.queries.js';

export interface Decision {
  deposit: PendingDeposit;
  verdict: 'approve' | 'reject';
}

/** Asks before a deposit is credited or turned down. */
export function DecideDialogs({ decision, onClose }: { decision: Decision | null; onClose: () => void }) {
  if (decision === null) return null;
  const { deposit, verdict } = decision;
  return verdict === 'approve' ? (
    <ApproveDialog deposit={deposit} onClose={onClose} />
  ) : (
    <RejectDialog deposit={deposit} onClose={onClose} />
  );
}

function ApproveDialog({ deposit, onClose }: { deposit: PendingDeposit; onClose: () => void }) {
  const { run, isBusy } = useApproveDeposit();
  const amount = formatCents(deposit.amountCents);
  const approve = async () => {
    try {
      await run({ depositId: deposit.id });
      toast({ title: 'Deposit Approved', text: `${amount} is in ${deposit.gamerTag}’s purchase balance.` });
      onClose();
    } catch (error) {
      toast({ title: 'Approval Failed', text: reasonOf(error, 'Failed to approve deposit'), tone: 'bad' });
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Approve ${amount} for ${deposit.gamerTag}?`}
      what={approvalText(deposit)}
      keep="Leave it pending"
      confirm={`Credit ${amount}`}
      busy="Crediting…"
      isBusy={isBusy}
      tone="act"
      onConfirm={() => void approve()}
    />
  );
}

function RejectDialog({ deposit, onClose }: { deposit: PendingDeposit; onClose: () => void }) {
  const [notes, setNotes] = useState('');
  const { run, isBusy } = useRejectDeposit();
  const reject = async () => {
    try {
      await run({ depositId: deposit.id, ...(notes.trim() === '' ? {} : { adminNotes: notes.trim() }) });
      toast({ title: 'Deposit Rejected', text: `Payment ${deposit.paymentId} was not credited.` });
      onClose();
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to reject deposit'), tone: 'bad' });
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Reject this deposit?"
      what={rejectionText(deposit)}
      keep="Leave it pending"
      confirm="Reject deposit"
      busy="Rejecting…"
      isBusy={isBusy}
      tone="final"
      onConfirm={() => void reject()}
    >
      <NotesField label="Notes, kept in the ledger" value={notes} onChange={setNotes} />
    </ConfirmDialog>
  );
}
