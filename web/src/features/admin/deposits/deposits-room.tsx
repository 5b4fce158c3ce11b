import { type ReactNode, useRef, useState } from 'react';
import type { ApprovedDeposit, PendingDeposit, RejectedDeposit } from '../../../../../contracts/http/payments.js';
import { Listed } from '../../../shared/ui/listed.js';
import { DailyChart } from '../chart/daily-chart.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { ListTabs } from '../lists/list-tabs.js';
import { ChangedPayments } from './changed-payments.js';
import { DecideDialogs, type Decision } from './decide-dialogs.js';
import { purposeText } from './deposit-words.js';
import {
  useApprovedDeposits,
  useChangedPayments,
  usePendingDeposits,
  useRejectedDeposits,
} from './deposits.queries.js';
import { GamerName } from './gamer-name.js';
import { LookupForm } from './lookup-form.js';

const pendingColumns: ShownColumn<PendingDeposit>[] = [
  { label: 'Created', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Payment ID', kind: 'text', className: 'code', value: (row) => row.paymentId },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <GamerName gamerTag={row.gamerTag} /> },
  { label: 'Amount', kind: 'cents', value: (row) => row.amountCents },
  { label: 'Coin', kind: 'text', value: (row) => row.cryptoType },
  { label: 'Meant for', kind: 'text', value: (row) => purposeText(row.purpose) },
  { label: 'Why it waits', kind: 'text', value: (row) => row.reason },
  { label: 'Since then', kind: 'text', value: (row) => row.change },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];
const rejectedColumns: ShownColumn<RejectedDeposit>[] = [
  { label: 'Rejected', kind: 'moment', value: (row) => row.rejectedAt },
  ...pendingColumns,
];
const approvedColumns: ShownColumn<ApprovedDeposit>[] = [
  { label: 'Approved', kind: 'moment', value: (row) => row.approvedAt },
  { label: 'Payment ID', kind: 'text', className: 'code', value: (row) => row.paymentId },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <GamerName gamerTag={row.gamerTag} /> },
  { label: 'Amount', kind: 'cents', value: (row) => row.amountCents },
  { label: 'Coin', kind: 'text', value: (row) => row.cryptoType },
  { label: 'Since then', kind: 'text', value: (row) => row.change },
  { label: 'Created', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];

/** Payments: looked up at the gateway, waiting for a decision, decided, and changed since then. */
export function DepositsRoom({ title }: { title: ReactNode }) {
  const pending = usePendingDeposits();
  const approved = useApprovedDeposits();
  const rejected = useRejectedDeposits();
  const changed = useChangedPayments();
  const [paymentId, setPaymentId] = useState('');
  const [decision, setDecision] = useState<Decision | null>(null);
  const lookupField = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="room-h">{title}</div>
      <LookupForm paymentId={paymentId} onPaymentId={setPaymentId} fieldRef={lookupField} />
      <DailyChart show="deposits" />
      <ListTabs
        label="Deposits"
        tabs={[
          {
            title: 'Pending',
            list: pending.query.data,
            content: (
              <Listed query={pending.query} what="pending deposits">
                {({ rows }) => (
                  <ListTable
                    name="Deposits pending"
                    columns={pendingColumns}
                    rows={rows}
                    empty="No payment waits for a decision."
                    searchLabel="Search pending deposits"
                    older={pending.older}
                    actions={(deposit) => (
                      <PendingActions
                        deposit={deposit}
                        onDecide={(verdict) => setDecision({ deposit, verdict })}
                        onAssign={() => {
                          setPaymentId(deposit.paymentId);
                          lookupField.current?.focus();
                        }}
                      />
                    )}
                  />
                )}
              </Listed>
            ),
          },
          {
            title: 'Approved',
            list: approved.query.data,
            content: (
              <Listed query={approved.query} what="approved deposits">
                {({ rows }) => (
                  <ListTable
                    name="Deposits approved"
                    columns={approvedColumns}
                    rows={rows}
                    empty="What has been credited will be listed here."
                    searchLabel="Search approved deposits"
                    older={approved.older}
                  />
                )}
              </Listed>
            ),
          },
          {
            title: 'Rejected',
            list: rejected.query.data,
            content: (
              <Listed query={rejected.query} what="rejected deposits">
                {({ rows }) => (
                  <ListTable
                    name="Deposits rejected"
                    columns={rejectedColumns}
                    rows={rows}
                    empty="What has been put aside without being credited will be listed here."
                    searchLabel="Search rejected deposits"
                    older={rejected.older}
                  />
                )}
              </Listed>
            ),
          },
          { title: 'Changed', list: changed.query.data, content: <ChangedPayments {...changed} /> },
        ]}
      />
      <DecideDialogs decision={decision} onClose={() => setDecision(null)} />
    </>
  );
}

interface PendingActionsProps {
  deposit: PendingDeposit;
  onDecide: (verdict: Decision['verdict']) => void;
  onAssign: () => void;
}

/** Nobody can be credited before somebody is known: such a payment is looked up and assigned. */
function PendingActions({ deposit, onDecide, onAssign }: PendingActionsProps) {
  return (
    <>
      {deposit.gamerTag === null ? (
        <button
          type="button"
          className="btn btn--line btn--sm"
          aria-label={`Assign payment ${deposit.paymentId}`}
          onClick={onAssign}
        >
          Assign
        </button>
      ) : (
        <button
          type="button"
          className="btn btn--line btn--sm"
          aria-label={`Approve payment ${deposit.paymentId}`}
          onClick={() => onDecide('approve')}
        >
          Approve
        </button>
      )}
      <button
        type="button"
        className="btn btn--danger btn--sm"
        aria-label={`Reject payment ${deposit.paymentId}`}
        onClick={() => onDecide('reject')}
      >
        Reject
      </button>
    </>
  );
}
