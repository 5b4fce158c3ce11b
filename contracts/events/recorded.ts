import type { CommunityEvent, GamerEvent, TicketEvent } from './gamer-events.js';
import type { LateEvent } from './late-events.js';
import type { LedgerEvent } from './ledger-events.js';
import type { EventMetadata, LedgerMetadata } from './metadata.js';
import type { PaymentEvent } from './payment-events.js';

export type OurEvent = LedgerEvent | GamerEvent | PaymentEvent | TicketEvent | CommunityEvent | LateEvent;

/** An event as the log holds it. */
export interface Recorded<E extends OurEvent = OurEvent, M extends EventMetadata = EventMetadata> {
  id: string;
  stream: string;
  /** 0, 1, 2 … within its stream. */
  revision: number;
  /** Position in the whole log: a decimal string of at most 64 bits; compare as bigint. */
  position: string;
  event: E;
  metadata: M;
  /** The data as the log stores it, if the reader knows it. */
  dataText?: string;
  /** Time at which the store recorded it, by the store's own clock, if the reader knows it. */
  createdAtMs?: number;
}

export type RecordedLedgerEvent = Recorded<LedgerEvent, LedgerMetadata>;
