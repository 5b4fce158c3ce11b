import type { TicketEvent, TicketEvents } from '../contracts/events/gamer-events.js';
import type { TicketStatus } from '../contracts/http/support.js';
import type { GamerId } from '../contracts/ids.js';
import { MAX_TICKET_MESSAGES } from '../contracts/limits.js';
import type { Refusal } from '../contracts/refusals.js';

type TicketOpened = TicketEvents['TicketOpened'];

/** A conversation. Its gamer opens it, and writes again, which opens a closed one. The admin closes, reopens or only answers it. */
export interface Ticket extends TicketOpened {
  status: TicketStatus;
  /** The last message, if it is an answer. */
  lastAnswer: string | null;
  messageCount: number;
}

export type TicketState = Ticket | null;

/** `adminNotes` is null before an answer. */
type TicketUpdate = Pick<Ticket, 'status'> & Pick<TicketEvents['TicketNoted'], 'adminNotes'>;

type Decision = { events: TicketEvent[] } | { refusal: Refusal };

/** The id derives from the idempotency key: an existing ticket is a replayed command, or a different one with its key. */
export function openTicket(ticket: TicketState, opened: TicketOpened): Decision {
  if (ticket === null) return { events: [{ type: 'TicketOpened', data: opened }] };
  const isSame = ticket.subject === opened.subject && ticket.message === opened.message;
  return isSame ? { events: [] } : { refusal: { code: 'idempotency-key-reused' } };
}

export function continueTicket(ticket: TicketState, gamerId: GamerId, message: string): Decision {
  if (ticket?.gamerId !== gamerId) return { refusal: { code: 'ticket-not-found' } };
  if (ticket.messageCount >= MAX_TICKET_MESSAGES) return { refusal: { code: 'ticket-full' } };
  return { events: [{ type: 'TicketContinued', data: { ticketId: ticket.ticketId, message } }] };
}

export function updateTicket(ticket: TicketState, { status, adminNotes }: TicketUpdate): Decision {
  if (ticket === null) return { refusal: { code: 'ticket-not-found' } };
  const data = { ticketId: ticket.ticketId, adminNotes };
  if (status !== ticket.status)
    return { events: [status === 'closed' ? { type: 'TicketClosed', data } : { type: 'TicketReopened', data }] };
  if (adminNotes === null || adminNotes === ticket.lastAnswer) return { events: [] };
  return { events: [{ type: 'TicketNoted', data }] };
}

export function evolveTicket(ticket: TicketState, { type, data }: TicketEvent): TicketState {
  if (type === 'TicketOpened') return { ...data, status: 'open', lastAnswer: null, messageCount: 1 };
  if (ticket === null) throw new Error(`${type} of ${data.ticketId}, which was never opened`);
  const { messageCount } = ticket;
  if (type === 'TicketContinued')
    return { ...ticket, status: 'open', lastAnswer: null, messageCount: messageCount + 1 };
  const status = { TicketClosed: 'closed', TicketReopened: 'open', TicketNoted: ticket.status }[type] as TicketStatus;
  if (data.adminNotes === null) return { ...ticket, status };
  return { ...ticket, status, lastAnswer: data.adminNotes, messageCount: messageCount + 1 };
}
