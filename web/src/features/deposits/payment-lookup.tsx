import { Search } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type * as http from '../../../../contracts/http/deposits.js';
import { codeOf, reasonOf, useCommand } from '../../shared/api/api-client.js';
import { useNewestRows } from '../../shared/lists/list-table.js';
import { ReasonField } from '../../shared/ui/admin-parts.js';
import { Field, Form, Submit, useFields } from '../../shared/ui/controls.js';
import { focusAtFirst } from '../../shared/ui/go-to.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';

export const depositsKey = ['/api', 'admin', 'deposits'] as const;

export const usePendingDeposits = () =>
  useNewestRows<http.PendingDeposit>([...depositsKey, 'pending'], { everyMs: 10_000, queue: true, power: 'money' });

const LOOKUP_FAILED = 'Lookup Failed';
const useLookup = () =>
  useCommand<http.LookupPaymentRequest, http.LookupPaymentResponse>('POST', '/api/admin/lookup-payment', {
    intent: 'lookup payment',
  });

interface LookupFormProps {
  paymentId: string;
  onPaymentId: (paymentId: string) => void;
  fieldRef: RefObject<HTMLInputElement | null>;
}

type Outcome = { id: string; problem?: string; found?: http.LookupPaymentResponse };

/** Looks a payment up at the gateway, to assign it to a gamer if it has none (specification §5, admin). */
export function LookupForm({ paymentId, onPaymentId, fieldRef }: LookupFormProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { send } = useLookup();
  const id = paymentId.trim();
  const fail = (title: string, text: string) => setOutcome({ id, problem: toastProblem(title, text) });
  const lookUp = async () => {
    setOutcome(null);
    try {
      const response = await send({ paymentId: id });
      const { success, requiresGamerTag, recordedGamerTag, message } = response;
      if (requiresGamerTag) setOutcome({ id, found: response });
      else if (recordedGamerTag !== null) setOutcome({ id, found: response, problem: message });
      else if (success) toast({ title: 'Payment Credited', text: message });
      else fail('Payment Not Found', message);
    } catch (error) {
      const code = codeOf(error);
      const text = reasonOf(error, 'Failed to lookup payment');
      if (code === 'payment-unpaid') toast({ title: 'Not paid yet', text });
      else if (code === 'payment-not-found') fail('Payment Not Found', text);
      else if (code === 'payment-id-required') fail(LOOKUP_FAILED, text);
      else toastProblem(LOOKUP_FAILED, text);
    }
  };
  // Shown only while the field still holds its id.
  const { problem, found }: Partial<Outcome> = outcome?.id === id ? outcome : {};
  return (
    <div className="two">
      <Form className="ask" label="Payment lookup" onSubmit={lookUp}>
        <Field
          ref={fieldRef}
          label="Payment ID"
          className="code"
          inputMode="numeric"
          maxLength={64}
          value={paymentId}
          hint="A finished payment whose gamer is known is credited at once."
          error={problem}
          onChange={onPaymentId}
        />
        <Submit kind="line" icon={Search} text="Lookup" busy="Looking…" />
      </Form>
      {found && <AssignForm key={id} paymentId={id} found={found} onDone={() => setOutcome(null)} />}
    </div>
  );
}

interface AssignFormProps {
  paymentId: string;
  found: http.LookupPaymentResponse;
  onDone: () => void;
}

/** Credits the payment to the named gamer; taking it from its recorded gamer needs a reason (decision 48). */
function AssignForm({ paymentId, found, onDone }: AssignFormProps) {
  const { paymentDetails: details, recordedGamerTag } = found;
  const [expectedChange, setExpectedChange] = useState(found.change);
  const { values, bind, fail } = useFields({ gamerTag: '', reason: '' });
  const { send } = useLookup();
  const assign = async () => {
    const gamerTag = values.gamerTag.trim();
    const reason = values.reason.trim();
    try {
      const response = await send({ paymentId, gamerTag, change: expectedChange, ...(reason !== '' && { reason }) });
      const { success, message } = response;
      setExpectedChange(response.change);
      if (!success) return fail(LOOKUP_FAILED, { gamerTag: message });
      toast({ title: 'Payment Assigned', text: message });
      onDone();
    } catch (error) {
      fail(LOOKUP_FAILED, { gamerTag: reasonOf(error, 'Failed to assign payment') });
    }
  };
  const whose =
    recordedGamerTag === null
      ? 'No gamer yet. Assigning credits the payment to the one named here.'
      : `Recorded for ${recordedGamerTag}. Naming another gamer takes it from them, and needs a reason.`;
  return (
    <Form className="ask" label="Assign payment" onSubmit={assign}>
      <Field
        label={`Found: $${details.amount} after any fee, in ${details.cryptoType}, ${details.status}`}
        placeholder="GamerTag to credit"
        ref={recordedGamerTag === null ? focusAtFirst : null}
        maxLength={20}
        hint={[expectedChange, whose].filter(Boolean).join('. ')}
        {...bind('gamerTag')}
      />
      {recordedGamerTag !== null && <ReasonField {...bind('reason')} />}
      <Submit kind="act" text="Assign" busy="Assigning…" />
    </Form>
  );
}
