import type { Recorded, RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { LEDGER_STREAM } from '../../contracts/streams.js';
import { isChained } from '../../domain/chain.js';
import { OtherHistory } from '../../event-log/event-log.types.js';

const isOfLedger = (recorded: Recorded): recorded is RecordedLedgerEvent => recorded.stream === LEDGER_STREAM;

/**
 * The chain after a batch of the log's events. Throws OtherHistory when the batch's first ledger event does not follow from
 * the one before it: a rewritten log may keep ids and positions, but not the chain. The others come from the same read, and
 * nodes and auditors check the chain of each: to do it here too would cost a fifth of the worker's speed.
 * @param chain of the ledger event before; null: not known
 */
export function chainThrough(chain: string | null, events: readonly Recorded[]): string | null {
  const first = events.find(isOfLedger);
  if (first === undefined) return chain;
  if (chain !== null && !isChained(chain, first))
    throw new OtherHistory(`ledger@${first.revision} does not follow from the last ledger event in the tables`);
  return events.findLast(isOfLedger)?.metadata.chain ?? null;
}
