import { LEDGER_STREAM } from '../../../contracts/streams.js';
import type { EventLog } from '../../../event-log/event-log.js';
import * as eventLog from '../../../event-log/event-log.types.js';

export type LedgerLog = Pick<EventLog, 'append' | 'readStream'>;

/** `overtaken`: another node appended first, so these events can never be appended. `abandoned`: unknown, and no longer awaited. */
type AppendOutcome = { position: string } | 'overtaken' | 'abandoned';

/** Appends until the outcome is known, always with the same event ids. Stops when `keepWaiting` resolves to false. */
export async function appendUntilKnown(
  log: LedgerLog,
  events: eventLog.NewEvent[],
  expectedRevision: number,
  keepWaiting: () => Promise<boolean>,
): Promise<AppendOutcome> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return { position: (await log.append(LEDGER_STREAM, events, expectedRevision)).position };
    } catch (error) {
      if (!isOutcomeInLog(error, expectedRevision)) throw error;
      // A refused first attempt left nothing behind. After a later one the refusal may be about our own events.
      if (isFirst && error instanceof eventLog.WrongExpectedRevision) return 'overtaken';
    }
    for (;;) {
      const found = await findInLog(log, events, expectedRevision);
      if (typeof found === 'object' || found === 'overtaken') return found;
      if (!(await keepWaiting())) return 'abandoned';
      if (found === 'absent') break;
    }
  }
}

/** Looks for the events in the log. `absent`: no event follows the expected revision yet. */
async function findInLog(
  log: LedgerLog,
  events: readonly eventLog.NewEvent[],
  expectedRevision: number,
): Promise<'absent' | 'overtaken' | 'unavailable' | { position: string }> {
  const ours = new Set(events.map(({ id }) => id));
  let position: string | null = null;
  try {
    const options = { fromRevision: expectedRevision + 1, maxCount: events.length };
    for await (const recorded of log.readStream(LEDGER_STREAM, options)) {
      if (!ours.has(recorded.id)) return 'overtaken';
      position = recorded.position;
    }
  } catch (error) {
    if (!(error instanceof eventLog.LogUnavailable)) throw error;
    return 'unavailable';
  }
  return position === null ? 'absent' : { position };
}

/** Whether the log shows the outcome. It cannot when it is shorter than before: it lost events. */
const isOutcomeInLog = (error: unknown, expectedRevision: number): boolean =>
  error instanceof eventLog.UnknownOutcome ||
  (error instanceof eventLog.WrongExpectedRevision && error.actual > expectedRevision);
