import type { ClientBase } from 'pg';
import { parseProofFile } from '../../contracts/transparency/proof-file.js';
import { parseSignedHead } from '../../contracts/transparency/signed-head.js';
import { hexOf } from '../../contracts/transparency/signed-note.js';
import type { SavedHead } from '../replay/verify.js';

/** The newest heads that the nodes signed. */
export async function readSignedHeads(database: ClientBase): Promise<SavedHead[]> {
  const { rows } = await database.query<{ note: string }>('SELECT note FROM ledger.signed_heads');
  return rows.map(({ note }) => ({ ...savedHeadOf(note, 'in the tables'), isStored: true }));
}

/** The head in a file that somebody kept: a signed head, or a proof. Throws InvalidNote. */
export function headInFile(file: string, text: string): SavedHead {
  return savedHeadOf(text.startsWith('c2sp.org/tlog-proof@') ? parseProofFile(text).head.note : text, `in ${file}`);
}

function savedHeadOf(note: string, where: string): SavedHead {
  const { origin, size, root } = parseSignedHead(note);
  const source = `the signed head of ${size} events ${where}`;
  return { origin, events: size, root: hexOf(root), source };
}
