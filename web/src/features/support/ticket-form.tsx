import { type FormEvent, useState } from 'react';
import type { GamerId } from '../../../../contracts/ids.js';
import { TICKET_MESSAGE_MAX_LENGTH, TICKET_SUBJECT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { reasonOf } from '../../shared/api/api-error.js';
import { AreaField } from '../../shared/ui/area-field.js';
import { Field } from '../../shared/ui/field.js';
import { toast } from '../../shared/ui/toasts.js';
import { useOpenTicket } from './support.queries.js';
import { type TicketDraft, type TicketProblems, ticketOf } from './ticket-rules.js';

const blank: TicketDraft = { subject: '', message: '' };

/** The Get Support form. */
export function TicketForm({ gamerId, onSent }: { gamerId: GamerId; onSent: () => void }) {
  const [draft, setDraft] = useState(blank);
  const [problems, setProblems] = useState<TicketProblems>({});
  const { open, isPending } = useOpenTicket();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const order = ticketOf(draft);
    if ('problems' in order) {
      setProblems(order.problems);
      return toast({ title: 'Invalid Form', text: order.text, tone: 'bad' });
    }
    try {
      await open({ gamerId, ...order.ticket });
      toast({ title: 'Ticket Sent', text: 'We answer under My Tickets.' });
      setDraft(blank);
      onSent();
    } catch (error) {
      const reason = reasonOf(error, 'Your message is still here. Please try again.');
      setProblems({ message: reason });
      toast({ title: 'Submission Failed', text: reason, tone: 'bad' });
    }
  };

  const bind = (field: keyof TicketDraft) => ({
    value: draft[field],
    error: problems[field],
    onChange: (event: { target: { value: string } }) => {
      setDraft({ ...draft, [field]: event.target.value });
      setProblems({ ...problems, [field]: '' });
    },
  });

  return (
    <form className="grid gap-4" aria-label="Get Support" noValidate onSubmit={(event) => void submit(event)}>
      <h3>Get Support</h3>
      <fieldset className="grid gap-4 min-w-0" disabled={isPending}>
        <Field
          label="Subject"
          autoComplete="off"
          hint={`${draft.subject.length} of ${TICKET_SUBJECT_MAX_LENGTH}`}
          {...bind('subject')}
        />
        <AreaField
          label="Message"
          rows={5}
          limit={TICKET_MESSAGE_MAX_LENGTH}
          placeholder="What happened, and when? A payment or round number helps."
          {...bind('message')}
        />
        <button type="submit" className="btn btn--act btn--wide">
          {isPending ? 'Sending…' : 'Send Ticket'}
        </button>
      </fieldset>
    </form>
  );
}
