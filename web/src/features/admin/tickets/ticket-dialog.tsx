import { useState } from 'react';
import type { AdminTicket, TicketStatus } from '../../../../../contracts/http/support.js';
import { reasonOf } from '../../../shared/api/api-error.js';
import { momentText } from '../../../shared/format/time-text.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { toast } from '../../../shared/ui/toasts.js';
import { NotesField } from '../fields/notes-field.js';
import { useUpdateTicket } from './tickets.queries.js';

/** One ticket: what the gamer wrote, what they are told, and whether it is open. */
export function TicketDialog({ ticket, onClose }: { ticket: AdminTicket | null; onClose: () => void }) {
  return (
    <Dialog open={ticket !== null} onOpenChange={(open) => !open && onClose()} title={ticket?.subject ?? 'Ticket'}>
      {ticket && <TicketForm key={ticket.id} ticket={ticket} onDone={onClose} />}
    </Dialog>
  );
}

function TicketForm({ ticket, onDone }: { ticket: AdminTicket; onDone: () => void }) {
  const [notes, setNotes] = useState(ticket.adminNotes ?? '');
  const { run, isBusy } = useUpdateTicket();
  const isOpen = ticket.status === 'open';
  const update = async (status: TicketStatus) => {
    try {
      const adminNotes = notes.trim();
      await run({ id: ticket.id, update: { status, ...(adminNotes === '' ? {} : { adminNotes }) } });
      toast({ title: titleOf(ticket.status, status), text: `${ticket.gamerTag}: ${ticket.subject}` });
      onDone();
    } catch (error) {
      toast({ title: 'Update Failed', text: reasonOf(error, 'Failed to update ticket'), tone: 'bad' });
    }
  };
  const turned: TicketStatus = isOpen ? 'closed' : 'open';
  const hasNewNotes = notes.trim() !== '' && notes.trim() !== (ticket.adminNotes ?? '');
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void update(turned);
      }}
    >
      <p className="t14 dim">
        From <b>{ticket.gamerTag}</b>, {momentText(ticket.createdAt)}
        {ticket.resolvedAt !== null && !isOpen && `; closed ${momentText(ticket.resolvedAt)}`}
      </p>
      <p className="whitespace-pre-wrap">{ticket.message}</p>
      <NotesField label={`Notes, shown to ${ticket.gamerTag}`} value={notes} onChange={setNotes} />
      <p className="note">
        {isOpen
          ? `Closing tells ${ticket.gamerTag} that it is settled. It can be reopened.`
          : `Reopening puts it back among the open tickets, and ${ticket.gamerTag} sees it open.`}
      </p>
      <div className="actions">
        <button
          type="button"
          className="btn btn--line"
          disabled={isBusy || !hasNewNotes}
          onClick={() => void update(ticket.status)}
        >
          Save notes
        </button>
        <button type="submit" className="btn btn--act" disabled={isBusy}>
          {isBusy ? 'Saving…' : isOpen ? 'Close ticket' : 'Reopen ticket'}
        </button>
      </div>
    </form>
  );
}

function titleOf(before: TicketStatus, after: TicketStatus): string {
  if (before === after) return 'Ticket Updated';
  return after === 'closed' ? 'Ticket Closed' : 'Ticket Reopened';
}
