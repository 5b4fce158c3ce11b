import { type ReactNode, useRef, useState } from 'react';
import type {
  ApproveDepositRequest,
  ApprovedDeposit,
  PendingDeposit,
  RejectDepositRequest,
  RejectedDeposit,
} from '../../../../contracts/http/payments.js';
import { formatCents } from '../../../../contracts/money.js';
import { Button, Sum, useFields } from '../../shared/ui/controls.js';
import { depositChanges, depositsKey, useAdminCommand, usePendingDeposits, usePower } from './admin.queries.js';
import { ConfirmDialog, NotesField, PanelHead } from './admin-parts.js';
import { ChangedPayments, useChangedPayments } from './changed-payments.js';
import { DailyChart } from './daily-chart.js';
import { describeApproval, describePurpose, describeRejection, reviewRows } from './deposit-descriptions.js';
import { amountColumn, coinColumn, dateTime, gamerColumn, idColumn, type TableColumn, text } from './lists/columns.js';
import { useNewestRows } from './lists/list-queries.js';
import { ListTabs, listTab } from './lists/list-table.js';
import { LookupForm } from './lookup-form.js';

const createdColumn = dateTime<{ createdAt: number }>('Created', (row) => row.createdAt);
const changeColumn = text<{ change: string | null }>('Since then', (row) => row.change);
const paymentColumns = [
  text<{ paymentId: string }>('Payment ID', (row) => row.paymentId, { className: 'code' }),
  gamerColumn,
  amountColumn,
  coinColumn,
];

const pendingColumns: TableColumn<PendingDeposit>[] = [
  createdColumn,
  ...paymentColumns,
  text('Meant for', (row) => describePurpose(row.purpose)),
  text('Reason', (row) => row.reason),
  changeColumn,
  idColumn,
];
const rejectedColumns: TableColumn<RejectedDeposit>[] = [
  dateTime('Rejected', (row) => row.rejectedAt),
  ...pendingColumns,
];
const approvedColumns: TableColumn<ApprovedDeposit>[] = [
  dateTime('Approved', (row) => row.approvedAt),
  ...paymentColumns,
  changeColumn,
  createdColumn,
  idColumn,
];

export function DepositsPanel({ title }: { title: ReactNode }) {
  const isAdmin = usePower();
  const pending = usePendingDeposits();
  const approved = useNewestRows<ApprovedDeposit>([...depositsKey, 'approved']);
  const rejected = useNewestRows<RejectedDeposit>([...depositsKey, 'rejected']);
  const changed = useChangedPayments();
  const [paymentId, setPaymentId] = useState('');
  const [decision, setDecision] = useState<{ deposit: PendingDeposit; verdict: 'approve' | 'reject' } | null>(null);
  const lookupField = useRef<HTMLInputElement>(null);
  // A payment without a known gamer cannot be approved: it is assigned to a gamer by a lookup.
  const pendingActions = (deposit: PendingDeposit) => {
    const payment = `payment ${deposit.paymentId}`;
    const assign = () => {
      setPaymentId(deposit.paymentId);
      lookupField.current?.focus();
    };
    const decide = (verdict: 'approve' | 'reject') => () => setDecision({ deposit, verdict });
    return (
      <>
        {deposit.gamerTag === null ? (
          <Button kind="line sm" text="Assign" aria-label={`Assign ${payment}`} onClick={assign} />
        ) : (
          <Button kind="line sm" text="Approve" aria-label={`Approve ${payment}`} onClick={decide('approve')} />
        )}
        <Button kind="danger sm" text="Reject" aria-label={`Reject ${payment}`} onClick={decide('reject')} />
      </>
    );
  };
  const close = () => setDecision(null);
  return (
    <>
      <PanelHead title={title} />
      <LookupForm paymentId={paymentId} onPaymentId={setPaymentId} fieldRef={lookupField} />
      {isAdmin && <DailyChart show="deposits" />}
      <ListTabs
        label="Deposits"
        tabs={[
          listTab('Deposits', 'Pending', pending, {
            columns: pendingColumns,
            empty: 'No payment is waiting for a decision.',
            actions: pendingActions,
          }),
          listTab('Deposits', 'Approved', approved, {
            columns: approvedColumns,
            empty: 'Credited payments will be listed here.',
          }),
          listTab('Deposits', 'Rejected', rejected, {
            columns: rejectedColumns,
            empty: 'Rejected payments will be listed here.',
          }),
          { title: 'Changed', rows: changed.query.data, content: <ChangedPayments list={changed} /> },
        ]}
      />
      {decision?.verdict === 'approve' && <ApproveDialog deposit={decision.deposit} onClose={close} />}
      {decision?.verdict === 'reject' && <RejectDialog deposit={decision.deposit} onClose={close} />}
    </>
  );
}

interface DecideDialogProps {
  deposit: PendingDeposit;
  onClose: () => void;
}

export function ApproveDialog({ deposit, onClose }: DecideDialogProps) {
  const failed = { title: 'Approval Failed', what: 'approve deposit' };
  const { run } = useAdminCommand<ApproveDepositRequest>('POST', 'approve-deposit', failed, ...depositChanges);
  const { id, gamerTag, amountCents } = deposit;
  const amount = formatCents(amountCents);
  const done = { title: 'Deposit Approved', text: `${amount} is in ${gamerTag}’s purchase balance.` };
  return (
    <ConfirmDialog
      title={`Approve ${amount} for ${gamerTag}?`}
      description={describeApproval(deposit)}
      labels={{ cancel: 'Leave it pending', confirm: `Credit ${amount}`, busy: 'Crediting…' }}
      tone="act"
      onClose={onClose}
      onConfirm={() => run({ depositId: id }, done)}
    >
      <Sum rows={reviewRows(deposit)} />
    </ConfirmDialog>
  );
}

function RejectDialog({ deposit, onClose }: DecideDialogProps) {
  const { values, bind } = useFields({ notes: '' });
  const { run } = useAdminCommand<RejectDepositRequest>('POST', 'reject-deposit', 'reject deposit', ...depositChanges);
  const done = { title: 'Deposit Rejected', text: `Payment ${deposit.paymentId} was not credited.` };
  return (
    <ConfirmDialog
      title="Reject this deposit?"
      description={describeRejection(deposit)}
      labels={{ cancel: 'Leave it pending', confirm: 'Reject deposit', busy: 'Rejecting…' }}
      tone="final"
      onClose={onClose}
      onConfirm={() => run({ depositId: deposit.id, adminNotes: values.notes.trim() || undefined }, done)}
    >
      <NotesField label="Notes, kept in the ledger" {...bind('notes')} />
    </ConfirmDialog>
  );
}
