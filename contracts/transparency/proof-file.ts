/** Proofs that can be checked offline: c2sp.org/tlog-proof, with the ledger's events as their extra data. */
import { parseSignedHead, type SignedHead } from './signed-head.js';
import { fromBase64, InvalidNote, toBase64 } from './signed-note.js';
import { type Bytes, HASH_BYTES, utf8 } from './tree.js';

/** An event with everything that its chain hash covers. */
export interface OpenedEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
  /** Lacks `chain`, which a verifier computes. */
  metadata: Record<string, unknown>;
}

/** An event of which only the type is shown. */
export interface ClosedEvent {
  type: string;
  /** Hex. Its text begins with the event's random id, so that nobody can guess the content. */
  contentHash: string;
}

/** Consecutive events of the ledger, the last of which the proof is about. */
export interface ProofExtra {
  format: typeof PROOF_FORMAT;
  /** Hex: the chain hash before the first of the events. */
  chainBefore: string;
  events: readonly (OpenedEvent | ClosedEvent)[];
}

export const PROOF_FORMAT = 'omni-jackpot proof 2';
export const PROOF_FILE_SUFFIX = '.tlog-proof';

export interface ProofFile {
  extra: ProofExtra;
  /** Number of events before the last one of `extra`. */
  index: number;
  hashes: readonly Bytes[];
  head: SignedHead;
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
const MAX_HASHES = 63;

export const isOpened = (event: OpenedEvent | ClosedEvent): event is OpenedEvent => 'id' in event;

export function writeProofFile(proof: Omit<ProofFile, 'head'> & { head: { note: string } }): string {
  const extra = toBase64(utf8(JSON.stringify(proof.extra)));
  const lines = [FIRST_LINE, `extra ${extra}`, `index ${proof.index}`, ...proof.hashes.map(toBase64)];
  return `${lines.join('\n')}\n\n${proof.head.note}`;
}

/** Checks the form alone, and no hash or signature. Throws InvalidNote. */
export function parseProofFile(text: string): ProofFile {
  const end = text.indexOf('\n\n');
  const [first, extraLine = '', indexLine = '', ...hashLines] = text.slice(0, Math.max(end, 0)).split('\n');
  const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(indexLine) ?? [];
  if (first !== FIRST_LINE || !extraLine.startsWith('extra ') || index === undefined || hashLines.length > MAX_HASHES)
    throw new InvalidNote('this file is not a proof of the ledger');
  const hashes = hashLines.map(fromBase64);
  if (hashes.some(({ length }) => length !== HASH_BYTES)) throw new InvalidNote('the proof has a malformed hash');
  const extra = parseExtra(extraLine.slice('extra '.length));
  return { extra, index: Number(index), hashes, head: parseSignedHead(text.slice(end + 2)) };
}

function parseExtra(encoded: string): ProofExtra {
  let extra: ProofExtra;
  try {
    extra = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(encoded))) as ProofExtra;
  } catch {
    throw new InvalidNote('the proof has no events');
  }
  const { format, chainBefore, events } = extra ?? {};
  const hasEvents = Array.isArray(events) && events.length > 0 && events.every(isEvent);
  if (format !== PROOF_FORMAT || !isHash(chainBefore) || !hasEvents) throw new InvalidNote('the proof has no events');
  return extra;
}

const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isEvent(event: unknown): boolean {
  if (!isObject(event) || typeof event.type !== 'string') return false;
  if (!('id' in event)) return isHash(event.contentHash);
  return typeof event.id === 'string' && isObject(event.data) && isObject(event.metadata);
}
