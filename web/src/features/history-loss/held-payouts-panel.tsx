import { type ReactNode, useState } from 'react';
import type { HeldPayoutsResponse, PayoutDifference } from '../../../../contracts/http/history-loss.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { dateTimeText, formatCents } from '../../shared/format.js';
import { column, RowsTable, type TableColumn } from '../../shared/lists/data-table.js';
import { POLLED_EVERY_MS } from '../../shared/lists/list-table.js';
import { ConfirmDialog, PanelHead, ReasonField, usePower } from '../../shared/ui/admin-parts.js';
import { Button, useFields } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';
import { SettleDialog } from '../withdrawals/withdrawals-panel.js';

/** The api asks the gateway every few seconds while payouts are held. */
const HELD_POLLED_EVERY_MS = 5_000;

export const useHeldPayouts = () =>
  useApi<HeldPayoutsResponse>(['/api', 'admin', 'losses', 'payouts'], {
    enabled: usePower('money'),
    refetchInterval: ({ state }) => (state.data?.loss ? HELD_POLLED_EVERY_MS : POLLED_EVERY_MS),
  });

const columns: TableColumn<PayoutDifference>[] = [
  column.dateTime('Made', (row) => row.createdAtMs),
  column.text('Payout', (row) => row.id, { className: 'code' }),
  column.text('Amount', (row) => row.amount),
  column.wallet,
  column.text('Status', (row) => row.status?.toLowerCase() ?? null),
  column.text('May have paid', ({ withdrawal }) => withdrawal && withdrawalText(withdrawal), { className: 'said' }),
];

const withdrawalText = ({ gamerTag, amountCents, cryptoType }: NonNullable<PayoutDifference['withdrawal']>): string =>
  `${gamerTag ?? 'the operator'}’s ${formatCents(amountCents)} in ${cryptoType}`;

/** After a loss of history the admin decides here about each payout of the gateway that no withdrawal names. */
export function HeldPayoutsPanel({ title }: { title: ReactNode }) {
  const { data } = useHeldPayouts();
  const [completing, setCompleting] = useState<PayoutDifference | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  if (!data?.loss) return <PanelHead title={title}>{data && 'No payout waits'}</PanelHead>;
  const { loss, problem, mayRelease, differences } = data;
  const actions = (payout: PayoutDifference) => {
    const { id, withdrawal, txid } = payout;
    const label = withdrawal && `Mark ${withdrawalText(withdrawal)} as paid`;
    return (
      <>
        {label && txid && (
          <Button kind="line sm" text="Mark as paid" aria-label={label} onClick={() => setCompleting(payout)} />
        )}
        <Button kind="text sm" text="Settle" of={`payout ${id}`} onClick={() => setQuestion(settlementOf(payout))} />
      </>
    );
  };
  return (
    <>
      <PanelHead title={title} />
      <Notice tone="time" title="The log lost events, so withdrawals wait." text={describeLoss(loss)} />
      {problem !== null && (
        <Notice tone="bad" title="Nothing could be compared yet. It is tried again." text={problem} />
      )}
      {mayRelease && (
        <div className="actions">
          <Button kind="danger" text="Release payouts" onClick={() => setQuestion(RELEASE)} />
        </div>
      )}
      {problem === null && differences.length === 0 && (
        <p className="empty">The gateway names no payout that is missing here. Withdrawals go on in a few seconds.</p>
      )}
      {differences.length > 0 && (
        <RowsTable name="Payouts that no withdrawal names" columns={columns} rows={differences} actions={actions} />
      )}
      {completing?.withdrawal && (
        <SettleDialog
          status="completed"
          rows={[completing.withdrawal]}
          known={{ [completing.withdrawal.id]: completing.txid ?? '' }}
          onClose={() => setCompleting(null)}
        />
      )}
      {question && <QuestionDialog {...question} onClose={() => setQuestion(null)} />}
    </>
  );
}

const describeLoss = ({ atMs, lastKeptAtMs, acceptedBy, reason }: NonNullable<HeldPayoutsResponse['loss']>): string =>
  `What happened between ${dateTimeText(lastKeptAtMs)} and ${dateTimeText(atMs)} is lost. Accepted by ` +
  `${acceptedBy}: “${reason}”. Withdrawals go on by themselves once the payment gateway was asked what it paid, and each ` +
  'payout that is missing here is completed or settled. Missing payments wait among the deposits.';

type Question = ReturnType<typeof settlementOf>;

const settlementOf = ({ id, amount }: PayoutDifference) => ({
  title: `Settle the payout of ${amount}?`,
  description:
    'If it paid a withdrawal that is lost, first take the amount from the gamer’s winnings, by an adjustment. Otherwise make sure that it is not a payout of this game, or never leaves.',
  confirm: 'Settle',
  intent: 'settle the payout',
  path: `payouts/${id}/settle`,
  field: 'notes',
});

const RELEASE: Question = {
  title: 'Release payouts without the gateway’s answer?',
  description:
    'Look up yourself, at the gateway and in every wallet, what was paid in the lost time. What is paid twice does not come back.',
  confirm: 'Release payouts',
  intent: 'release payouts',
  path: 'release',
  field: 'reason',
};

function QuestionDialog({ onClose, ...question }: Question & { onClose: () => void }) {
  const { title, description, confirm, intent, path, field } = question;
  const { values, bind } = useFields({ finding: '' });
  const { run } = useCommand<object>('POST', `/api/admin/losses/${path}`, { intent });
  return (
    <ConfirmDialog
      title={title}
      description={description}
      labels={{ cancel: 'Back', confirm, busy: 'Updating…' }}
      tone="final"
      isReady={values.finding.trim() !== ''}
      onClose={onClose}
      onConfirm={() => run({ [field]: values.finding }, 'Updated')}
    >
      <ReasonField label="What you found out, kept in the ledger" {...bind('finding')} />
    </ConfirmDialog>
  );
}
