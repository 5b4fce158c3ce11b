import type { GamerId, TicketId } from '../ids.js';
import type { EventOf } from './event-of.js';

/** The events of a stream `ticket-{id}`: one support ticket. The stream is deleted with its gamer. */
export interface TicketEvents {
  TicketOpened: { ticketId: TicketId; gamerId: GamerId; subject: string; message: string };
  /** The admin set the status, with or without notes; the gamer reads them (decision 36). */
  TicketClosed: { ticketId: TicketId; adminNotes: string | null };
  TicketReopened: { ticketId: TicketId; adminNotes: string | null };
  /** The admin changed only the notes. */
  TicketNoted: { ticketId: TicketId; adminNotes: string | null };
}

export type TicketEvent = EventOf<TicketEvents>;
