import { hash } from 'node:crypto';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { canonicalJson } from './canonical-json.js';

/** The chain before the first event: 64 zeros. */
export const FIRST_CHAIN = '0'.repeat(64);

/** An event's content hash by docs/for-auditors.md: SHA-256 over three lines, each ended by a line feed, in lower-case hex. */
export function contentHashOf({ id, event, metadata }: Pick<RecordedLedgerEvent, 'id' | 'event' | 'metadata'>): string {
  // Other members of metadata are a finding of their own (schema.ts).
  const { actor, at, commandHash, commandId, schema } = metadata;
  const bound = canonicalJson({ actor, at, commandHash, commandId, schema });
  return hash('sha256', `${id}\n${canonicalJson(event.data)}\n${bound}\n`);
}

/** The chain after an event of which only type and content hash are known. */
export const chainAfter = (chainBefore: string, type: string, contentHash: string): string =>
  hash('sha256', `${chainBefore}\n${type}\n${contentHash}\n`);

export const chainOf = (chainBefore: string, recorded: RecordedLedgerEvent): string =>
  chainAfter(chainBefore, recorded.event.type, contentHashOf(recorded));
