import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { CHAIN_START, chainAfter } from '../../domain/chain.js';

/** An event and the ledger time it happened at. */
export interface Happened {
  event: LedgerEvent;
  at: number;
}

/** Metadata of the event or command with this number. */
export const metadataOf = (index: number, at: number) => ({
  commandId: `c${index}`,
  commandHash: CHAIN_START,
  actor: { id: 'system', role: 'system' } as const,
  at,
  schema: 3,
});

/** The history as a log holds it, with correct chains. A person with write access to the log could do the same. */
export function recorded(happened: readonly Happened[]): RecordedLedgerEvent[] {
  let chain = CHAIN_START;
  return happened.map(({ event, at }, revision) => {
    const id = `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`;
    const metadata = metadataOf(revision, at);
    chain = chainAfter(chain, id, event, metadata);
    return {
      id,
      stream: LEDGER_STREAM,
      revision,
      position: String(revision * 100),
      event,
      metadata: { ...metadata, chain },
    };
  });
}
