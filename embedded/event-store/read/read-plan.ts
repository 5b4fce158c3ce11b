import type { EventFilter } from '../core/event-filter.js';

/** What a Read request asks for. */
export interface ReadPlan {
  /** Undefined for `$all`. */
  stream: string | undefined;
  direction: 'forwards' | 'backwards';
  /** A revision of the stream or a position in `$all`; for a subscription the last one seen. */
  from: 'start' | 'end' | number;
  /** Undefined for a subscription, which has no end. */
  maxCount: number | undefined;
  filter: EventFilter | undefined;
  /** For a filtered subscription: a checkpoint after so many considered events. */
  checkpointEvery: number;
  resolveLinks: boolean;
  structuredIds: boolean;
}
