import { useState } from 'react';
import type {
  OrderPayoutsRequest,
  OrderPayoutsResponse,
  PayoutsByGateway,
  Withdrawal,
} from '../../../../contracts/http/withdrawals.js';
import { PAYOUT_CODE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { useApi, useCommand } from '../../shared/api/use-api.js';
import { formatCents } from '../../shared/format.js';
import { type Asked, sumOf, sumText } from '../../shared/lists/queue.js';
import { ConfirmDialog } from '../../shared/ui/admin-parts.js';
import { Field, Sum } from '../../shared/ui/controls.js';
import { Notice } from '../../shared/ui/notice.js';

/** Orders payouts from the gateway, or enters the code of the batch that has them. */
export function GatewayDialog({ rows, pending, onClose }: Asked<Withdrawal> & { pending: readonly Withdrawal[] }) {
  const [code, setCode] = useState('');
  const isOrdered = rows[0].payoutBatchId !== null;
  const batches = rows.map(({ payoutBatchId }) => payoutBatchId);
  // A code sends its whole batch.
  const payouts = isOrdered ? pending.filter((row) => batches.includes(row.payoutBatchId)) : rows;
  const { run } = useCommand<OrderPayoutsRequest, OrderPayoutsResponse>('POST', '/api/admin/payouts', {
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
      <Sum
        rows={coins.map((coin) => [coin, formatCents(sumOf(payouts.filter(({ cryptoType }) => cryptoType === coin)))])}
      />
      <Field
        label="Code of the gateway"
        hint="From its authenticator app or its mail; without it the payouts wait."
        className="code"
        autoComplete="off"
        maxLength={PAYOUT_CODE_MAX_LENGTH}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
    </ConfirmDialog>
  );
}

/** Whether admins may order payouts from the gateway. */
export const usePayoutsByGateway = () => useApi<PayoutsByGateway>(['/api', 'admin', 'payouts']).data?.isOn ?? false;
