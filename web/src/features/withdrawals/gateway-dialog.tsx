import { useState } from 'react';
import type {
  OrderPayoutsRequest,
  OrderPayoutsResponse,
  PayoutsByGateway,
  VerifyPayoutsRequest,
  Withdrawal,
} from '../../../../contracts/http/withdrawals.js';
import { PAYOUT_CODE_MAX_LENGTH } from '../../../../contracts/limits.js';
import { useApi, useCommand } from '../../shared/api/use-api.js';
import { formatCents } from '../../shared/format.js';
import { type Asked, sumOf, sumText } from '../../shared/lists/decide.js';
import { ConfirmDialog } from '../../shared/ui/admin-parts.js';
import { Field, Sum } from '../../shared/ui/controls.js';

/** Orders payouts from the gateway, or enters the code of the batch that has the first of them. */
export function GatewayDialog({ rows, onClose }: Asked<Withdrawal>) {
  const [code, setCode] = useState('');
  const batchId = rows[0].payoutBatchId;
  const payouts = rows.filter((row) => row.payoutBatchId === batchId);
  const path = batchId === null ? '/api/admin/payouts' : `/api/admin/payouts/${batchId}/verify`;
  const { run } = useCommand<OrderPayoutsRequest | VerifyPayoutsRequest, Partial<OrderPayoutsResponse>>('POST', path, {
    what: 'pay by the gateway',
    failed: 'Not Paid',
  });
  const confirm = () => {
    const body = batchId === null ? { withdrawalIds: payouts.map(({ id }) => id), code } : { code };
    return run(body, ({ message, refused = [] }) => {
      const tagOf = (id: string) => payouts.find((row) => row.id === id)?.gamerTag;
      const problems = refused.map(({ withdrawalId, error }) => `${tagOf(withdrawalId)}: ${error}.`);
      return { title: 'Payouts Ordered', text: [`${message}.`, ...problems].join(' ') };
    });
  };
  const action = batchId === null ? `Pay ${sumText(payouts, 'withdrawal')} by the gateway` : 'Enter the code';
  const coins = [...new Set(payouts.map(({ cryptoType }) => cryptoType))];
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${action}?`}
      description="The gateway sends the coins once it has its code. A payout that fails comes back to this list."
      labels={{ cancel: 'Leave it', confirm: action, busy: 'Ordering…' }}
      tone="act"
      isReady={batchId === null || code.trim() !== ''}
      failure={{}}
      onConfirm={confirm}
    >
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

/** Whether admins may order payouts from the gateway, and which of its batches wait for their code. */
export const usePayoutsByGateway = () => useApi<PayoutsByGateway>(['/api', 'admin', 'payouts']).data;
