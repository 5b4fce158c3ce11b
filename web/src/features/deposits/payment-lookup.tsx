import { Search } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type {
  LookupPaymentRequest,
  LookupPaymentResponse,
  PaymentDetails,
} from '../../../../contracts/http/deposits.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { codeOf, reasonOf } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { ReasonField } from '../../shared/ui/admin-parts.js';
import { Button, Field, Form, useFields } from '../../shared/ui/controls.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';
import { depositChanges } from './deposit-queries.js';

const LOOKUP_FAILED = 'Lookup Failed';
const useLookup = () =>
  useCommand<LookupPaymentRequest, LookupPaymentResponse>('POST', '/api/admin/lookup-payment', {
    what: 'lookup payment',
    reloads: depositChanges,
  });

interface LookupFormProps {
  paymentId: string;
  onPaymentId: (paymentId: string) => void;
  fieldRef: RefObject<HTMLInputElement | null>;
}

/**
 * Looks a payment up at the gateway. A payment without a known gamer can then be assigned to one (specification §5,
 * admin). A problem or a found payment is shown only while the field still holds its id.
 */
export function LookupForm({ paymentId, onPaymentId, fieldRef }: LookupFormProps) {
  const [problem, setProblem] = useState<{ id: string; text: string } | null>(null);
  const [unpaid, setUnpaid] = useState<{ id: string; text: string } | null>(null);
  const [found, setFound] = useState<(AssignablePayment & { id: string }) | null>(null);
  const { send, isBusy } = useLookup();
  const id = paymentId.trim();
  const fail = (title: string, text: string) => setProblem({ id, text: toastProblem(title, text) });

  const lookUp = async () => {
    setProblem(null);
    setUnpaid(null);
    if (id === '') return fail('Invalid Form', refusalText({ code: 'payment-id-required' }));
    setFound(null);
    try {
      const found = await send({ paymentId: id });
      const { success, requiresGamerTag, recordedGamerTag, change, paymentDetails: details, message } = found;
      if (requiresGamerTag || recordedGamerTag !== null) setFound({ id, details, recordedGamerTag, change });
      if (requiresGamerTag) return;
      if (recordedGamerTag !== null) setProblem({ id, text: message });
      else if (success) toast({ title: 'Payment Credited', text: message });
      else fail('Payment Not Found', message);
    } catch (error) {
      if (codeOf(error) === 'payment-unpaid') {
        setUnpaid({ id, text: reasonOf(error, '') });
        toast({ title: 'Not paid yet', text: reasonOf(error, '') });
      } else if (codeOf(error) === 'payment-not-found') fail('Payment Not Found', reasonOf(error, ''));
      else toastProblem(LOOKUP_FAILED, reasonOf(error, 'Failed to lookup payment'));
    }
  };

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
          hint={
            unpaid?.id === id
              ? `Not paid yet. ${unpaid.text}.`
              : 'A finished payment whose gamer is known is credited at once.'
          }
          error={problem?.id === id ? problem.text : null}
          onChange={(event) => onPaymentId(event.target.value)}
        />
        <Button type="submit" icon={Search} text={isBusy && found === null ? 'Looking…' : 'Lookup'} disabled={isBusy} />
      </Form>
      {found?.id === id && <AssignForm key={id} paymentId={id} {...found} onDone={() => setFound(null)} />}
    </div>
  );
}

const focusOnce = (field: HTMLInputElement | null): void => field?.focus();

interface AssignablePayment {
  details: PaymentDetails;
  recordedGamerTag: string | null;
  change: string | null;
}

interface AssignFormProps extends AssignablePayment {
  paymentId: string;
  onDone: () => void;
}

/** Credits the payment to the named gamer; taking it from its recorded gamer needs a reason (decision 48). */
function AssignForm({ paymentId, details, recordedGamerTag, change, onDone }: AssignFormProps) {
  const [seen, setSeen] = useState(change);
  const { values, bind, fail } = useFields({ gamerTag: '', reason: '' });
  const { send, isBusy } = useLookup();
  const assign = async () => {
    const gamerTag = values.gamerTag.trim();
    const reason = values.reason.trim();
    if (gamerTag === '') return fail('Invalid Form', { gamerTag: refusalText({ code: 'gamer-tag-required' }) });
    try {
      const answer = await send({ paymentId, gamerTag, change: seen, ...(reason !== '' && { reason }) });
      const { success, message } = answer;
      setSeen(answer.change);
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
        label={`Found: $${details.amount} in ${details.cryptoType}, ${details.status}`}
        placeholder="GamerTag to credit"
        ref={recordedGamerTag === null ? focusOnce : null}
        maxLength={20}
        hint={[seen, whose].filter(Boolean).join('. ')}
        {...bind('gamerTag')}
      />
      {recordedGamerTag !== null && <ReasonField {...bind('reason')} />}
      <Button type="submit" kind="act" text="Assign" busy={isBusy && 'Assigning…'} />
    </Form>
  );
}
