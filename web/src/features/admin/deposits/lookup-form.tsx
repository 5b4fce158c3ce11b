import { Search } from 'lucide-react';
import { type FormEvent, type RefObject, useState } from 'react';
import type { PaymentDetails } from '../../../../../contracts/http/payments.js';
import { refusalText } from '../../../../../contracts/messages.js';
import { ApiError, reasonOf } from '../../../shared/api/api-error.js';
import { Field } from '../../../shared/ui/field.js';
import { toast } from '../../../shared/ui/toasts.js';
import { paymentText } from './deposit-words.js';
import { useLookupPayment } from './deposits.queries.js';

interface Found {
  paymentId: string;
  details: PaymentDetails;
}

interface LookupFormProps {
  paymentId: string;
  onPaymentId: (paymentId: string) => void;
  fieldRef: RefObject<HTMLInputElement | null>;
}

/**
 * Asks the gateway about a payment; one that nobody is known for is assigned to a gamer
 * (specification §5, admin). What was said or found holds for the id it was asked of, and for no other.
 */
export function LookupForm({ paymentId, onPaymentId, fieldRef }: LookupFormProps) {
  const [problem, setProblem] = useState<{ of: string; text: string } | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const { run, isBusy } = useLookupPayment();
  const id = paymentId.trim();

  const lookUp = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(null);
    if (id === '') {
      const text = refusalText({ code: 'payment-id-required' });
      setProblem({ of: id, text });
      return toast({ title: 'Invalid Form', text, tone: 'bad' });
    }
    setFound(null);
    try {
      const { success, requiresGamerTag, paymentDetails, message } = await run({ paymentId: id });
      if (requiresGamerTag) setFound({ paymentId: id, details: paymentDetails });
      else if (success) toast({ title: 'Payment Credited', text: message });
      else notFound(message);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) notFound(reasonOf(error, ''));
      else toast({ title: 'Lookup Failed', text: reasonOf(error, 'Failed to lookup payment'), tone: 'bad' });
    }
  };
  const notFound = (reason: string) => {
    const text = reason || refusalText({ code: 'payment-not-found' });
    setProblem({ of: id, text });
    toast({ title: 'Payment Not Found', text, tone: 'bad' });
  };

  return (
    <div className="two">
      <form className="ask" aria-label="Payment lookup" noValidate onSubmit={(event) => void lookUp(event)}>
        <Field
          ref={fieldRef}
          label="Payment ID"
          className="code"
          autoComplete="off"
          inputMode="numeric"
          maxLength={64}
          value={paymentId}
          hint="A finished payment whose gamer is known is credited at once."
          error={problem?.of === id ? problem.text : null}
          onChange={(event) => onPaymentId(event.target.value)}
        />
        <button type="submit" className="btn btn--line" disabled={isBusy}>
          <Search size={18} aria-hidden="true" />
          {isBusy && found === null ? 'Looking…' : 'Lookup'}
        </button>
      </form>
      {found?.paymentId === id && <AssignForm key={found.paymentId} found={found} onDone={() => setFound(null)} />}
    </div>
  );
}

/** What was looked up is answered with a question: focus goes to where it is answered. */
const focusOnce = (field: HTMLInputElement | null): void => field?.focus();

function AssignForm({ found, onDone }: { found: Found; onDone: () => void }) {
  const [gamerTag, setGamerTag] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isBusy } = useLookupPayment();
  const fail = (title: string, text: string) => {
    setProblem(text);
    toast({ title, text, tone: 'bad' });
  };
  const assign = async (event: FormEvent) => {
    event.preventDefault();
    const tag = gamerTag.trim();
    if (tag === '') return fail('Invalid Form', refusalText({ code: 'gamer-tag-required' }));
    try {
      const { success, message } = await run({ paymentId: found.paymentId, gamerTag: tag });
      if (!success) return fail('Lookup Failed', message);
      toast({ title: 'Payment Assigned', text: message });
      onDone();
    } catch (error) {
      fail('Lookup Failed', reasonOf(error, 'Failed to assign payment'));
    }
  };
  return (
    <form className="ask" aria-label="Assign payment" noValidate onSubmit={(event) => void assign(event)}>
      <Field
        label={`Found: ${paymentText(found.details)}`}
        placeholder="GamerTag to credit"
        autoComplete="off"
        ref={focusOnce}
        maxLength={20}
        value={gamerTag}
        hint="No gamer yet. Assigning credits the payment to the one named here."
        error={problem}
        onChange={(event) => {
          setGamerTag(event.target.value);
          setProblem(null);
        }}
      />
      <button type="submit" className="btn btn--act" disabled={isBusy}>
        {isBusy ? 'Assigning…' : 'Assign'}
      </button>
    </form>
  );
}
