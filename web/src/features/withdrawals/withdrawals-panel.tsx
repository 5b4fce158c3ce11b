import { type ReactNode, useState } from 'react';
import type { PayoutsByGateway, Withdrawal, WithdrawalList } from '../../../../contracts/http/withdrawals.js';
import { useApi } from '../../shared/api/use-api.js';
import { counted, formatCents } from '../../shared/format.js';
import { column, type TableColumn } from '../../shared/lists/data-table.js';
import { POLLED_EVERY_MS, rowsOf, useNewestRows } from '../../shared/lists/list-queries.js';
import { ListTabs, listTab } from '../../shared/lists/list-table.js';
import { type DecisionProps, Queue, type QueueAction, sumOf } from '../../shared/lists/queue.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { PayoutDialog, PayoutNotice, SettleDialog, TransactionField } from './payout-dialog.js';
import * as rules from './withdrawal-rules.js';

export const adminWithdrawalsKey = ['/api', 'admin', 'withdrawals'] as const;

export const useWithdrawals = (listed: WithdrawalList) =>
  useNewestRows<Withdrawal>(adminWithdrawalsKey, {
    everyMs: POLLED_EVERY_MS,
    filter: { listed },
    queue: listed === 'pending',
    power: 'money',
  });

const columns: TableColumn<Withdrawal>[] = [
  column.dateTime('Requested', (row) => row.createdAt),
  column.gamer,
  column.amount,
  column.coin,
  column.wallet,
  column.statusOf('gamer'),
  column.transaction,
  column.text('Notes', (row) => row.adminNotes, { exportOnly: true }),
  column.id,
];
const settledColumns = [
  column.dateTime<Withdrawal>('Settled', (row) => row.processedAt),
  ...columns,
  column.text<Withdrawal>('By', (row) => row.decidedBy),
];

const nameOf = (row: Withdrawal): string => `${row.gamerTag}’s withdrawal of ${formatCents(row.amountCents)}`;

export function WithdrawalsPanel({ title }: { title: ReactNode }) {
  const pending = useWithdrawals('pending');
  const completed = useWithdrawals('completed');
  const payoutsByGateway = useApi<PayoutsByGateway>(['/api', 'admin', 'payouts']).data?.isOn ?? false;
  const [txids, setTxids] = useState<Record<string, string>>({});
  const setTxid = (id: string, txid: string) => setTxids({ ...txids, [id]: txid });
  const actionOf = (letter: string, text: string, status: rules.NewStatus): QueueAction<Withdrawal> => ({
    letter,
    text,
    kind: status === 'returned' ? 'danger' : 'line',
    offers: (row) => rules.nextStatuses(row).includes(status),
    dialog: (props) => <SettleDialog {...props} status={status} known={txids} />,
  });
  const byGateway = {
    kind: 'line',
    dialog: (props: DecisionProps<Withdrawal>) => <PayoutDialog {...props} pending={rowsOf(pending)} />,
  } as const;
  const queue = (
    <Queue
      list={pending}
      decided={rowsOf(completed).map((row) => ({
        ...row,
        decidedBy: row.payoutBatchId === null ? row.decidedBy : null,
        decidedAtMs: row.processedAt,
        outcome: rules.statusText(row).toLowerCase(),
      }))}
      name="Withdrawals pending"
      what="pending withdrawals"
      empty="Nobody is waiting for a payout."
      columns={columns}
      decisions={[
        actionOf('p', 'Pay', 'completed'),
        actionOf('o', 'Process', 'processing'),
        actionOf('r', 'Return', 'returned'),
        {
          ...byGateway,
          letter: 'g',
          text: 'Pay by the gateway',
          offers: (row) => payoutsByGateway && rules.isPayable(row),
        },
        { ...byGateway, letter: 'c', text: 'Enter the code', offers: ({ payoutBatchId }) => payoutBatchId !== null },
      ]}
      nameOf={nameOf}
      actions={(row) => (
        <>
          <PayoutNotice payout={row} />
          {rules.nextStatuses(row).includes('completed') && (
            <TransactionField
              label={`Transaction id of ${nameOf(row)}`}
              labelHidden
              placeholder="Transaction id"
              value={txids[row.id] ?? ''}
              onChange={({ target }) => setTxid(row.id, target.value)}
            />
          )}
        </>
      )}
      onPaste={setTxid}
    />
  );
  return (
    <>
      <PanelHead title={title}>{pending.data && describeReserved(rowsOf(pending))}</PanelHead>
      <ListTabs
        label="Withdrawals"
        tabs={[
          { title: 'Pending', rows: pending.data, content: queue },
          listTab('Withdrawals', 'Completed', completed, {
            columns: settledColumns,
            empty: 'Completed and returned withdrawals will be listed here.',
          }),
        ]}
      />
    </>
  );
}

const describeReserved = (rows: readonly Withdrawal[]): string =>
  rows.length === 0
    ? 'Nothing is reserved'
    : `${formatCents(sumOf(rows))} reserved in ${counted(rows.length, 'request')}`;
