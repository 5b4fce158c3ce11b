import type { GamerId } from './ids.js';

export const LEDGER_STREAM = 'ledger';

export const gamerStream = (gamerId: GamerId): string => `gamer-${gamerId}`;

/** What a subscription to `$all` filters on: every stream of ours starts with one of these. */
export const STREAM_PREFIXES = ['ledger', 'gamer-', 'payment-', 'ticket-', 'community'] as const;
