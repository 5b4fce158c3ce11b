import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { isChained } from '../../domain/chain.js';
import { OtherHistory } from '../../event-log/event-log.types.js';

/**
 * The chain after these events of the log. Throws OtherHistory when a ledger event does not follow from the one before it:
 * a rewritten log may keep ids and positions, but not the chain.
 * @param chain of the ledger event before; null: not known
 */
export function chainThrough(chain: string | null, events: readonly Recorded[]): string | null {
  let last = chain;
  for (const recorded of events) {
    if (recorded.stream !== LEDGER_STREAM) continue;
    const event = recorded as RecordedLedgerEvent;
    if (last !== null && !isChained(last, event))
      throw new OtherHistory(`ledger@${event.revision} does not follow from the last ledger event in the tables`);
    last = event.metadata.chain;
  }
  return last;
}
