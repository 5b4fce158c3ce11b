import type { TicketEvent, TicketEvents } from '../contracts/events/gamer-events.js';
import type { TicketStatus } from '../contracts/http/support.js';
import type { Refusal } from '../contracts/refusals.js';

type TicketOpened = TicketEvents['TicketOpened'];

/**
 * A support ticket is opened once by its gamer. The admin closes and reopens it, with or without notes, and may change
 * only the notes. Notes stay until new ones replace them. An update with the same status and no new notes produces no
 * event.
 */
export interface Ticket extends TicketOpened {
  status: TicketStatus;
  adminNotes: string | null;
}

/** Null when the ticket does not exist. */
export type TicketState = Ticket | null;

export interface TicketUpdate {
  status: TicketStatus;
  /** Null keeps the notes. */
  adminNotes: string | null;
}

type Decision = { events: TicketEvent[] } | { refusal: Refusal };

/** The id derives from the idempotency key: an existing ticket is a replayed command, or a different one with its key. */
export function openTicket(ticket: TicketState, opened: TicketOpened): Decision {
  if (ticket === null) return { events: [{ type: 'TicketOpened', data: opened }] };
  const isSame = ticket.subject === opened.subject && ticket.message === opened.message;
  return isSame ? { events: [] } : { refusal: { code: 'idempotency-key-reused' } };
}

export function updateTicket(ticket: TicketState, { status, adminNotes }: TicketUpdate): Decision {
  if (ticket === null) return { refusal: { code: 'ticket-not-found' } };
  const data = { ticketId: ticket.ticketId, adminNotes };
  if (status !== ticket.status) {
    return { events: [status === 'closed' ? { type: 'TicketClosed', data } : { type: 'TicketReopened', data }] };
  }
  if (adminNotes === null || adminNotes === ticket.adminNotes) return { events: [] };
  return { events: [{ type: 'TicketNoted', data }] };
}

export function evolveTicket(ticket: TicketState, event: TicketEvent): TicketState {
  if (event.type === 'TicketOpened') return { ...event.data, status: 'open', adminNotes: null };
  if (ticket === null) throw new Error(`${event.type} of ${event.data.ticketId}, which was never opened`);
  const adminNotes = event.data.adminNotes ?? ticket.adminNotes;
  switch (event.type) {
    case 'TicketClosed':
      return { ...ticket, status: 'closed', adminNotes };
    case 'TicketReopened':
      return { ...ticket, status: 'open', adminNotes };
    case 'TicketNoted':
      return { ...ticket, adminNotes };
  }
}
