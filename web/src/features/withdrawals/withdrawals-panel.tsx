import { type ReactNode, useState } from 'react';
import type * as http from '../../../../contracts/http/withdrawals.js';
import { PAYOUT_CODE_MAX_LENGTH, WALLET_ADDRESS_MAX_LENGTH } from '../../../../contracts/limits.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { useServerNow } from '../../shared/clock.js';
import { agoText, counted, dateTimeText, formatCents } from '../../shared/format.js';
import { column, type TableColumn } from '../../shared/lists/data-table.js';
import { ListTabs, listTab, POLLED_EVERY_MS, rowsOf, useNewestRows } from '../../shared/lists/list-table.js';
import { type DecisionProps, Queue, type QueueAction, sumOf, sumText, useDecision } from '../../shared/lists/queue.js';
import { ConfirmDialog, Copyable, NotesField, notesLabel, PanelHead } from '../../shared/ui/admin-parts.js';
import { Field, type FieldProps, Pairs } from '../../shared/ui/controls.js';
import { lazy } from '../../shared/ui/lazy.js';
import { Notice } from '../../shared/ui/notice.js';
import * as rules from './withdrawal-rules.js';

export const adminWithdrawalsKey = ['/api', 'admin', 'withdrawals'] as const;

export const useWithdrawals = (listed: http.WithdrawalList) =>
  useNewestRows<http.Withdrawal>(adminWithdrawalsKey, {
    everyMs: POLLED_EVERY_MS,
    filter: { listed },
    queue: listed === 'pending',
    power: 'money',
  });

const columns: TableColumn<http.Withdrawal>[] = [
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
  column.dateTime<http.Withdrawal>('Settled', (row) => row.processedAt),
  ...columns,
  column.text<http.Withdrawal>('By', (row) => row.settledBy),
];

const nameOf = (row: http.Withdrawal): string => `${row.gamerTag}’s withdrawal of ${formatCents(row.amountCents)}`;

export function WithdrawalsPanel({ title }: { title: ReactNode }) {
  const pending = useWithdrawals('pending');
  const completed = useWithdrawals('completed');
  const payoutsByGateway = useApi<http.PayoutsByGateway>(['/api', 'admin', 'payouts']).data?.isOn ?? false;
  const [txids, setTxids] = useState<Record<string, string>>({});
  const setTxid = (id: string, txid: string) => setTxids({ ...txids, [id]: txid });
  const actionOf = (letter: string, text: string, status: rules.NewStatus): QueueAction<http.Withdrawal> => ({
    letter,
    text,
    kind: status === 'returned' ? 'danger' : 'line',
    offers: (row) => rules.nextStatuses(row).includes(status),
    dialog: (props) => <SettleDialog {...props} status={status} known={txids} />,
  });
  const byGateway = {
    kind: 'line',
    dialog: (props: DecisionProps<http.Withdrawal>) => <PayoutDialog {...props} pending={rowsOf(pending)} />,
  } as const;
  const queue = (
    <Queue
      list={pending}
      settled={rowsOf(completed).map((row) => ({
        ...row,
        settledBy: row.payoutBatchId === null ? row.settledBy : null,
        settledAtMs: row.processedAt,
        outcome: rules.statusText(row).toLowerCase(),
      }))}
      name="Withdrawals pending"
      noun="pending withdrawals"
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
              onChange={(txid) => setTxid(row.id, txid)}
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

const describeReserved = (rows: readonly http.Withdrawal[]): string =>
  rows.length === 0
    ? 'Nothing is reserved'
    : `${formatCents(sumOf(rows))} reserved in ${counted(rows.length, 'request')}`;

const AddressCode = lazy(() => import('../../shared/ui/qr-code.js'), 'the QR code', 4);

export interface SettleDialogProps extends DecisionProps<rules.AnyWithdrawal> {
  status: rules.NewStatus;
  /** The transactions that are known already, by the withdrawals' ids. */
  known?: Readonly<Record<string, string>>;
}

export function SettleDialog({ status, known = {}, rows, ...dialog }: SettleDialogProps) {
  const [first, ...others] = rows;
  const { id, cryptoType, walletAddress } = first;
  const isSingle = others.length === 0;
  const gamerTag = isSingle ? first.gamerTag : 'their gamers';
  const [txids, setTxids] = useState(known);
  // Versions as of the dialog's opening: a row that another admin changed since is refused.
  const [seen] = useState(new Map(rows.map((row) => [row.id, versionOf(row.status)])));
  const [notes, setNotes] = useState<string | null>(null);
  const action = rules.settlementAction(status, sumText(rows, 'withdrawal'));
  const decide = useDecision<rules.AnyWithdrawal>({
    intent: 'update withdrawal',
    failureTitle: 'Update Failed',
    title: 'Withdrawal Updated',
    noun: 'withdrawal',
    outcome: rules.STATUSES[status].name.toLowerCase(),
    commandOf: (row) => ({
      method: 'PUT',
      path: `/api/admin/${row.gamerTag === null ? 'profits/withdrawals' : 'withdrawals'}/${row.id}`,
      body: rules.updateBody(status, notes ?? row.adminNotes ?? '', txids[row.id] ?? ''),
      version: seen.get(row.id),
    }),
  });
  return (
    <ConfirmDialog
      {...dialog}
      title={`${action}?`}
      description={rules.describeSettlement(status, { amountCents: sumOf(rows), gamerTag })}
      labels={{ cancel: 'Leave it', confirm: action, busy: 'Saving…' }}
      tone={status === 'returned' ? 'final' : 'act'}
      isReady={rows.every((row) => rules.nextStatuses(row).includes(status))}
      onConfirm={() => decide(rows)}
    >
      {isSingle && (
        <>
          <PayoutNotice payout={first} />
          <Pairs
            rows={[
              ['Amount', `${formatCents(first.amountCents)} in ${cryptoType}`, 'total'],
              ['Requested', dateTimeText(first.createdAt)],
              ['Status', rules.STATUSES[first.status].name],
            ]}
          />
          <Copyable noun="wallet address" text={walletAddress} />
          {status !== 'returned' && (
            <AddressCode value={walletAddress} title={`QR code with the ${cryptoType} address`} size={200} />
          )}
          {status === 'completed' && (
            <TransactionField
              label="Transaction id"
              hint="Optional. Where the coins can be looked up."
              value={txids[id] ?? ''}
              onChange={(txid) => setTxids({ ...txids, [id]: txid })}
            />
          )}
        </>
      )}
      <NotesField
        label={notesLabel(gamerTag)}
        value={notes ?? (isSingle ? first.adminNotes : null) ?? ''}
        onChange={setNotes}
      />
    </ConfirmDialog>
  );
}

const TransactionField = (field: FieldProps) => (
  <Field className="code" spellCheck={false} maxLength={WALLET_ADDRESS_MAX_LENGTH} {...field} />
);

function PayoutNotice({ payout }: { payout: rules.AnyWithdrawal }) {
  const { isBeforeLoss, isNewAddress, createdAt, payoutBatchId, payoutFailure: failure, cryptoType } = payout;
  const when = agoText(createdAt, useServerNow(60_000)).replace(/^(Just now|Yesterday)$/, (word) => word.toLowerCase());
  if (payoutBatchId) return <Notice tone="time" text={`With the gateway, batch ${payoutBatchId}`} />;
  const notPaid = `The gateway did not pay it: ${failure?.outcome}`;
  const coins = `${failure?.paidAmount ?? 'an unknown amount of'} ${cryptoType}, transaction ${failure?.txid ?? 'unknown'}`;
  const sent = `The gateway may have sent ${coins}: decide it by hand`;
  return (
    <>
      {failure && <Notice tone="bad" text={failure.outcome === 'uncertain' ? sent : notPaid} />}
      {isBeforeLoss && (
        <Notice tone="time" text="Requested before the log lost events: make sure that it was not paid by hand" />
      )}
      {isNewAddress && !isBeforeLoss && <Notice tone="time" text={`New address, requested ${when}`} />}
    </>
  );
}

type PayoutDialogProps = DecisionProps<http.Withdrawal> & { pending: readonly http.Withdrawal[] };

/** Orders payouts at the gateway, or enters the code that their batch waits for. */
function PayoutDialog({ rows, pending, onClose }: PayoutDialogProps) {
  const [code, setCode] = useState('');
  const isOrdered = rows[0].payoutBatchId !== null;
  const batches = rows.map(({ payoutBatchId }) => payoutBatchId);
  // A code sends its whole batch.
  const payouts = isOrdered ? pending.filter((row) => batches.includes(row.payoutBatchId)) : rows;
  const { run } = useCommand<http.OrderPayoutsRequest, http.OrderPayoutsResponse>('POST', '/api/admin/payouts', {
    intent: 'pay by the gateway',
    failureTitle: 'Not Paid',
  });
  const confirm = () =>
    run({ withdrawalIds: rows.map(({ id }) => id), code }, ({ message, refused }) => {
      const tagOf = (id: string) => rows.find((row) => row.id === id)?.gamerTag;
      const problems = refused.map(({ withdrawalId, error }) => `${tagOf(withdrawalId)}: ${error}.`);
      const text = [`${message}.`, ...problems].join(' ');
      return refused.length > 0 ? { title: 'Not All Paid', text, tone: 'bad' } : { title: 'Payouts Ordered', text };
    });
  const action = `${isOrdered ? 'Enter the code for' : 'Let the gateway pay'} ${sumText(payouts, 'withdrawal')}`;
  const coins = [...new Set(payouts.map(({ cryptoType }) => cryptoType))];
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${action}?`}
      description="The gateway sends the coins once the batch’s code is entered. A payout that fails waits here for a decision again."
      labels={{ cancel: 'Leave it', confirm: action, busy: 'Ordering…' }}
      tone="act"
      isReady={!isOrdered || code.trim() !== ''}
      onConfirm={confirm}
    >
      {rows.some(({ status, payoutFailure }) => status === 'processing' && !payoutFailure && !isOrdered) && (
        <Notice tone="time" text="Already set to processing: make sure that nobody is paying by hand" />
      )}
      <Pairs
        rows={coins.map((coin) => [coin, formatCents(sumOf(payouts.filter(({ cryptoType }) => cryptoType === coin)))])}
      />
      <Field
        label="Code of the gateway"
        hint="From its authenticator app or its mail; without it the payouts wait."
        className="code"
        autoComplete="off"
        maxLength={PAYOUT_CODE_MAX_LENGTH}
        value={code}
        onChange={setCode}
      />
    </ConfirmDialog>
  );
}
