import type { LedgerEventType } from '../../../contracts/events/ledger-events.js';

/** Purchases come in twos, and are nearly all that the ledger holds: of these no list is kept by type. */
const COMMON: ReadonlySet<LedgerEventType> = new Set<LedgerEventType>(['TokenPurchased', 'TimeExtended']);

export const isRare = (type: LedgerEventType | undefined): boolean => type !== undefined && !COMMON.has(type);
