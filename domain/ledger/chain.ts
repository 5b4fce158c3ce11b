import { hash } from 'node:crypto';
import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { canonicalJson } from './canonical-json.js';

export const CHAIN_START = '0'.repeat(64);

/** SHA-256, lower-case hex, over an event's id, data and metadata. The id is random, so that the hash hides the content. */
export function contentHashOf(
  id: string,
  data: object,
  metadata: Omit<LedgerMetadata, 'chain'>,
  /** The canonical JSON of the data, if the caller has it already. */
  dataJson = canonicalJson(data),
): string {
  const { commandId, commandHash, actor, at, schema } = metadata;
  // Written as by canonicalJson, without sorting the same five names for every event of a replay.
  const [by, hashed, command] = [actor, commandHash ?? null, commandId].map(canonicalJson);
  const bound = `{"actor":${by},"at":${at},"commandHash":${hashed},"commandId":${command},"schema":${schema}}`;
  return sha256(`${id}\n${dataJson}\n${bound}\n`);
}

/** SHA-256, lower-case hex, over the previous chain, the type and the content hash: a proof can show a type without its content. */
export function chainAfter(
  previous: string,
  id: string,
  { type, data }: LedgerEvent,
  metadata: Omit<LedgerMetadata, 'chain'>,
  dataJson?: string,
): string {
  return sha256(`${previous}\n${type}\n${contentHashOf(id, data, metadata, dataJson)}\n`);
}

export function isChained(previous: string, { id, event, metadata, dataText }: RecordedLedgerEvent): boolean {
  // The hash fits only the text that was hashed. A log may hold the same data as another text: then the data decide.
  if (dataText !== undefined && chainAfter(previous, id, event, metadata, dataText) === metadata.chain) return true;
  return chainAfter(previous, id, event, metadata) === metadata.chain;
}

/** Two commands with the same id are the same command only if their content and actor have the same hash. */
export const commandHashOf = (command: object, actorId: string): string => sha256(canonicalJson({ command, actorId }));

const sha256 = (text: string): string => hash('sha256', text);
