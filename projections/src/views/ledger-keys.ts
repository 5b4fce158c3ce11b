import { isEncrypted } from '../../../contracts/encrypted-text.js';
import type { RecordedLedgerEvent } from '../../../contracts/events/recorded.js';
import { ledgerKeyOf } from './tables.entity.js';

/**
 * The search keys of an event. A purchase has few keys, because nearly all events are purchases and each key is a row. Its
 * uplines are found through the journal, and so is the buyer who paid from the balance; its TimeExtended follows it.
 */
export function keysOf({ id, event, metadata }: Pick<RecordedLedgerEvent, 'id' | 'event' | 'metadata'>): string[] {
  const { commandId, chain } = metadata;
  switch (event.type) {
    case 'TimeExtended':
      return keys([chain]);
    case 'TokenPurchased': {
      const { purchaseId, buyerId, source, paymentId = '' } = event.data;
      return keys([purchaseId, commandId, chain, ...(source === 'balance' ? [] : [buyerId, paymentId])]);
    }
    default:
      return keys([...idsIn(event.data), id, commandId, chain]);
  }
}

const keys = (texts: readonly string[]): string[] =>
  texts.map(ledgerKeyOf).filter((key, index, all) => key !== '' && all.indexOf(key) === index);

const ID_FIELDS = new Set([
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

/** Values of fields with these names, also in nested objects such as the winner. Encrypted texts cannot be searched. */
function* idsIn(data: object): Iterable<string> {
  for (const [name, value] of Object.entries(data)) {
    if (typeof value === 'object' && value !== null) yield* idsIn(value);
    else if (typeof value === 'string' && ID_FIELDS.has(name) && !isEncrypted(value)) yield value;
  }
}
