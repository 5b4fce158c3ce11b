import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { ledgerKeyOf } from './ledger-index.entity.js';

/**
 * What an event can be found by. A purchase is found by few: its rows are the worker's work, those of the others are not
 * felt. The uplines it pays stand in the journal, its extension beside it.
 */
export function keysOf({ id, event, metadata }: Pick<RecordedLedgerEvent, 'id' | 'event' | 'metadata'>): Set<string> {
  const { commandId, chain } = metadata;
  switch (event.type) {
    case 'TimeExtended':
      return keys([chain]);
    case 'TokenPurchased': {
      const { purchaseId, buyerId, paymentId = '' } = event.data;
      return keys([purchaseId, buyerId, paymentId, commandId, chain]);
    }
    default:
      return keys([...idsIn(event.data), id, commandId, chain]);
  }
}

const keys = (texts: readonly string[]): Set<string> => new Set(texts.filter((text) => text !== '').map(ledgerKeyOf));

const BEARING_IDS = new Set([
  'gamerId',
  'sponsorId',
  'parentId',
  'purchaseId',
  'depositId',
  'paymentId',
  'withdrawalId',
  'walletAddress',
  'txid',
  'merkleRoot',
]);

/** By the names of the fields, however deep: those of a winner, of the gamers who moved. */
function* idsIn(data: object): Iterable<string> {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'object' && value !== null) yield* idsIn(value);
    else if (typeof value === 'string' && BEARING_IDS.has(name)) yield value;
  }
}
