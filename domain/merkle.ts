import { createHash } from 'node:crypto';

/**
 * The Merkle tree hash of RFC 6962 §2.1 (SHA-256; leaves prefixed 0x00, nodes 0x01), kept incrementally:
 * a list of the perfect subtrees so far, largest first. Adding a leaf costs O(1) hashes on average and log n memory.
 */
export interface MerkleTree {
  readonly size: number;
  readonly peaks: readonly { size: number; hash: Buffer }[];
}

export const emptyTree: MerkleTree = { size: 0, peaks: [] };

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export const leafHash = (entry: string): Buffer => createHash('sha256').update(LEAF).update(entry).digest();

const nodeHash = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

export function addLeaf(tree: MerkleTree, entry: string): MerkleTree {
  const peaks = [...tree.peaks];
  let added = { size: 1, hash: leafHash(entry) };
  for (let last = peaks.at(-1); last?.size === added.size; last = peaks.at(-1)) {
    peaks.pop();
    added = { size: last.size + added.size, hash: nodeHash(last.hash, added.hash) };
  }
  peaks.push(added);
  return { size: tree.size + 1, peaks };
}

/** Lower-case hex. The empty tree's is the hash of the empty string. */
export function rootOf(tree: MerkleTree): string {
  const [last, ...larger] = [...tree.peaks].reverse();
  if (!last) return createHash('sha256').digest('hex');
  return larger.reduce((right, left) => nodeHash(left.hash, right), last.hash).toString('hex');
}
