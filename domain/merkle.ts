import { hash } from 'node:crypto';

/**
 * The Merkle tree hash of RFC 6962 §2.1 (SHA-256; leaves prefixed 0x00, nodes 0x01), kept incrementally:
 * a list of the perfect subtrees so far, largest first. Adding a leaf costs O(1) hashes on average and log n memory.
 */
export interface MerkleTree {
  readonly size: number;
  readonly peaks: readonly { size: number; hash: Buffer }[];
}

export const emptyTree: MerkleTree = { size: 0, peaks: [] };

const NODE = Buffer.from([1]);

export const leafHash = (entry: string): Buffer => hash('sha256', `\0${entry}`, 'buffer');

const nodeHash = (left: Buffer, right: Buffer): Buffer => hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

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
  if (!last) return hash('sha256', '');
  return larger.reduce((right, left) => nodeHash(left.hash, right), last.hash).toString('hex');
}
