import { type DataByType, int, text } from './fields.js';
import type { EventOf } from './metadata.js';

/** The events of a stream `late-{round}` (decision 60). They change nothing. */
export const LATE_EVENT_FIELDS = {
  /** A purchase was refused because it came after the round's end: the command id is in the metadata. */
  PurchaseCameLate: {
    roundId: int,
    gamerId: text,
    quantity: int,
    receivedAtEpochMs: int,
    endedAtMs: int,
    /** Number of the ledger's events when it was refused. */
    ledgerSize: int,
  },
};

export type LateEvents = DataByType<typeof LATE_EVENT_FIELDS>;

export type LateEvent = EventOf<LateEvents>;
