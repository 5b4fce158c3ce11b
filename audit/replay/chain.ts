import { hash } from 'node:crypto';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { canonicalJson } from './canonical-json.js';

/** The chain before the first event: 64 zeros. */
export const FIRST_CHAIN = '0'.repeat(64);

/** An event's chain by docs/for-auditors.md: SHA-256 over five lines, each ended by a line feed, in lower-case hex. */
export function chainOf(chainBefore: string, { id, event, metadata }: RecordedLedgerEvent): string {
  // Other members of metadata are a finding of their own (schema.ts).
  const { actor, at, commandHash, commandId, schema } = metadata;
  const bound = canonicalJson({ actor, at, commandHash, commandId, schema });
  return hash('sha256', `${chainBefore}\n${id}\n${event.type}\n${canonicalJson(event.data)}\n${bound}\n`);
}
