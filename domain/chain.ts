import { hash } from 'node:crypto';
import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../contracts/events/metadata.js';
import { canonicalJson } from './canonical-json.js';

/** What the first ledger event is chained to. */
export const CHAIN_START = '0'.repeat(64);

/**
 * The chain of an event: SHA-256 over, each ended by a line feed, the previous event's chain, this event's id and type,
 * and the canonical JSON (RFC 8785) of its data and of its metadata without `chain`. Lower-case hex.
 * A changed, dropped or reordered ledger event is therefore visible to anyone who replays.
 */
export function chainAfter(
  previous: string,
  id: string,
  event: LedgerEvent,
  metadata: Omit<LedgerMetadata, 'chain'>,
  /** For a caller who has it already. */
  dataJson = canonicalJson(event.data),
): string {
  const { commandId, commandHash, actor, at, schema } = metadata;
  const bound = canonicalJson({ commandId, commandHash, actor, at, schema });
  return sha256(`${previous}\n${id}\n${event.type}\n${dataJson}\n${bound}\n`);
}

/** What makes two commands with one id the same: who asked, and for what. */
export const commandHashOf = (command: object, actorId: string): string => sha256(canonicalJson({ command, actorId }));

const sha256 = (text: string): string => hash('sha256', text);
