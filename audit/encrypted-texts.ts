import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';

/** By docs/for-auditors.md, "Encrypted texts". */
const ENCRYPTED = /^encrypted:1:([^:]+):[\w-]*$/;

/** An encrypted text is of its event's gamer: under another gamer's key it would stay readable after its gamer's removal. */
export function encryptedTextFaults({ data }: LedgerEvent, owner: GamerId | null): string[] {
  if (owner === null) return [];
  return Object.entries(data).flatMap(([field, value]) => {
    if (typeof value !== 'string' || !value.startsWith('encrypted:')) return [];
    const gamerId = ENCRYPTED.exec(value)?.[1];
    if (gamerId === undefined) return [`has a ${field} that is not encrypted in any known way`];
    return gamerId === owner ? [] : [`has a ${field} that is encrypted for ${gamerId}, and is about ${owner}`];
  });
}
