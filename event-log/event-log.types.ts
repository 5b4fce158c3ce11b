import type { EventMetadata } from '../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../contracts/events/recorded.js';

/** The id is a UUID: by the ids of its events the log recognises a repeated append. */
export type NewEvent<E extends OurEvent = OurEvent, M extends EventMetadata = EventMetadata> = Pick<
  Recorded<E, M>,
  'id' | 'event' | 'metadata' | 'dataText'
>;

/** The revision (in its stream) and the position (in the log) of the last event that an append wrote. */
export type AppendResult = Pick<Recorded, 'revision' | 'position'>;

/** The revision of the stream's last event, or -1 when the stream must not exist. */
export type ExpectedRevision = number;

/** The stream is not at the expected revision; nothing was appended. `actual` is -1 for a missing stream. */
export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`${stream}: expected revision ${expected}, actual ${actual}`);
  }
}

/** The events may or may not have been appended: read the log before deciding anything again. */
export class UnknownOutcome extends Error {}

/** The log could not be reached; the read can be repeated. */
export class LogUnavailable extends Error {}

/** The server or this package refused the append itself: repeating it cannot help, and nothing was appended. */
export class AppendRefused extends Error {}

/** The stream was tombstoned: nothing can ever be appended to it again. */
export class StreamTombstoned extends AppendRefused {}

/** The position a follower would resume from is not in this log: another log was restored or configured. */
export class OtherHistory extends Error {}

/** Whether the log is unavailable, or did not say what it did: the next attempt may succeed. */
export const isLogOutage = (error: unknown): error is Error =>
  error instanceof LogUnavailable || error instanceof UnknownOutcome;
