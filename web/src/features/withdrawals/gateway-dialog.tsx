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
export function GatewayDialog({ rows, onClose }: Asked<Withdrawal>) {
  const [code, setCode] = useState('');
  const isOrdered = rows[0].payoutBatchId !== null;
  const { run } = useCommand<OrderPayoutsRequest, OrderPayoutsResponse>('POST', '/api/admin/payouts', {
    what: 'pay by the gateway',
    failed: 'Not Paid',
  });
  const confirm = () =>
    run({ withdrawalIds: rows.map(({ id }) => id), code }, ({ message, refused }) => {
      const tagOf = (id: string) => rows.find((row) => row.id === id)?.gamerTag;
      const problems = refused.map(({ withdrawalId, error }) => `${tagOf(withdrawalId)}: ${error}.`);
      return { title: 'Payouts Ordered', text: [`${message}.`, ...problems].join(' ') };
    });
  const action = isOrdered ? 'Enter the code' : `Pay ${sumText(rows, 'withdrawal')} by the gateway`;
  const coins = [...new Set(rows.map(({ cryptoType }) => cryptoType))];
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${action}?`}
      description="The gateway sends the coins once it has its code. A payout that fails comes back to this list."
      labels={{ cancel: 'Leave it', confirm: action, busy: 'Ordering…' }}
      tone="act"
      isReady={!isOrdered || code.trim() !== ''}
      failure={{}}
      onConfirm={confirm}
    >
      {rows.some(({ status, payoutFailure }) => status === 'processing' && !payoutFailure && !isOrdered) && (
        <Notice tone="time" text="Some are set to processing: make sure that nobody is paying them by hand" />
      )}
      <Sum
        rows={coins.map((coin) => [coin, formatCents(sumOf(rows.filter(({ cryptoType }) => cryptoType === coin)))])}
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
export const usePaysOut = () => useApi<PayoutsByGateway>(['/api', 'admin', 'payouts']).data?.isOn ?? false;
