import type { GamerId, TicketId } from '../ids.js';
import type { AuditLine } from './audit.js';
import type { PaymentInReview } from './payments.js';
import type { LatePurchasesResponse } from './purchases.js';
import type { MovementsResponse } from './statements.js';

export const TICKET_STATUSES = ['open', 'closed'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export interface TicketMessage {
  from: 'gamer' | 'support';
  text: string;
  atMs: number;
}

/** GET /api/support/tickets: the gamer's own, newest first. */
export interface SupportTicket {
  id: TicketId;
  subject: string;
  /** The first message. */
  message: string;
  status: TicketStatus;
  createdAt: number;
  resolvedAt: number | null;
  /** The last answer of support. */
  adminNotes: string | null;
  /** The whole conversation, oldest first. */
  messages: TicketMessage[];
}

/** GET /api/admin/support/tickets?status=&gamerId= */
export interface AdminTicket extends SupportTicket {
  gamerId: GamerId;
  gamerTag: string;
}

/** POST /api/support/tickets */
export type OpenTicketRequest = { gamerId: GamerId; subject: string; message: string };

/** POST /api/support/tickets/{id}/messages */
export type ContinueTicketRequest = Pick<SupportTicket, 'message'>;

/** GET /api/admin/gamers/{id}/history: the gamer's newest actions and payments. */
export interface GamerHistoryResponse extends LatePurchasesResponse, Pick<MovementsResponse, 'movements'> {
  /** Each with the event that recorded it. */
  paymentsInReview: (PaymentInReview & { recorded: AuditLine | null })[];
  /** Withdrawals that were paid out. A returned or cancelled one is a movement. */
  payouts: AuditLine[];
}

/** PUT /api/admin/support/tickets/{id} */
export type UpdateTicketRequest = { status: TicketStatus; adminNotes?: string };
