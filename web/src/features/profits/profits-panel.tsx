import { type ReactNode, useState } from 'react';
import { COINS, type CryptoType } from '../../../../contracts/crypto.js';
import type { AdminProfits, ProfitWithdrawal } from '../../../../contracts/http/profits.js';
import type { WithdrawRequest } from '../../../../contracts/http/withdrawals.js';
import { MIN_WITHDRAWAL_CENTS } from '../../../../contracts/limits.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { dateTimeText, formatCents, numberText } from '../../shared/format.js';
import { column, type TableColumn } from '../../shared/lists/data-table.js';
import { NewestTable, POLLED_EVERY_MS, useNewestRows } from '../../shared/lists/list-table.js';
import { PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, Form, Pairs, Submit, useFields } from '../../shared/ui/controls.js';
import { DialogButton } from '../../shared/ui/dialog.js';
import { AmountField, CoinPicker, WalletAddressField } from '../../shared/ui/payout-fields.js';
import { QueryResult } from '../../shared/ui/query-result.js';
import { type NewStatus, withdrawalOf } from '../withdrawals/withdrawal-rules.js';
import { SettleDialog, type SettleDialogProps } from '../withdrawals/withdrawals-panel.js';

const profitsKey = ['/api', 'admin', 'profits'] as const;

const columns: TableColumn<ProfitWithdrawal>[] = [
  column.dateTime('Requested', (row) => row.createdAt),
  column.amount,
  column.coin,
  column.wallet,
  column.statusOf('profit'),
  column.dateTime('Settled', (row) => row.processedAt, {
    cell: ({ processedAt }) =>
      processedAt === null ? <span className="dim">not yet</span> : dateTimeText(processedAt),
  }),
  column.text('Notes', (row) => row.adminNotes, { className: 'said' }),
  column.transaction,
  column.id,
];

export function ProfitsPanel({ title }: { title: ReactNode }) {
  const profits = useApi<AdminProfits>(profitsKey, { refetchInterval: POLLED_EVERY_MS, refetchOnMount: 'always' });
  const withdrawals = useNewestRows<ProfitWithdrawal>([...profitsKey, 'withdrawals'], { everyMs: POLLED_EVERY_MS });
  const [settling, setSettling] = useState<Pick<SettleDialogProps, 'rows' | 'status'> | null>(null);
  const actions = (row: ProfitWithdrawal) => {
    const of = `the profit withdrawal of ${formatCents(row.amountCents)}`;
    if (row.status !== 'pending') return null;
    const settle = (status: NewStatus) => () => setSettling({ status, rows: [{ ...row, gamerTag: null }] });
    return (
      <>
        <Button kind="line sm" text="Pay" of={of} onClick={settle('completed')} />
        <Button kind="danger sm" text="Return" of={of} onClick={settle('returned')} />
      </>
    );
  };
  return (
    <>
      <PanelHead title={title}>
        {profits.data && (
          <DialogButton text="Withdraw profit" kind="line sm" title="Request profit withdrawal">
            {(close) => <WithdrawForm availableCents={profits.data.currentProfitCents} onDone={close} />}
          </DialogButton>
        )}
      </PanelHead>
      <QueryResult query={profits} noun="profits" rows={2}>
        {(data) => (
          <div className="grid gap-4">
            <Pairs
              className="figs num"
              rows={[
                ['Available', formatCents(data.currentProfitCents), 'fig'],
                ['Since launch', formatCents(data.totalProfitCents), 'fig'],
                ['Tokens sold', numberText(data.totalTokensPurchased), 'fig'],
              ]}
            />
            <Pairs
              className="apart num"
              aria-label="Held by the operator, apart from profit"
              rows={[
                ['Unclaimed matrix cents', formatCents(data.unclaimedCents)],
                ['Deposit fees', formatCents(data.depositFeesCents)],
                ['Forfeited by deleted gamers', formatCents(data.forfeitedCents)],
              ]}
            />
            <p className="t12 dim">
              Profit is 2 cents of every token. The three amounts above are held apart and are not profit.
            </p>
          </div>
        )}
      </QueryResult>
      <h3 className="pt-2">Profit withdrawals</h3>
      <NewestTable
        list={withdrawals}
        name="Profit withdrawals"
        columns={columns}
        empty="No profit has been withdrawn yet."
        actions={actions}
      />
      {settling && <SettleDialog {...settling} onClose={() => setSettling(null)} />}
    </>
  );
}

function WithdrawForm({ availableCents, onDone }: { availableCents: number; onDone: () => void }) {
  const { values, problems, bind, change, fail } = useFields({ coin: '', address: '', amount: '' });
  const { run } = useCommand<WithdrawRequest>('POST', '/api/admin/profits/withdraw', {
    intent: 'create withdrawal request',
    failureTitle: 'Withdrawal Failed',
  });
  const coin = values.coin === '' ? null : (values.coin as CryptoType);
  const request = async () => {
    const result = withdrawalOf({ ...values, coin }, availableCents, 'profit');
    if ('problems' in result) return fail(result.title, result.problems);
    const { amountCents, cryptoType } = result.request;
    const text = `${formatCents(amountCents)} in ${cryptoType} is reserved.`;
    const failure = await run(result.request, { title: 'Withdrawal Request Created', text });
    if (failure === null) onDone();
  };
  return (
    <Form onSubmit={request}>
      <CoinPicker value={coin} error={problems.coin} onChange={(picked) => change({ coin: picked })} />
      <WalletAddressField placeholder={coin === null ? '' : COINS[coin].addressExample} {...bind('address')} />
      <AmountField
        availableCents={availableCents}
        hint={`At least ${formatCents(MIN_WITHDRAWAL_CENTS)}.`}
        {...bind('amount')}
      />
      <p className="note">Withdrawals are processed manually in 24-48 hours and cannot be reversed.</p>
      <Submit text={coin === null ? 'Request withdrawal' : `Request withdrawal in ${coin}`} busy="Requesting…" />
    </Form>
  );
}
