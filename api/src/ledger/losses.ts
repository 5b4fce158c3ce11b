import type { Pool } from 'pg';
import { parseSignedHead, type SignedHead } from '../../../contracts/transparency/signed-head.js';
import { hexOf } from '../../../contracts/transparency/signed-note.js';
import type { Loss } from '../../../domain/ledger/ledger-state.js';
import type { Ledger } from './ledger.js';

/** The last head that a node signed, and when; null before the first. */
export async function lastSigned(pool: Pick<Pool, 'query'>): Promise<(SignedHead & { signedAt: Date }) | null> {
  const { rows } = await pool.query<{ note: string; signedAt: Date }>(
    'SELECT note, signed_at AS "signedAt" FROM ledger.signed_heads ORDER BY size DESC LIMIT 1',
  );
  return rows[0] ? { ...parseSignedHead(rows[0].note), signedAt: rows[0].signedAt } : null;
}

/** What is missing in a log that ends before the last signed head; null when it is long enough, or the loss is accepted. */
export async function findLoss(pool: Pick<Pool, 'query'>, ledger: Ledger): Promise<string | null> {
  const signed = await lastSigned(pool);
  // Another node may have appended and signed since this node read the log.
  await ledger.refresh();
  const { size } = ledger.head.tree;
  if (signed === null || signed.size <= size || isAccepted(ledger.decided.losses, signed)) return null;
  const at = signed.signedAt.toISOString();
  return `the log has ${size} events, but a head of ${signed.size} events was signed ${at}: bring the newer log back, or accept the loss (npm run accept-loss)`;
}

/** Whether the log itself says that it lost the events of this head. */
export const isAccepted = (losses: readonly Pick<Loss, 'signedSize' | 'signedRoot'>[], { size, root }: SignedHead) =>
  losses.some(({ signedSize, signedRoot }) => signedSize === size && signedRoot === hexOf(root));
