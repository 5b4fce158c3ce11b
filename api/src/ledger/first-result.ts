import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../../contracts/streams.js';
import { commandHashOf } from '../../../domain/chain.js';
import { LogUnavailable } from '../../../event-log/event-log.types.js';
import { Refused, Unavailable } from '../platform/failures.js';
import type { LedgerLog } from './append-until-known.js';
import type { Submission } from './draft.js';

const MAX_EVENTS_PER_COMMAND = 4;

/**
 * The events of a repeated command's first submission, from the log: they are consecutive, from `revision` on. Throws
 * Refused when they are of another command with the same id; Unavailable.
 */
export async function eventsOfFirstResult(
  log: Pick<LedgerLog, 'readStream'>,
  { command, commandId, actor }: Pick<Submission, 'command' | 'commandId' | 'actor'>,
  revision: number,
): Promise<RecordedLedgerEvent[]> {
  const events: RecordedLedgerEvent[] = [];
  try {
    const options = { fromRevision: revision, maxCount: MAX_EVENTS_PER_COMMAND };
    for await (const recorded of log.readStream(LEDGER_STREAM, options)) {
      if (recorded.metadata.commandId !== commandId || recorded.metadata.actor.id !== actor.id) break;
      events.push(recorded as RecordedLedgerEvent);
    }
  } catch (error) {
    if (error instanceof LogUnavailable) throw new Unavailable(error.message);
    throw error;
  }
  const [first] = events;
  if (!first) throw new Error(`ledger@${revision} is not of the command ${commandId}`);
  if (first.metadata.commandHash !== commandHashOf(command, actor.id)) throw new Refused('idempotency-key-reused');
  return events;
}
