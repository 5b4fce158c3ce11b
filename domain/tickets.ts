import type { TicketEvent } from '../contracts/events/ticket-events.js';
import type { TicketStatus } from '../contracts/http/support.js';
import type { GamerId, TicketId } from '../contracts/ids.js';
import type { Refusal } from '../contracts/messages.js';

/**
 * A support ticket is opened once by its gamer. The admin closes and reopens it as often as needed, with or without
 * notes, and may write notes alone. Notes stay until others replace them. An update that changes nothing is nothing:
 * the status it has already, and no notes or the same ones.
 */
export interface Ticket {
  ticketId: TicketId;
  gamerId: GamerId;
  subject: string;
  message: string;
  status: TicketStatus;
  adminNotes: string | null;
}

/** Null: there is no such ticket. */
export type TicketState = Ticket | null;

export interface TicketUpdate {
  status: TicketStatus;
  /** Null: no word about them. */
  adminNotes: string | null;
}

type Decision = { events: TicketEvent[] } | { refusal: Refusal };

/** A ticket that exists already is a repeat of the command that opened it, or another one under its key. */
export function openTicket(
  ticket: TicketState,
  opened: Pick<Ticket, 'ticketId' | 'gamerId' | 'subject' | 'message'>,
): Decision {
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
