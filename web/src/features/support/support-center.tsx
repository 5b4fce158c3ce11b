import { Tabs } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { ContinueTicketRequest, OpenTicketRequest, SupportTicket } from '../../../../contracts/http/support.js';
import { TICKET_MESSAGE_MAX_LENGTH, TICKET_SUBJECT_MAX_LENGTH } from '../../../../contracts/limits.js';
import { useApi, useCommand } from '../../shared/api/api-client.js';
import { dateTimeText } from '../../shared/format.js';
import { useMyId } from '../../shared/session.queries.js';
import { Field, Form, Submit, useFields } from '../../shared/ui/controls.js';
import { LoadFailure, Loading } from '../../shared/ui/query-result.js';
import './support.css';
import { markSeen, TICKETS_KEY } from './answer-mark.js';
import { Conversation, statusText } from './conversation.js';

export default function SupportCenter() {
  const [tab, setTab] = useState('tickets');
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
  // An empty list from before the first ticket is out of date.
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
  const { subject, status, resolvedAt, messages } = ticket;
  return (
    <li className="ticket">
      <h3>{subject}</h3>
      <span className={status === 'open' ? 'chip chip--on' : 'chip'}>{statusText(ticket)}</span>
      <Conversation messages={messages} gamer="You" />
      <p className="t14 dim">{resolvedAt !== null && `Closed ${dateTimeText(resolvedAt)}. `}Times are New York’s.</p>
      <MessageForm ticket={ticket} />
    </li>
  );
}

function MessageForm({ ticket: { id, subject } }: { ticket: SupportTicket }) {
  const { values, bind, change, setProblems } = useFields({ message: '' });
  const { run } = useCommand<ContinueTicketRequest>('POST', `/api/support/tickets/${id}/messages`, FAILURE);
  const submit = async () => {
    const done = { title: 'Message Sent', text: 'Our answer will appear here.' };
    const failure = await run(values, done);
    if (failure === null) change({ message: '' });
    else setProblems({ message: failure });
  };
  return (
    <details>
      <summary className="linkish">Write again</summary>
      <Form label={`Write again about ${subject}`} onSubmit={submit}>
        <Field label="Message" rows={3} limit={TICKET_MESSAGE_MAX_LENGTH} {...bind('message')} />
        <Submit text="Send" busy="Sending…" />
      </Form>
    </details>
  );
}

const FAILURE = { failureTitle: 'Submission Failed', failureText: 'Your message is still here. Please try again.' };

function TicketForm({ onSent }: { onSent: () => void }) {
  const myId = useMyId();
  const { values, bind, setProblems } = useFields({ subject: '', message: '' });
  const { run } = useCommand<OpenTicketRequest>('POST', '/api/support/tickets', FAILURE);
  const submit = async () => {
    const done = { title: 'Ticket Sent', text: 'Our answer will appear under My Tickets.' };
    const failure = await run({ gamerId: myId, ...values }, done);
    if (failure === null) onSent();
    else setProblems({ message: failure });
  };
  return (
    <Form label="Get Support" onSubmit={submit}>
      <h3>Get Support</h3>
      <Field label="Subject" limit={TICKET_SUBJECT_MAX_LENGTH} {...bind('subject')} />
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
