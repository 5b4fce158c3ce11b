import { type ReactNode, useState } from 'react';
import type { Withdrawal } from '../../../../../contracts/http/withdrawals.js';
import { formatCents } from '../../../../../contracts/money.js';
import { counted } from '../../../shared/format/clock-text.js';
import { shortened } from '../../../shared/lists/columns.js';
import { Listed } from '../../../shared/ui/listed.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { ListTabs } from '../lists/list-tabs.js';
import { SettleDialog } from './settle-dialog.js';
import { statusNames } from './settlement.js';
import { StatusChip } from './status-chip.js';
import { useUpdateWithdrawal, useWithdrawals } from './withdrawals.queries.js';

const requested: ShownColumn<Withdrawal>[] = [
  { label: 'Requested', kind: 'moment', value: (row) => row.createdAt },
  { label: 'Gamer', kind: 'text', value: (row) => row.gamerTag, cell: (row) => <b>{row.gamerTag}</b> },
  { label: 'Amount', kind: 'cents', value: (row) => row.amountCents },
  { label: 'Coin', kind: 'text', value: (row) => row.cryptoType },
  {
    label: 'Wallet',
    kind: 'text',
    className: 'code',
    value: (row) => row.walletAddress,
    cell: (row) => <span title={row.walletAddress}>{shortened(row.walletAddress)}</span>,
  },
  {
    label: 'Status',
    kind: 'text',
    value: (row) => statusNames[row.status],
    cell: (row) => <StatusChip status={row.status} />,
  },
];
const kept: ShownColumn<Withdrawal>[] = [
  { label: 'Transaction', kind: 'text', value: (row) => row.txid, exportOnly: true },
  { label: 'Notes', kind: 'text', value: (row) => row.adminNotes, exportOnly: true },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];
const pendingColumns = [...requested, ...kept];
const settledColumns: ShownColumn<Withdrawal>[] = [
  { label: 'Settled', kind: 'moment', value: (row) => row.processedAt },
  ...pendingColumns,
];

/** Gamers' withdrawals: those that wait, and those that are settled. */
export function WithdrawalsRoom({ title }: { title: ReactNode }) {
  const pending = useWithdrawals('pending');
  const completed = useWithdrawals('completed');
  const [open, setOpen] = useState<Withdrawal | null>(null);
  const { run, isBusy } = useUpdateWithdrawal();
  return (
    <>
      <div className="room-h">
        {title}
        {pending.query.data && <p className="t14 dim num">{reservedText(pending.query.data)}</p>}
      </div>
      <ListTabs
        label="Withdrawals"
        tabs={[
          {
            title: 'Pending',
            list: pending.query.data,
            content: (
              <Listed query={pending.query} what="pending withdrawals">
                {({ rows }) => (
                  <ListTable
                    name="Withdrawals pending"
                    columns={pendingColumns}
                    rows={rows}
                    empty="Nobody waits for a payout."
                    searchLabel="Search pending withdrawals"
                    older={pending.older}
                    actions={(row) => (
                      <button
                        type="button"
                        className="btn btn--text btn--sm"
                        aria-label={`Update ${row.gamerTag}’s withdrawal of ${formatCents(row.amountCents)}`}
                        onClick={() => setOpen(row)}
                      >
                        Update
                      </button>
                    )}
                  />
                )}
              </Listed>
            ),
          },
          {
            title: 'Completed',
            list: completed.query.data,
            content: (
              <Listed query={completed.query} what="completed withdrawals">
                {({ rows }) => (
                  <ListTable
                    name="Withdrawals completed"
                    columns={settledColumns}
                    rows={rows}
                    empty="What has been paid out or returned will be listed here."
                    searchLabel="Search completed withdrawals"
                    older={completed.older}
                  />
                )}
              </Listed>
            ),
          },
        ]}
      />
      <SettleDialog
        withdrawal={open}
        gamerTag={open?.gamerTag ?? ''}
        isBusy={isBusy}
        onClose={() => setOpen(null)}
        onUpdate={({ id }, update) => run({ id, update })}
      />
    </>
  );
}

function reservedText(pending: { rows: readonly Withdrawal[]; isWhole: boolean }): string {
  const { rows, isWhole } = pending;
  if (rows.length === 0) return 'Nothing is reserved';
  const cents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const text = `${formatCents(cents)} reserved in ${counted(rows.length, 'request')}`;
  return isWhole ? text : `More than ${text}`;
}
