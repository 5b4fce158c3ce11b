import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';

/** By docs/for-auditors.md, "Sealed texts". */
const SEALED = /^sealed:1:([^:]+):[\w-]*$/;

/** A sealed text is of its event's gamer: under another gamer's key it would stay readable after its gamer's removal. */
export function sealedTextFaults({ data }: LedgerEvent, owner: GamerId | null): string[] {
  if (owner === null) return [];
  return Object.entries(data).flatMap(([field, value]) => {
    if (typeof value !== 'string' || !value.startsWith('sealed:')) return [];
    const gamerId = SEALED.exec(value)?.[1];
    if (gamerId === undefined) return [`has a ${field} that is not sealed in any known way`];
    return gamerId === owner ? [] : [`has a ${field} that is sealed for ${gamerId}, and is about ${owner}`];
  });
}
