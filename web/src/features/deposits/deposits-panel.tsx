import { type ReactNode, useRef, useState } from 'react';
import type * as http from '../../../../contracts/http/deposits.js';
import { formatCents } from '../../shared/format.js';
import { column, GamerName, type TableColumn, TwoLines } from '../../shared/lists/data-table.js';
import {
  ListTabs,
  listTab,
  type NewestRows,
  NewestTable,
  POLLED_EVERY_MS,
  rowsOf,
  useNewestRows,
} from '../../shared/lists/list-table.js';
import { type DecisionProps, Queue, type QueueAction, sumOf, sumText, useDecision } from '../../shared/lists/queue.js';
import { ConfirmDialog, Copyable, NotesField, notesLabel, PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, PageLink, type PairRow, Pairs } from '../../shared/ui/controls.js';
import { depositsKey, LookupForm, usePendingDeposits } from './payment-lookup.js';

const createdColumn = column.dateTime<{ createdAt: number }>('Created', (row) => row.createdAt);
const changeColumn = column.text<{ change: string | null }>('Since then', (row) => row.change);
const byColumn = column.text<{ settledBy: string | null }>('By', (row) => row.settledBy);
const paymentColumns = [
  column.text<{ paymentId: string }>('Payment ID', (row) => row.paymentId, { className: 'code' }),
  column.gamer,
  { ...column.amount, cell: ArrivedAmount },
  column.coin,
];

function ArrivedAmount({ amountCents, dueCents }: { amountCents: number; dueCents?: number | null }) {
  const arrived = formatCents(amountCents);
  if (!dueCents || dueCents === amountCents) return arrived;
  return <TwoLines first={arrived} second={`of ${formatCents(dueCents)} arrived`} />;
}

const pendingColumns: TableColumn<http.PendingDeposit>[] = [
  createdColumn,
  ...paymentColumns,
  column.text('Meant for', (row) => describePurpose(row.purpose)),
  column.text('Reason', (row) => row.reason),
  changeColumn,
  column.id,
];
const rejectedColumns: TableColumn<http.RejectedDeposit>[] = [
  column.dateTime('Rejected', (row) => row.rejectedAtMs),
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

/** Fields of a pending deposit that the list of approved ones does not have. */
const APPROVED = { outcome: 'approved', purpose: 'deposit', dueCents: null, reason: '' } as const;

const paymentOf = ({ paymentId }: http.PendingDeposit): string => `payment ${paymentId}`;

const actionOf = (letter: string, text: string, isApproval: boolean): QueueAction<http.PendingDeposit> => ({
  letter,
  text,
  kind: isApproval ? 'line' : 'danger',
  offers: ({ gamerTag }) => gamerTag !== null || !isApproval,
  dialog: (props) => <DepositDialog {...props} isApproval={isApproval} />,
});

export function DepositsPanel({ title }: { title: ReactNode }) {
  const pending = usePendingDeposits();
  const approved = useNewestRows<http.ApprovedDeposit>([...depositsKey, 'approved'], { everyMs: POLLED_EVERY_MS });
  const rejected = useNewestRows<http.RejectedDeposit>([...depositsKey, 'rejected']);
  const changed = useNewestRows<http.ChangedPayment>(['/api', 'admin', 'payments', 'changed'], {
    everyMs: POLLED_EVERY_MS,
  });
  const [paymentId, setPaymentId] = useState('');
  const lookupField = useRef<HTMLInputElement>(null);
  // A payment without a known gamer cannot be approved: it is assigned to a gamer by a lookup.
  const assign = (deposit: http.PendingDeposit) => {
    setPaymentId(deposit.paymentId);
    lookupField.current?.focus();
  };
  const queue = (
    <Queue
      list={pending}
      settled={[
        ...rowsOf(approved).map((row) => ({ ...APPROVED, ...row, settledAtMs: row.approvedAt })),
        ...rowsOf(rejected).map((row) => ({ ...row, outcome: 'rejected', settledAtMs: row.rejectedAtMs })),
      ]}
      name="Deposits pending"
      noun="pending deposits"
      empty="No payment is waiting for a decision."
      columns={pendingColumns}
      decisions={[actionOf('a', 'Approve', true), actionOf('r', 'Reject', false)]}
      nameOf={paymentOf}
      actions={(row) =>
        row.gamerTag === null && <Button kind="line sm" text="Assign" of={paymentOf(row)} onClick={() => assign(row)} />
      }
    />
  );
  return (
    <>
      <PanelHead title={title} />
      <LookupForm paymentId={paymentId} onPaymentId={setPaymentId} fieldRef={lookupField} />
      <ListTabs
        label="Deposits"
        tabs={[
          { title: 'Pending', rows: pending.data, content: queue },
          listTab('Deposits', 'Approved', approved, {
            columns: approvedColumns,
            empty: 'Credited payments will be listed here.',
          }),
          listTab('Deposits', 'Rejected', rejected, {
            columns: rejectedColumns,
            empty: 'Rejected payments will be listed here.',
          }),
          { title: 'Changed', rows: changed.data, content: <ChangedPayments list={changed} /> },
        ]}
      />
    </>
  );
}

const columns: TableColumn<http.ChangedPayment>[] = [
  column.dateTime('Changed', (row) => row.changedAtMs),
  column.text('Payment ID', (row) => row.paymentId, {
    cell: ({ paymentId }) => <Copyable noun={`payment id ${paymentId}`} text={paymentId} />,
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
const ChangedPayments = ({ list }: { list: NewestRows<http.ChangedPayment> }) => (
  <div className="grid gap-4">
    {list.data !== undefined && list.data.rows.length > 0 && (
      <p className="t14 dim max-w-[44rem]">
        A refund, or money that came later, moves no balance by itself. Settle it by adjusting the gamer’s balance, with
        the payment’s id as the reason; what still waits is decided under Pending. Payments stay listed here, settled or
        not.
      </p>
    )}
    <NewestTable
      list={list}
      name="Payments changed"
      noun="changed payments"
      columns={columns}
      empty="Payments that changed after they were settled, such as refunds, will be listed here."
      actions={({ outcome, gamerId, gamerTag, paymentId }) =>
        outcome !== 'pending' &&
        gamerId !== null && (
          <PageLink
            className="btn btn--line btn--sm"
            to="/admin/gamers/$gamerId"
            params={{ gamerId }}
            search={{ reason: `Payment ${paymentId}` } as never}
            aria-label={`Adjust ${gamerTag} for payment ${paymentId}`}
            text="Adjust"
          />
        )
      }
    />
  </div>
);

const describePurpose = (purpose: http.PendingDeposit['purpose']): string =>
  purpose === 'deposit' ? 'Deposit' : 'Tokens';

const outcomes: Record<http.ChangedPayment['outcome'], string> = {
  approved: 'to the balance',
  balance: 'to the balance',
  tokens: 'as tokens',
  pending: 'waits for a decision',
  rejected: 'rejected',
};

function DepositDialog({ isApproval, rows, ...dialog }: DecisionProps<http.PendingDeposit> & { isApproval: boolean }) {
  const [first, ...others] = rows;
  const isSingle = others.length === 0;
  const [notes, setNotes] = useState('');
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
      body: { depositId, change, ...(!isApproval && { adminNotes: notes.trim() || undefined }) },
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
      {isSingle && <Pairs rows={reviewRows(first)} />}
      {!isApproval && <NotesField label={notesLabel(gamerTag)} value={notes} onChange={setNotes} />}
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

type Rejection = Deposit<never> & { paymentId: string | null };

export function describeRejection({ amountCents, gamerTag, paymentId }: Rejection): string {
  const whom = gamerTag === null ? '' : ` to ${gamerTag}`;
  const notice = gamerTag === null ? '' : ' They get a mail, and your notes stand on their page.';
  return `${formatCents(amountCents)} is not credited${whom}, and ${paymentId === null ? 'each payment' : `payment ${paymentId}`} leaves this list for good.${notice} The coins stay where they arrived. To return them, send them by hand.`;
}
