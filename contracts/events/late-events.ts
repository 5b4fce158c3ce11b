import type { LatePurchase } from '../transparency/signed-refusal.js';
import type { EventOf } from './metadata.js';

/** The events of a stream `late-{round}` (decision 60). They change nothing. */
export interface LateEvents {
  /** A purchase was refused because it came after the round's end. The command id is in the metadata. */
  PurchaseCameLate: Omit<LatePurchase, 'commandId'>;
}

export type LateEvent = EventOf<LateEvents>;
