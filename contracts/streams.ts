import type { GamerId, OrderId, PostId, RoundId, TicketId } from './ids.js';

export const LEDGER_STREAM = 'ledger';

export const gamerStream = (gamerId: GamerId): string => `gamer-${gamerId}`;

export const paymentStream = (orderId: OrderId): string => `payment-${orderId}`;
export const ticketStream = (ticketId: TicketId): string => `ticket-${ticketId}`;
export const postStream = (postId: PostId): string => `post-${postId}`;
export const lateStream = (roundId: RoundId): string => `late-${roundId}`;

/** Filter of a subscription to `$all`: each of our streams starts with one of these. */
export const STREAM_PREFIXES = ['ledger', 'gamer-', 'payment-', 'ticket-', 'post-', 'late-'] as const;
