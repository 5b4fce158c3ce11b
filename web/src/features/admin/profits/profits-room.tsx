import { type ReactNode, useState } from 'react';
import type { AdminProfits, ProfitWithdrawal } from '../../../../../contracts/http/withdrawals.js';
import { formatCents } from '../../../../../contracts/money.js';
import { momentText } from '../../../shared/format/time-text.js';
import { shortened } from '../../../shared/lists/columns.js';
import { Listed } from '../../../shared/ui/listed.js';
import { DailyChart } from '../chart/daily-chart.js';
import type { ShownColumn } from '../lists/data-table.js';
import { ListTable } from '../lists/list-table.js';
import { SettleDialog } from '../withdrawals/settle-dialog.js';
import { statusNames } from '../withdrawals/settlement.js';
import { StatusChip } from '../withdrawals/status-chip.js';
import { useProfits, useProfitWithdrawals, useUpdateProfitWithdrawal } from './profits.queries.js';
import { WithdrawProfitDialog } from './withdraw-profit-dialog.js';

const columns: ShownColumn<ProfitWithdrawal>[] = [
  { label: 'Requested', kind: 'moment', value: (row) => row.createdAt },
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
    cell: (row) => <StatusChip status={row.status} isGamers={false} />,
  },
  { label: 'Settled', kind: 'moment', value: (row) => row.processedAt, cell: (row) => <Settled row={row} /> },
  { label: 'Notes', kind: 'text', className: 'said', value: (row) => row.adminNotes },
  { label: 'Transaction', kind: 'text', value: (row) => row.txid, exportOnly: true },
  { label: 'Id', kind: 'text', value: (row) => row.id, exportOnly: true },
];

/** The house's two cents a token, what else the house holds, and the withdrawals of profit. */
export function ProfitsRoom({ title }: { title: ReactNode }) {
  const profits = useProfits();
  const { query, older } = useProfitWithdrawals();
  const [isAsking, setAsking] = useState(false);
  const [open, setOpen] = useState<ProfitWithdrawal | null>(null);
  const { run, isBusy } = useUpdateProfitWithdrawal();
  return (
    <>
      <div className="room-h">
        {title}
        {profits.data && (
          <button type="button" className="btn btn--line btn--sm" onClick={() => setAsking(true)}>
            Withdraw profit
          </button>
        )}
      </div>
      <Listed query={profits} what="profits" rows={2}>
        {(data) => <Figures profits={data} />}
      </Listed>
      <DailyChart show="profit" />
      <h3 className="pt-2">Profit withdrawals</h3>
      <Listed query={query} what="profit withdrawals" rows={2}>
        {({ rows }) => (
          <ListTable
            name="Profit withdrawals"
            columns={columns}
            rows={rows}
            empty="No profit has been withdrawn yet."
            searchLabel="Search profit withdrawals"
            older={older}
            actions={(row) =>
              row.status === 'pending' && (
                <button
                  type="button"
                  className="btn btn--text btn--sm"
                  aria-label={`Update the profit withdrawal of ${formatCents(row.amountCents)}`}
                  onClick={() => setOpen(row)}
                >
                  Update
                </button>
              )
            }
          />
        )}
      </Listed>
      <WithdrawProfitDialog
        availableCents={profits.data?.currentProfitCents ?? 0}
        open={isAsking}
        onOpenChange={setAsking}
      />
      <SettleDialog
        withdrawal={open}
        gamerTag={null}
        isBusy={isBusy}
        onClose={() => setOpen(null)}
        onUpdate={({ id }, update) => run({ id, update })}
      />
    </>
  );
}

function Figures({ profits }: { profits: AdminProfits }) {
  const apart = [
    { name: 'Unclaimed matrix cents', cents: profits.unclaimedCents },
    { name: 'Deposit fees', cents: profits.depositFeesCents },
    { name: 'Forfeited by deleted gamers', cents: profits.forfeitedCents },
  ];
  return (
    <div className="grid gap-4">
      <dl className="figs num">
        <Figure name="Available" text={formatCents(profits.currentProfitCents)} />
        <Figure name="Since launch" text={formatCents(profits.totalProfitCents)} />
        <Figure name="Tokens sold" text={profits.totalTokensPurchased.toLocaleString('en-US')} />
      </dl>
      <dl className="apart num" aria-label="Held by the house, apart from profit">
        {apart.map(({ name, cents }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCents(cents)}</dd>
          </div>
        ))}
      </dl>
      <p className="t12 dim">
        Profit is 2 cents of every token. The three amounts above are held apart and are not profit.
      </p>
    </div>
  );
}

const Figure = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt className="label">{name}</dt>
    <dd className="fig">{text}</dd>
  </div>
);

const Settled = ({ row }: { row: ProfitWithdrawal }) =>
  row.processedAt === null ? <span className="dim">not yet</span> : momentText(row.processedAt);
