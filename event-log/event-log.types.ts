import type { EventMetadata } from '../contracts/events/metadata.js';
import type { OurEvent } from '../contracts/events/recorded.js';

/** An event on its way into the log. */
export interface NewEvent<E extends OurEvent = OurEvent, M extends EventMetadata = EventMetadata> {
  /** UUID; the log knows a repeated append by it. */
  id: string;
  event: E;
  metadata: M;
}

/** Where an append ended: the revision (in its stream) and position (in the log) of its LAST event. */
export interface AppendResult {
  revision: number;
  position: string;
}

/** The revision the stream must be at: that of its last event, or -1 for a stream that does not exist. */
export type ExpectedRevision = number;

/** The stream was not where the writer believed; nothing was appended. `actual` is -1 for a missing stream. */
export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`${stream}: expected revision ${expected}, actual ${actual}`);
  }
}

/** It may or may not have been appended: read the log before deciding anything again. */
export class UnknownOutcome extends Error {}

/** The log could not be reached; a read may be repeated. */
export class LogUnavailable extends Error {}

/** Positions are decimal strings of 64-bit numbers. Negative, zero or positive like a comparator. */
export function comparePositions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
