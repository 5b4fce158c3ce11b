import type { AuditMerkleProof } from '../../../../../contracts/http/audit.js';
import { bytesOf, hexOf, joined, sha256, utf8 } from '../sha256.js';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The root that a leaf and its path lead to (RFC 6962 §2.1.1), worked out here. */
export async function rootFrom({ leaf, path }: Pick<AuditMerkleProof, 'leaf' | 'path'>): Promise<string> {
  let hash = await sha256(joined(LEAF, utf8(leaf)));
  for (const { side, hash: beside } of path) {
    const other = bytesOf(beside);
    hash = await sha256(side === 'left' ? joined(NODE, other, hash) : joined(NODE, hash, other));
  }
  return hexOf(hash);
}
