import { type ReactNode, useRef, useState } from 'react';
import type * as http from '../../../../contracts/http/deposits.js';
import { useCommand } from '../../shared/api/use-api.js';
import { formatCents } from '../../shared/format.js';
import { column, GamerName, type TableColumn, TwoLines } from '../../shared/lists/data-table.js';
import { type NewestRows, POLLED_EVERY_MS, useNewestRows } from '../../shared/lists/list-queries.js';
import { ListTabs, listTab, NewestTable } from '../../shared/lists/list-table.js';
import { ConfirmDialog, Copyable, NotesField, notesLabel, PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, type PairRow, Sum, useFields } from '../../shared/ui/controls.js';
import { depositsKey, LookupForm, usePendingDeposits } from './payment-lookup.js';

const createdColumn = column.dateTime<{ createdAt: number }>('Created', (row) => row.createdAt);
const changeColumn = column.text<{ change: string | null }>('Since then', (row) => row.change);
const byColumn = column.text<{ decidedBy: string | null }>('By', (row) => row.decidedBy);
const paymentColumns = [
  column.text<{ paymentId: string }>('Payment ID', (row) => row.paymentId, { className: 'code' }),
  column.gamer,
  column.amount,
  column.coin,
];

const pendingColumns: TableColumn<http.PendingDeposit>[] = [
  createdColumn,
  ...paymentColumns,
  column.text('Meant for', (row) => describePurpose(row.purpose)),
  column.text('Reason', (row) => row.reason),
  changeColumn,
  column.id,
];
const rejectedColumns: TableColumn<http.RejectedDeposit>[] = [
  column.dateTime('Rejected', (row) => row.rejectedAt),
  ...pendingColumns,
  byColumn,
];
const approvedColumns: TableColumn<http.ApprovedDeposit>[] = [
  column.dateTime('Approved', (row) => row.approvedAt),
  ...paymentColumns,
  changeColumn,
  createdColumn,
  byColumn,
  column.id,
];

export function DepositsPanel({ title }: { title: ReactNode }) {
  const pending = usePendingDeposits();
  const approved = useNewestRows<http.ApprovedDeposit>([...depositsKey, 'approved'], { everyMs: POLLED_EVERY_MS });
  const rejected = useNewestRows<http.RejectedDeposit>([...depositsKey, 'rejected']);
  const changed = useNewestRows<http.ChangedPayment>(['/api', 'admin', 'payments', 'changed'], {
    everyMs: POLLED_EVERY_MS,
  });
  const [paymentId, setPaymentId] = useState('');
  const [decision, setDecision] = useState<Decision | null>(null);
  const lookupField = useRef<HTMLInputElement>(null);
  // A payment without a known gamer cannot be approved: it is assigned to a gamer by a lookup.
  const pendingActions = (deposit: http.PendingDeposit) => {
    const payment = `payment ${deposit.paymentId}`;
    const assign = () => {
      setPaymentId(deposit.paymentId);
      lookupField.current?.focus();
    };
    const decide = (verdict: Decision['verdict']) => () => setDecision({ deposit, verdict });
    return (
      <>
        {deposit.gamerTag === null ? (
          <Button kind="line sm" text="Assign" of={payment} onClick={assign} />
        ) : (
          <Button kind="line sm" text="Approve" of={payment} onClick={decide('approve')} />
        )}
        <Button kind="danger sm" text="Reject" of={payment} onClick={decide('reject')} />
      </>
    );
  };
  return (
    <>
      <PanelHead title={title} />
      <LookupForm paymentId={paymentId} onPaymentId={setPaymentId} fieldRef={lookupField} />
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
      {decision && <DecideDialog {...decision} onClose={() => setDecision(null)} />}
    </>
  );
}

interface Decision {
  deposit: http.PendingDeposit;
  verdict: 'approve' | 'reject';
}

export function DecideDialog({ deposit: opened, verdict, onClose }: Decision & { onClose: () => void }) {
  // A refused decision reloads the list, and the dialog shows the unseen change.
  const deposit = usePendingDeposits().query.data?.rows.find(({ id }) => id === opened.id) ?? opened;
  const { id, gamerTag, paymentId, amountCents, change } = deposit;
  const isApproval = verdict === 'approve';
  const { values, bind } = useFields({ notes: '' });
  const path = `/api/admin/${verdict}-deposit`;
  const { run } = useCommand<http.ApproveDepositRequest | http.RejectDepositRequest>('POST', path, {
    what: `${verdict} deposit`,
    failed: isApproval ? 'Approval Failed' : 'Update Failed',
  });
  const amount = formatCents(amountCents);
  const description = isApproval ? describeApproval(deposit) : describeRejection(deposit);
  const labels = isApproval
    ? { cancel: 'Leave it pending', confirm: `Credit ${amount}`, busy: 'Crediting…' }
    : { cancel: 'Leave it pending', confirm: 'Reject deposit', busy: 'Rejecting…' };
  const done = isApproval
    ? { title: 'Deposit Approved', text: `${amount} is in ${gamerTag}’s purchase balance.` }
    : { title: 'Deposit Rejected', text: `Payment ${paymentId} was not credited.` };
  const adminNotes = values.notes.trim() || undefined;
  return (
    <ConfirmDialog
      title={isApproval ? `Approve ${amount} for ${gamerTag}?` : 'Reject this deposit?'}
      description={change === null ? description : `${change}.\n\n${description}`}
      labels={labels}
      tone={isApproval ? 'act' : 'final'}
      onClose={onClose}
      onConfirm={() => run({ depositId: id, change, ...(!isApproval && { adminNotes }) }, done)}
    >
      <Sum rows={reviewRows(deposit)} />
      {!isApproval && <NotesField label={notesLabel(gamerTag)} {...bind('notes')} />}
    </ConfirmDialog>
  );
}

const columns: TableColumn<http.ChangedPayment>[] = [
  column.dateTime('Changed', (row) => row.changedAt),
  column.text('Payment ID', (row) => row.paymentId, {
    cell: ({ paymentId }) => <Copyable what={`payment id ${paymentId}`} text={paymentId} />,
  }),
  column.text('Gamer', (row) => row.gamerTag, {
    cell: ({ purpose, ...gamer }) => (
      <TwoLines first={<GamerName {...gamer} />} second={purpose === 'deposit' ? 'for a deposit' : 'for tokens'} />
    ),
  }),
  column.text('Meant for', (row) => describePurpose(row.purpose), { exportOnly: true }),
  column.cents('Credited', (row) => row.creditedCents, {
    cell: (row) => (
      <TwoLines
        first={row.creditedCents === null ? 'nothing' : formatCents(row.creditedCents)}
        second={outcomes[row.outcome]}
      />
    ),
  }),
  column.text('Outcome', (row) => outcomes[row.outcome], { exportOnly: true }),
  column.text('Since then', (row) => row.change, { className: 'said' }),
  { ...column.coin, exportOnly: true },
];

/** Payments that the gateway changed after we settled them, such as refunds. Token invoices are listed here only. */
export function ChangedPayments({ list }: { list: NewestRows<http.ChangedPayment> }) {
  return (
    <div className="grid gap-4">
      {list.query.data !== undefined && list.query.data.rows.length > 0 && (
        <p className="t14 dim max-w-[44rem]">
          A refund, or money that came later, moves no balance by itself. Settle it by adjusting the gamer’s balance,
          with the payment’s id as the reason; what still waits is decided under Pending. Payments stay listed here,
          settled or not.
        </p>
      )}
      <NewestTable
        list={list}
        name="Payments changed"
        what="changed payments"
        columns={columns}
        empty="Payments that changed after they were settled, such as refunds, will be listed here."
      />
    </div>
  );
}

type Deposit<Fields extends keyof http.PendingDeposit> = Pick<http.PendingDeposit, 'amountCents' | 'gamerTag' | Fields>;

export function describeApproval({ amountCents, gamerTag, purpose }: Deposit<'purpose'>): string {
  const credit = `${formatCents(amountCents)} goes to ${gamerTag}’s purchase balance`;
  const status = purpose === 'deposit' ? ', and makes them a depositor for 30 days from now' : '';
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

export function describeRejection({ amountCents, gamerTag, paymentId }: Deposit<'paymentId'>): string {
  const nobody = gamerTag === null ? 'Nobody is' : `${gamerTag} is not`;
  const notice = gamerTag === null ? '' : ' They get a mail, and your notes stand on their page.';
  return `${nobody} credited ${formatCents(amountCents)}, and payment ${paymentId} leaves this list for good.${notice} The coins stay where they arrived. To return them, send them by hand.`;
}

export const describePurpose = (purpose: http.PendingDeposit['purpose']): string =>
  purpose === 'deposit' ? 'Deposit' : 'Tokens';

const outcomes: Record<http.ChangedPayment['outcome'], string> = {
  approved: 'to the balance',
  balance: 'to the balance',
  tokens: 'as tokens',
  pending: 'waits for a decision',
  rejected: 'rejected',
};
