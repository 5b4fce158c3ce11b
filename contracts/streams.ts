import type { GamerId, OrderId, TicketId } from './ids.js';

export const LEDGER_STREAM = 'ledger';

export const gamerStream = (gamerId: GamerId): string => `gamer-${gamerId}`;

export const paymentStream = (orderId: OrderId): string => `payment-${orderId}`;
export const ticketStream = (ticketId: TicketId): string => `ticket-${ticketId}`;
export const COMMUNITY_STREAM = 'community';

/** What a subscription to `$all` filters on: every stream of ours starts with one of these. */
export const STREAM_PREFIXES = ['ledger', 'gamer-', 'payment-', 'ticket-', 'community'] as const;
