/** The head of a log as a note: c2sp.org/tlog-checkpoint. */
import { fromBase64, InvalidNote, type Note, parseNote, toBase64 } from './signed-note.js';
import { HASH_BYTES, type Head } from './tree.js';

export interface SignedHead extends Head, Note {
  /** The log's name, which is also that of its key. */
  origin: string;
  note: string;
}

/** The name of a log that goes on after a loss: no two losses share the first digits of the lost root, in hex. */
export const nameAfterLoss = (name: string, lostRoot: string): string => `${name}-${lostRoot.slice(0, 8)}`;

/** The three lines, each with its newline. */
export const headText = (origin: string, { size, root }: Head): string => `${origin}\n${size}\n${toBase64(root)}\n`;

/** No signature is verified. Extension lines are allowed, though ours have none. Throws InvalidNote. */
export function parseSignedHead(note: string): SignedHead {
  const { text, signatures } = parseNote(note);
  const [origin = '', size = '', hash = '', ...extensions] = text.slice(0, -1).split('\n');
  const root = fromBase64(hash);
  const isSize = /^(?:0|[1-9]\d{0,15})$/.test(size) && Number.isSafeInteger(Number(size));
  if (origin === '' || !isSize || extensions.includes('') || root.length !== HASH_BYTES)
    throw new InvalidNote('the note is not a head of a log');
  return { origin, size: Number(size), root, text, signatures, note };
}
