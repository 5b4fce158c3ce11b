import { Tabs } from 'radix-ui';
import { useState } from 'react';
import type { SupportTicket } from '../../../../contracts/http/support.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { momentText } from '../../shared/format/time-text.js';
import { LoadFailure, Loading } from '../../shared/ui/notice.js';
import { useTickets } from './support.queries.js';
import { TicketForm } from './ticket-form.js';
import './support.css';

/** Two tabs: what the gamer has asked, and the form to ask. */
export function SupportCenter({ gamerId }: { gamerId: GamerId }) {
  const [tab, setTab] = useState('tickets');
  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="grid gap-4 min-w-0">
      <Tabs.List className="support-tabs" aria-label="Support Center">
        <Tabs.Trigger value="tickets">My Tickets</Tabs.Trigger>
        <Tabs.Trigger value="create">Create Ticket</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="tickets">
        <MyTickets onCreate={() => setTab('create')} />
      </Tabs.Content>
      <Tabs.Content value="create">
        <TicketForm gamerId={gamerId} onSent={() => setTab('tickets')} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

function MyTickets({ onCreate }: { onCreate: () => void }) {
  const { data, isPending, refetch } = useTickets();
  if (isPending) return <Loading label="Loading your tickets" rows={3} />;
  if (data === undefined) return <LoadFailure text="Your tickets could not be loaded" onRetry={() => void refetch()} />;
  if (data.length === 0) {
    return (
      <div className="grid justify-items-start gap-4">
        <p className="empty">No tickets yet. What you ask, and our answers, stand here.</p>
        <button type="button" className="btn btn--line btn--sm" onClick={onCreate}>
          Create Ticket
        </button>
      </div>
    );
  }
  return (
    <ul className="rows">
      {data.map((ticket) => (
        <Ticket key={ticket.id} ticket={ticket} />
      ))}
    </ul>
  );
}

function Ticket({ ticket }: { ticket: SupportTicket }) {
  const { subject, message, status, createdAt, resolvedAt, adminNotes } = ticket;
  const isOpen = status === 'open';
  return (
    <li className="ticket">
      <h3>{subject}</h3>
      <span className={isOpen ? 'chip chip--on' : 'chip'}>{isOpen ? 'Open' : 'Closed'}</span>
      <p className="t14 dim">
        Sent {momentText(createdAt)}
        {resolvedAt !== null && !isOpen && `, closed ${momentText(resolvedAt)}`}
      </p>
      <p className="ticket-text">{message}</p>
      {adminNotes !== null && adminNotes !== '' && (
        <div className="note">
          <span>
            <b>Answer from support</b>
            <br />
            <span className="ticket-text">{adminNotes}</span>
          </span>
        </div>
      )}
    </li>
  );
}
