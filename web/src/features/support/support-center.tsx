import { Tabs } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { OpenTicketRequest, SupportTicket } from '../../../../contracts/http/support.js';
import { TICKET_MESSAGE_MAX_LENGTH, TICKET_SUBJECT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { useApi, useCommand } from '../../shared/api/use-api.js';
import { dateTimeText } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { Field, Form, type Problems, Submit, useFields } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import './support.css';
import { type PlainRefusalCode, refusalText } from '../../../../contracts/refusals.js';
import { markSeen, TICKETS_KEY } from './answer-mark.js';
import { LinkedText } from './linked-text.js';
import { EMPTY_TICKET, type TicketDraft, ticketDraft } from './ticket-draft.js';

export default function SupportCenter() {
  const [tab, setTab] = useState(ticketDraft.get() === EMPTY_TICKET ? 'tickets' : 'create');
  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="grid gap-4 min-w-0">
      <Tabs.List className="support-tabs" aria-label="Support Center">
        <Tabs.Trigger value="tickets">My Tickets</Tabs.Trigger>
        <Tabs.Trigger value="create">Create Ticket</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="tickets">
        <MyTickets />
      </Tabs.Content>
      <Tabs.Content value="create">
        <TicketForm onSent={() => setTab('tickets')} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

function MyTickets() {
  const { data, isPending, isFetching, refetch } = useApi<SupportTicket[]>(TICKETS_KEY, {
    refreshOn: ['support:ticket_updated'],
    // A message that arrived while the dialog was closed refetched nothing.
    refetchOnMount: 'always',
  });
  useEffect(() => {
    if (data) markSeen(data);
  }, [data]);
  // An empty list from before the first ticket is no answer.
  if (isPending || (isFetching && data?.length === 0)) return <Loading label="Loading your tickets" rows={3} />;
  if (data === undefined) return <LoadFailure text="Your tickets could not be loaded" onRetry={refetch} />;
  if (data.length === 0)
    return <p className="empty">No tickets yet. Your questions and our answers will be listed here.</p>;
  return (
    <ul className="rows">
      {data.map((ticket) => (
        <Ticket key={ticket.id} ticket={ticket} />
      ))}
    </ul>
  );
}

function Ticket({ ticket }: { ticket: SupportTicket }) {
  const { subject, message, status, createdAt, answeredAt, resolvedAt, adminNotes } = ticket;
  const isOpen = status === 'open';
  const openText = adminNotes ? 'Answered' : 'Open';
  return (
    <li className="ticket">
      <h3>{subject}</h3>
      <span className={isOpen ? 'chip chip--on' : 'chip'}>{isOpen ? openText : 'Closed'}</span>
      <p className="t14 dim">
        <span>{`Sent ${dateTimeText(createdAt)}`}</span>
        {resolvedAt !== null && !isOpen && <span>{`, closed ${dateTimeText(resolvedAt)}`}</span>}, New York time
      </p>
      <LinkedText text={message} />
      {adminNotes !== null && adminNotes !== '' && (
        <div className="note">
          <div className="min-w-0">
            <b>Answer from support</b>
            {answeredAt !== null && <span className="dim">{`, ${dateTimeText(answeredAt)}`}</span>}
            <LinkedText text={adminNotes} />
          </div>
        </div>
      )}
    </li>
  );
}

function TicketForm({ onSent }: { onSent: () => void }) {
  const myId = useMyId();
  const { values, bind, fail, setProblems } = useFields<TicketDraft>(ticketDraft.get());
  useEffect(() => ticketDraft.set(values), [values]);
  const { run } = useCommand<OpenTicketRequest>('POST', '/api/support/tickets', {
    failed: 'Submission Failed',
    otherwise: 'Your message is still here. Please try again.',
  });
  const submit = async () => {
    const order = ticketOf(values);
    if ('problems' in order) return fail('Invalid Form', order.problems);
    const done = { title: 'Ticket Sent', text: 'Our answer will appear under My Tickets.' };
    const failure = await run({ gamerId: myId, ...order.ticket }, done);
    if (failure !== null) return setProblems({ message: failure });
    ticketDraft.set(EMPTY_TICKET);
    onSent();
  };
  return (
    <Form label="Get Support" onSubmit={submit}>
      <h3>Get Support</h3>
      <Field label="Subject" hint={`${values.subject.length} of ${TICKET_SUBJECT_MAX_LENGTH}`} {...bind('subject')} />
      <Field
        label="Message"
        rows={5}
        limit={TICKET_MESSAGE_MAX_LENGTH}
        placeholder="What happened, and when? A payment or round number helps."
        {...bind('message')}
      />
      <Submit text="Send Ticket" busy="Sending…" />
    </Form>
  );
}

/** The trimmed texts of a typed ticket, or the error of each field (specification §5). */
export function ticketOf(draft: TicketDraft): { ticket: TicketDraft } | { problems: Problems<TicketDraft> } {
  const ticket = { subject: draft.subject.trim(), message: draft.message.trim() };
  const problems = {
    ...problemOf('subject', ticket.subject, TICKET_SUBJECT_MAX_LENGTH, 'ticket-subject-too-long'),
    ...problemOf('message', ticket.message, TICKET_MESSAGE_MAX_LENGTH, 'ticket-message-too-long'),
  };
  return Object.keys(problems).length === 0 ? { ticket } : { problems };
}

function problemOf(field: keyof TicketDraft, text: string, limit: number, tooLong: PlainRefusalCode) {
  if (text === '') return { [field]: refusalText({ code: 'ticket-fields-required' }) };
  return text.length > limit ? { [field]: refusalText({ code: tooLong }) } : {};
}
