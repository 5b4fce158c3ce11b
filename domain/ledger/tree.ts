import { hash } from 'node:crypto';

/** The right edge of a Merkle tree of RFC 6962 §2.1: the roots of its perfect subtrees, largest first. */
export interface TreeEdge {
  readonly size: number;
  /** 32 bytes each; as many as `size` has ones in binary. */
  readonly peaks: readonly Buffer[];
}

export const EMPTY_TREE: TreeEdge = { size: 0, peaks: [] };

export const HASH_BYTES = 32;

/** Filled anew for each hash. */
const leaf = Buffer.alloc(1 + HASH_BYTES, 0);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

const parentOf = (left: Buffer, right: Buffer): Buffer => {
  left.copy(node, 1);
  right.copy(node, 1 + HASH_BYTES);
  return hash('sha256', node, 'buffer');
};

/** Adds an event: its entry is the 32 bytes of its chain hash. */
export function addEntry(edge: TreeEdge, chain: string): TreeEdge {
  leaf.write(chain, 1, 'hex');
  return addLeaf(edge, hash('sha256', leaf, 'buffer'));
}

/** Adds the hash of a leaf. Takes one more hash on average. */
export function addLeaf({ size, peaks }: TreeEdge, leafHash: Buffer): TreeEdge {
  const edge = [...peaks];
  let added = leafHash;
  for (let trees = size; trees % 2 === 1; trees = (trees - 1) / 2) added = parentOf(edge.pop() as Buffer, added);
  edge.push(added);
  return { size: size + 1, peaks: edge };
}

/** Root in lower-case hex. The empty tree's root is the hash of nothing. */
export function rootOf({ peaks }: TreeEdge): string {
  if (peaks.length === 0) return hash('sha256', '');
  return peaks.reduceRight((right, left) => parentOf(left, right)).toString('hex');
}
