import { hash } from 'node:crypto';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';

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

/** Written from RFC 8785 alone. Leaves out members without a value; throws on values that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  // Values that were parsed from canonical JSON have their members in order: then Node writes the same text five times as fast.
  const text = isInOrder(value) ? JSON.stringify(value) : ESCAPED_SURROGATE;
  return text.includes(ESCAPED_SURROGATE) ? written(value) : text;
}

/** Node writes half a surrogate pair so, which canonical JSON does not allow. */
const ESCAPED_SURROGATE = '\\ud';

/** True when all members stand in their order, and Node knows how to write all values. */
function isInOrder(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = '';
  for (const name in value) {
    if (name < before || !isInOrder((value as Record<string, unknown>)[name])) return false;
    before = name;
  }
  return true;
}

function written(value: unknown): string {
  if (typeof value === 'string') return textOf(value);
  if (typeof value === 'boolean' || value === null || Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object') throw new Error(`${String(value)} has no canonical JSON`);
  const members = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member !== undefined) text += `,${textOf(name)}:${written(member)}`;
  }
  return `{${text.slice(1)}}`;
}

const HALF_PAIR = /\p{Surrogate}/u;

function textOf(text: string): string {
  if (HALF_PAIR.test(text)) throw new Error('half a surrogate pair has no canonical JSON');
  return JSON.stringify(text);
}
