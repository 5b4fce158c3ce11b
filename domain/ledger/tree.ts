import { hash } from 'node:crypto';

/** The right edge of a Merkle tree of RFC 6962 §2.1. */
interface TreeEdge {
  readonly size: number;
  /** Roots of the perfect subtrees, largest first, as many as `size` has ones in binary. Lower-case hex. */
  readonly peaks: readonly string[];
}

export const EMPTY_TREE: TreeEdge = { size: 0, peaks: [] };

/** Filled anew for each hash. Strings around them, because Node takes twice as long to return a Buffer. */
const leaf = Buffer.alloc(1 + 32, 0);
const node = Buffer.alloc(1 + 2 * 32, 1);

function parentOf(left: string, right: string): string {
  node.write(left, 1, 'hex');
  node.write(right, 1 + 32, 'hex');
  return hash('sha256', node);
}

/** Adds an event: its entry is the 32 bytes of its chain hash. */
export function addEntry(edge: TreeEdge, chain: string): TreeEdge {
  leaf.write(chain, 1, 'hex');
  return addLeaf(edge, hash('sha256', leaf));
}

/** Adds the hash of a leaf. Takes one more hash on average. */
export function addLeaf({ size, peaks }: TreeEdge, leafHash: string): TreeEdge {
  const edge = [...peaks];
  let added = leafHash;
  for (let trees = size; trees % 2 === 1; trees = (trees - 1) / 2) added = parentOf(edge.pop() as string, added);
  edge.push(added);
  return { size: size + 1, peaks: edge };
}

/** Lower-case hex. The empty tree's root is the hash of nothing. */
export const rootOf = ({ peaks }: TreeEdge): string =>
  peaks.length === 0 ? hash('sha256', '') : peaks.reduceRight((right, left) => parentOf(left, right));
