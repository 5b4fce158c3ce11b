import { type ReactNode, useState } from 'react';
import type { Withdrawal } from '../../../../../contracts/http/withdrawals.js';
import { formatCents } from '../../../../../contracts/money.js';
import { counted } from '../../../shared/format/clock-text.js';
import { shortened } from '../lists/columns.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { ListTabs } from '../lists/list-tabs.js';
import { Listed } from '../lists/listed.js';
import { SettleDialog } from './settle-dialog.js';
import { isUnsettled, statusNames } from './settlement.js';
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
  const { query, showOlder } = useWithdrawals();
  const [open, setOpen] = useState<Withdrawal | null>(null);
  const { run, isBusy } = useUpdateWithdrawal();
  const rows = query.data?.rows ?? [];
  const pending = rows.filter(isUnsettled);
  const settled = rows.filter((row) => !isUnsettled(row));
  const onOlder = query.data?.isWhole === false ? showOlder : undefined;
  return (
    <>
      <div className="room-h">
        {title}
        {query.data && <p className="t14 dim num">{reservedText(pending)}</p>}
      </div>
      <Listed query={query} what="withdrawals">
        {() => (
          <ListTabs
            label="Withdrawals"
            tabs={[
              {
                title: 'Pending',
                count: pending.length,
                content: (
                  <ListTable
                    name="Withdrawals pending"
                    columns={pendingColumns}
                    rows={pending}
                    empty="Nobody waits for a payout."
                    searchLabel="Search pending withdrawals"
                    onOlder={onOlder}
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
                ),
              },
              {
                title: 'Completed',
                count: settled.length,
                content: (
                  <ListTable
                    name="Withdrawals completed"
                    columns={settledColumns}
                    rows={settled}
                    empty="What has been paid out or returned will be listed here."
                    searchLabel="Search completed withdrawals"
                    onOlder={onOlder}
                  />
                ),
              },
            ]}
          />
        )}
      </Listed>
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

function reservedText(pending: readonly Withdrawal[]): string {
  if (pending.length === 0) return 'Nothing is reserved';
  const cents = pending.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return `${formatCents(cents)} reserved in ${counted(pending.length, 'request')}`;
}
