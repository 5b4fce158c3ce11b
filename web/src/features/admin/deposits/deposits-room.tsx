import { type ReactNode, useRef, useState } from 'react';
import type { ApprovedDeposit, PendingDeposit } from '../../../../../contracts/http/payments.js';
import { useServerNow } from '../../../shared/clock/use-server-now.js';
import { DayChart } from '../chart/day-chart.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { ListTabs } from '../lists/list-tabs.js';
import { Listed } from '../lists/listed.js';
import { DecideDialogs, type Decision } from './decide-dialogs.js';
import { useApprovedDeposits, usePendingDeposits } from './deposits.queries.js';
import { depositsByDay } from './deposits-by-day.js';
import { LookupForm } from './lookup-form.js';

const GamerName = ({ gamerTag }: { gamerTag: string | null }) =>
  gamerTag === null ? <span className="dim">none</span> : <b>{gamerTag}</b>;

const pendingColumns: ShownColumn<PendingDeposit>[] = [
  { label: 'Created', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Payment ID', kind: 'text', className: 'code', value: (row) => row.paymentId },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <GamerName gamerTag={row.gamerTag} /> },
  { label: 'Amount', kind: 'cents', value: (row) => row.amountCents },
  { label: 'Coin', kind: 'text', value: (row) => row.cryptoType },
  { label: 'Meant for', kind: 'text', value: (row) => (row.purpose === 'deposit' ? 'Deposit' : 'Tokens') },
  { label: 'Why it waits', kind: 'text', value: (row) => row.reason },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];
const approvedColumns: ShownColumn<ApprovedDeposit>[] = [
  { label: 'Approved', kind: 'moment', value: (row) => row.approvedAt },
  { label: 'Payment ID', kind: 'text', className: 'code', value: (row) => row.paymentId },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <GamerName gamerTag={row.gamerTag} /> },
  { label: 'Amount', kind: 'cents', value: (row) => row.amountCents },
  { label: 'Coin', kind: 'text', value: (row) => row.cryptoType },
  { label: 'Created', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];

/** Payments: looked up at the gateway, waiting for a decision, and credited. */
export function DepositsRoom({ title }: { title: ReactNode }) {
  const pending = usePendingDeposits();
  const approved = useApprovedDeposits();
  const [paymentId, setPaymentId] = useState('');
  const [decision, setDecision] = useState<Decision | null>(null);
  const lookupField = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="room-h">{title}</div>
      <LookupForm paymentId={paymentId} onPaymentId={setPaymentId} fieldRef={lookupField} />
      <ListTabs
        label="Deposits"
        tabs={[
          {
            title: 'Pending',
            count: pending.query.data?.rows.length,
            content: (
              <Listed query={pending.query} what="pending deposits">
                {({ rows, isWhole }) => (
                  <ListTable
                    name="Deposits pending"
                    columns={pendingColumns}
                    rows={rows}
                    empty="No payment waits for a decision."
                    searchLabel="Search pending deposits"
                    onOlder={isWhole ? undefined : pending.showOlder}
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
            count: approved.query.data?.rows.length,
            content: (
              <Listed query={approved.query} what="approved deposits">
                {({ rows, isWhole }) => (
                  <>
                    <DepositChart deposits={rows} isWhole={isWhole} />
                    <ListTable
                      name="Deposits approved"
                      columns={approvedColumns}
                      rows={rows}
                      empty="What has been credited will be listed here."
                      searchLabel="Search approved deposits"
                      onOlder={isWhole ? undefined : approved.showOlder}
                    />
                  </>
                )}
              </Listed>
            ),
          },
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

const CHART_DAYS = 14;

function DepositChart({ deposits, isWhole }: { deposits: ApprovedDeposit[]; isWhole: boolean }) {
  const nowEpochMs = useServerNow(60_000);
  const days = depositsByDay(deposits, { isWhole, days: CHART_DAYS, nowEpochMs });
  if (days.length < 2 || days.every(({ count }) => count === 0)) return null;
  return <DayChart what="Deposits credited, without the fee" unit="deposit" days={days} />;
}
