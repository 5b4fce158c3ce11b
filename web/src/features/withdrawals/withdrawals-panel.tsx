import { type ReactNode, useEffect, useState } from 'react';
import type { ProfitWithdrawal } from '../../../../contracts/http/profits.js';
import type { UpdateWithdrawalRequest, Withdrawal } from '../../../../contracts/http/withdrawals.js';
import { WALLET_ADDRESS_MAX_LENGTH } from '../../../../contracts/limits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { versionOf } from '../../../../contracts/versions.js';
import { useCommand } from '../../shared/api/use-api.js';
import { useServerNow } from '../../shared/clock.js';
import { agoText, counted, dateTimeText, formatCents } from '../../shared/format.js';
import { column, type TableColumn } from '../../shared/lists/data-table.js';
import { ListTabs, listTab } from '../../shared/lists/list-table.js';
import { Copyable, NotesField, notesLabel, PanelHead } from '../../shared/ui/admin-parts.js';
import { Button, Field, Form, SelectField, Submit, Sum, useFields } from '../../shared/ui/controls.js';
import { Dialog } from '../../shared/ui/dialog.js';
import { lazy } from '../../shared/ui/lazy.js';
import { Notice } from '../../shared/ui/notice.js';
import * as rules from './withdrawal-rules.js';
import { useWithdrawals } from './withdrawals.queries.js';

const AddressCode = lazy(() => import('../../shared/ui/qr-code.js'), 'the QR code', 4);

const columns: TableColumn<Withdrawal>[] = [
  column.dateTime('Requested', (row) => row.createdAt),
  column.gamer,
  column.amount,
  column.coin,
  column.text('Wallet', (row) => row.walletAddress, {
    cell: ({ walletAddress }) => <Copyable what="wallet address" text={walletAddress} />,
  }),
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

export function WithdrawalsPanel({ title }: { title: ReactNode }) {
  const pending = useWithdrawals('pending');
  const completed = useWithdrawals('completed');
  const [settling, setSettling] = useState<Withdrawal | null>(null);
  const actions = (row: Withdrawal) => {
    const of = `${row.gamerTag}’s withdrawal of ${formatCents(row.amountCents)}`;
    return (
      <>
        {row.isBeforeLoss && <BeforeLoss />}
        {row.isNewAddress && !row.isBeforeLoss && <NewAddress requestedAtMs={row.createdAt} />}
        <Button kind="text sm" text="Update" of={of} onClick={() => setSettling(row)} />
      </>
    );
  };
  return (
    <>
      <PanelHead title={title}>{pending.query.data && describeReserved(pending.query.data)}</PanelHead>
      <ListTabs
        label="Withdrawals"
        tabs={[
          listTab('Withdrawals', 'Pending', pending, { columns, empty: 'Nobody is waiting for a payout.', actions }),
          listTab('Withdrawals', 'Completed', completed, {
            columns: settledColumns,
            empty: 'Completed and returned withdrawals will be listed here.',
          }),
        ]}
      />
      {settling && (
        <SettleDialog withdrawal={settling} gamerTag={settling.gamerTag} onClose={() => setSettling(null)} />
      )}
    </>
  );
}

const BeforeLoss = () => (
  <Notice tone="time" text="Requested before the log lost events: make sure that it was not paid by hand" />
);

function NewAddress({ requestedAtMs }: { requestedAtMs: number }) {
  const ago = agoText(requestedAtMs, useServerNow(60_000));
  const when = ago.replace(/^(Just now|Yesterday)$/, (word) => word.toLowerCase());
  return <Notice tone="time" text={`New address, requested ${when}`} />;
}

function describeReserved({ rows, isWhole }: { rows: readonly Withdrawal[]; isWhole: boolean }): string {
  if (rows.length === 0) return 'Nothing is reserved';
  const cents = rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const text = `${formatCents(cents)} reserved in ${counted(rows.length, 'request')}`;
  return isWhole ? text : `More than ${text}`;
}

interface SettleDialogProps {
  withdrawal: ProfitWithdrawal & { isNewAddress?: boolean; isBeforeLoss?: boolean };
  /** Null for a withdrawal of profit. */
  gamerTag: string | null;
  /** The transaction, when it is known that it was paid. */
  paidBy?: string;
  onClose: () => void;
}

export function SettleDialog({ withdrawal, gamerTag, paidBy, onClose }: SettleDialogProps) {
  const { id, amountCents, cryptoType, createdAt, walletAddress, adminNotes } = withdrawal;
  const payout = { ...withdrawal, gamerTag };
  const choices = rules.nextStatuses(payout);
  const fields = useFields({ status: paidBy ? 'completed' : '', notes: adminNotes ?? '', txid: paidBy ?? '' });
  const { values, problems, setProblems, bind, change, fail } = fields;
  const status = choices.find((choice) => choice === values.status) ?? null;
  const { refetch, data: pending } = useWithdrawals('pending').query;
  const isGone = gamerTag !== null && pending?.rows.every((row) => row.id !== id);
  const settled = useWithdrawals('completed').query.data?.rows.find((row) => row.id === id);
  const gone = settled ? rules.describeDecided(settled) : 'It was cancelled or decided meanwhile';
  // Asked again now and when a status is chosen, before coins are sent: the gamer may have cancelled it.
  useEffect(() => void refetch(), [refetch]);
  const path = gamerTag === null ? 'profits/withdrawals' : 'withdrawals';
  const { run, isBusy } = useCommand<UpdateWithdrawalRequest>('PUT', `/api/admin/${path}/${id}`, {
    what: 'update withdrawal',
  });
  const submit = async () => {
    if (status === null) return fail('Invalid Form', { status: refusalText({ code: 'invalid-withdrawal-status' }) });
    const text = `${formatCents(amountCents)}: ${rules.statusNames[status].toLowerCase()}.`;
    const done = { title: 'Withdrawal Updated', text };
    const failure = await run(rules.updateBody(status, values.notes, values.txid), done, versionOf(withdrawal.status));
    if (failure === null) onClose();
    else setProblems({ status: failure });
  };
  return (
    <Dialog
      onClose={() => !isBusy && onClose()}
      title={gamerTag === null ? 'Update profit withdrawal' : `Update ${gamerTag}’s withdrawal`}
    >
      <Form onSubmit={submit}>
        <Sum
          rows={[
            ['Amount', `${formatCents(amountCents)} in ${cryptoType}`, 'total'],
            ['Requested', dateTimeText(createdAt)],
            ['Status', rules.statusNames[withdrawal.status]],
          ]}
        />
        <div className="field">
          <span className="flabel">Wallet address</span>
          <Copyable what="wallet address" text={walletAddress} />
          <AddressCode value={walletAddress} title={`QR code with the ${cryptoType} address`} size={200} />
        </div>
        {isGone && !isBusy && <Notice tone="bad" urgent title={gone} text="Send nothing." />}
        {withdrawal.isBeforeLoss && <BeforeLoss />}
        {withdrawal.isNewAddress && <NewAddress requestedAtMs={createdAt} />}
        <SelectField
          label="New status"
          value={values.status}
          options={[
            { value: '', text: 'Choose a status' },
            ...choices.map((choice) => ({ value: choice, text: rules.statusNames[choice] })),
          ]}
          error={problems.status}
          onChange={(chosen) => {
            change({ status: chosen });
            void refetch();
          }}
        />
        {status === 'completed' && (
          <Field
            label="Transaction id"
            className="code"
            spellCheck={false}
            maxLength={WALLET_ADDRESS_MAX_LENGTH}
            hint="Optional. Where the coins can be looked up."
            {...bind('txid')}
          />
        )}
        <NotesField label={notesLabel(gamerTag)} {...bind('notes')} />
        <p className={status === null ? 'sr' : 'note'} aria-live="polite">
          {status !== null && rules.describeSettlement(status, payout)}
        </p>
        <Submit text={rules.settlementAction(status, payout)} busy="Updating…" />
      </Form>
    </Dialog>
  );
}
