import type { GamerId, TicketId } from '../ids.js';

/** The events of a stream `ticket-{id}`: one support ticket. The stream is deleted with its gamer. */

export interface TicketOpened {
  type: 'TicketOpened';
  data: { ticketId: TicketId; gamerId: GamerId; subject: string; message: string };
}

/** The admin set the status, with or without notes; the gamer reads them (decision 36). */
export interface TicketClosed {
  type: 'TicketClosed';
  data: { ticketId: TicketId; adminNotes: string | null };
}

export interface TicketReopened {
  type: 'TicketReopened';
  data: { ticketId: TicketId; adminNotes: string | null };
}

/** The admin changed only the notes. */
export interface TicketNoted {
  type: 'TicketNoted';
  data: { ticketId: TicketId; adminNotes: string | null };
}

export type TicketEvent = TicketOpened | TicketClosed | TicketReopened | TicketNoted;
