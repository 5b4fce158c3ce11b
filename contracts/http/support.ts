import type { GamerId, TicketId } from '../ids.js';

export type TicketStatus = 'open' | 'closed';

/** GET /api/support/tickets: the gamer's own, newest first. */
export interface SupportTicket {
  id: TicketId;
  subject: string;
  message: string;
  status: TicketStatus;
  createdAt: number;
  resolvedAt: number | null;
  adminNotes: string | null;
}

/** GET /api/admin/support/tickets */
export interface AdminTicket extends SupportTicket {
  gamerTag: string;
}

/** POST /api/support/tickets */
export interface OpenTicketRequest {
  gamerId: GamerId;
  subject: string;
  message: string;
}

/** PUT /api/admin/support/tickets/{id} */
export interface UpdateTicketRequest {
  status: TicketStatus;
  adminNotes?: string;
}
