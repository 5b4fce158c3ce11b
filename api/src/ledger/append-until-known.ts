import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { EventLog } from '../../../event-log/event-log.js';
import {
  LogUnavailable,
  type NewEvent,
  UnknownOutcome,
  WrongExpectedRevision,
} from '../../../event-log/event-log.types.js';

export type LedgerLog = Pick<EventLog, 'append' | 'readStream'>;

/** `overtaken`: another node wrote first, these can never be appended. `abandoned`: not known, and not waited for. */
export type AppendOutcome = { position: string } | 'overtaken' | 'abandoned';

/**
 * Appends to the ledger at exactly `base` until it is known whether the log has the events. While no answer comes the
 * log is asked, and only the very same events are ever sent again. `keepWaiting` is awaited before each new try, and
 * ends them by resolving to false.
 */
export async function appendUntilKnown(
  log: LedgerLog,
  events: NewEvent[],
  base: number,
  keepWaiting: () => Promise<boolean>,
): Promise<AppendOutcome> {
  for (;;) {
    try {
      return { position: (await log.append(LEDGER_STREAM, events, base)).position };
    } catch (error) {
      if (!isAnswerable(error, base)) throw error;
    }
    for (;;) {
      const found = await findInLog(log, events, base);
      if (typeof found === 'object' || found === 'overtaken') return found;
      if (!(await keepWaiting())) return 'abandoned';
      if (found === 'absent') break;
    }
  }
}

/** Asks the log what became of the events. `absent`: nothing came after their base yet. */
async function findInLog(
  log: LedgerLog,
  events: readonly NewEvent[],
  base: number,
): Promise<'absent' | 'overtaken' | 'unavailable' | { position: string }> {
  const ours = new Set(events.map(({ id }) => id));
  let position: string | null = null;
  try {
    const options = { fromRevision: base + 1, maxCount: events.length };
    for await (const recorded of log.readStream(LEDGER_STREAM, options)) {
      if (!ours.has(recorded.id)) return 'overtaken';
      position = recorded.position;
    }
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    return 'unavailable';
  }
  return position === null ? 'absent' : { position };
}

/** A log that is shorter than what was read from it has lost something: nothing can be decided on it. */
const isAnswerable = (error: unknown, base: number): boolean =>
  error instanceof UnknownOutcome || (error instanceof WrongExpectedRevision && error.actual > base);
