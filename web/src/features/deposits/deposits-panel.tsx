import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type {
  ApproveDepositRequest,
  ApprovedDeposit,
  ChangedPayment,
  PendingDeposit,
  RejectDepositRequest,
  RejectedDeposit,
} from '../../../../contracts/http/deposits.js';
import type { AdminGamersResponse } from '../../../../contracts/http/gamers.js';
import { formatCents } from '../../../../contracts/money.js';
import { get } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import {
  amountColumn,
  cents,
  coinColumn,
  dateTime,
  GamerName,
  gamerColumn,
  idColumn,
  type TableColumn,
  TwoLines,
  text,
} from '../../shared/lists/data-table.js';
import { type NewestRows, newestRows, POLLED_EVERY_MS, useNewestRows } from '../../shared/lists/list-queries.js';
import { ListTabs, listTab, NewestTable } from '../../shared/lists/list-table.js';
import { ConfirmDialog, Copyable, NotesField, PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, Sum, useFields } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { Notice } from '../../shared/ui/notice.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { EditGamer, gamersKey } from '../gamers/edit-gamer.js';
import { changedPaymentsKey, depositChanges, depositsKey, usePendingDeposits } from './deposit-queries.js';
import { LookupForm } from './payment-lookup.js';

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
  const pending = usePendingDeposits();
  const approved = useNewestRows<ApprovedDeposit>([...depositsKey, 'approved'], { everyMs: POLLED_EVERY_MS });
  const rejected = useNewestRows<RejectedDeposit>([...depositsKey, 'rejected']);
  const changed = useNewestRows<ChangedPayment>(changedPaymentsKey, { everyMs: POLLED_EVERY_MS });
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

/** The deposit as the list has it now. A refused decision reloads the list, and the dialog shows the unseen change. */
const useCurrent = (opened: PendingDeposit): PendingDeposit =>
  usePendingDeposits().query.data?.rows.find(({ id }) => id === opened.id) ?? opened;

export function ApproveDialog({ deposit: opened, onClose }: DecideDialogProps) {
  const deposit = useCurrent(opened);
  const { run } = useCommand<ApproveDepositRequest>('POST', '/api/admin/approve-deposit', {
    what: 'approve deposit',
    failed: 'Approval Failed',
    reloads: depositChanges,
  });
  const { id, gamerTag, amountCents, change } = deposit;
  const amount = formatCents(amountCents);
  const done = { title: 'Deposit Approved', text: `${amount} is in ${gamerTag}’s purchase balance.` };
  return (
    <ConfirmDialog
      title={`Approve ${amount} for ${gamerTag}?`}
      description={withChange(describeApproval(deposit), change)}
      labels={{ cancel: 'Leave it pending', confirm: `Credit ${amount}`, busy: 'Crediting…' }}
      tone="act"
      onClose={onClose}
      onConfirm={() => run({ depositId: id, change }, done)}
    >
      <Sum rows={reviewRows(deposit)} />
    </ConfirmDialog>
  );
}

function RejectDialog({ deposit: opened, onClose }: DecideDialogProps) {
  const deposit = useCurrent(opened);
  const { values, bind } = useFields({ notes: '' });
  const { run } = useCommand<RejectDepositRequest>('POST', '/api/admin/reject-deposit', {
    what: 'reject deposit',
    reloads: depositChanges,
  });
  const { id, change } = deposit;
  const done = { title: 'Deposit Rejected', text: `Payment ${deposit.paymentId} was not credited.` };
  return (
    <ConfirmDialog
      title="Reject this deposit?"
      description={withChange(describeRejection(deposit), change)}
      labels={{ cancel: 'Leave it pending', confirm: 'Reject deposit', busy: 'Rejecting…' }}
      tone="final"
      onClose={onClose}
      onConfirm={() => run({ depositId: id, change, adminNotes: values.notes.trim() || undefined }, done)}
    >
      <Sum rows={reviewRows(deposit)} />
      <NotesField label="Notes, kept in the ledger" {...bind('notes')} />
    </ConfirmDialog>
  );
}

const columns: TableColumn<ChangedPayment>[] = [
  dateTime('Changed', (row) => row.changedAt),
  text('Payment ID', (row) => row.paymentId, {
    cell: ({ paymentId }) => <Copyable what={`payment id ${paymentId}`} text={paymentId} />,
  }),
  text('Gamer', (row) => row.gamerTag, {
    cell: ({ gamerTag, purpose }) => (
      <TwoLines
        first={<GamerName gamerTag={gamerTag} />}
        second={purpose === 'deposit' ? 'for a deposit' : 'for tokens'}
      />
    ),
  }),
  text('Meant for', (row) => describePurpose(row.purpose), { exportOnly: true }),
  cents('Credited', (row) => row.creditedCents, {
    cell: (row) => (
      <TwoLines
        first={row.creditedCents === null ? 'nothing' : formatCents(row.creditedCents)}
        second={outcomes[row.outcome]}
      />
    ),
  }),
  text('Outcome', (row) => outcomes[row.outcome], { exportOnly: true }),
  text('Since then', (row) => row.change, { className: 'said' }),
  { ...coinColumn, exportOnly: true },
];

/** Payments that the gateway changed after we settled them, such as refunds. Token invoices are listed here only. */
export function ChangedPayments({ list }: { list: NewestRows<ChangedPayment> }) {
  const [adjusting, setAdjusting] = useState<{ gamerTag: string; paymentId: string } | null>(null);
  const actions = ({ gamerTag, paymentId, outcome }: ChangedPayment) => {
    if (gamerTag === null || outcome === 'review') return null;
    const label = `Adjust ${gamerTag} for payment ${paymentId}`;
    return (
      <Button kind="line sm" text="Adjust" aria-label={label} onClick={() => setAdjusting({ gamerTag, paymentId })} />
    );
  };
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
        actions={actions}
      />
      {adjusting && <AdjustDialog {...adjusting} onClose={() => setAdjusting(null)} />}
    </div>
  );
}

function AdjustDialog({ gamerTag, paymentId, onClose }: { gamerTag: string; paymentId: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: [...gamersKey, 'named', gamerTag] as const,
    queryFn: async ({ signal }) => {
      const { rows } = await newestRows(
        async (page, pageSize) =>
          (await get<AdminGamersResponse>([...gamersKey, { q: gamerTag, page, pageSize }], signal)).gamers,
      );
      return rows.find((gamer) => gamer.gamerTag === gamerTag) ?? null;
    },
    refetchInterval: POLLED_EVERY_MS,
  });
  return (
    <Dialog wide onClose={onClose} title={`Edit ${gamerTag}`}>
      <QueryResult query={query} what="gamer">
        {(gamer) =>
          gamer === null ? (
            <Notice
              tone="bad"
              title={`No gamer is called ${gamerTag} any more`}
              text="They changed their GamerTag or were deleted."
            />
          ) : (
            <EditGamer key={gamer.id} gamer={gamer} reason={`Payment ${paymentId}`} onGone={onClose} />
          )
        }
      </QueryResult>
    </Dialog>
  );
}

type Deposit<Fields extends keyof PendingDeposit> = Pick<PendingDeposit, 'amountCents' | 'gamerTag' | Fields>;

export function describeApproval({ amountCents, gamerTag, purpose }: Deposit<'purpose'>): string {
  const credit = `${formatCents(amountCents)} goes to ${gamerTag}’s purchase balance`;
  const status = purpose === 'deposit' ? ', and makes them a depositor for 30 days from now' : '';
  return `${credit}${status}. The ledger keeps it: only an adjustment can take it back.`;
}

const withChange = (text: string, change: string | null): string => (change === null ? text : `${change}.\n\n${text}`);

type SumRow = readonly [term: string, value: string];

export function reviewRows(deposit: Deposit<'dueCents' | 'purpose' | 'reason'>): SumRow[] {
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
  return `${nobody} credited ${formatCents(amountCents)}, and payment ${paymentId} leaves this list for good. The coins stay where they arrived. To return them, send them by hand.`;
}

export const describePurpose = (purpose: PendingDeposit['purpose']): string =>
  purpose === 'deposit' ? 'Deposit' : 'Tokens';

const outcomes: Record<ChangedPayment['outcome'], string> = {
  deposit: 'to the balance',
  balance: 'to the balance',
  tokens: 'as tokens',
  review: 'waits for a decision',
  rejected: 'rejected',
};
