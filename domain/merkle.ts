import { hash } from 'node:crypto';
import type { AuditMerkleProof } from '../contracts/http/audit.js';

/** A perfect subtree. */
interface Peak {
  size: number;
  hash: Buffer;
}

/**
 * The Merkle tree hash of RFC 6962 §2.1 (SHA-256; leaves prefixed 0x00, nodes 0x01), kept incrementally:
 * a list of the perfect subtrees so far, largest first. Adding a leaf costs O(1) hashes on average and log n memory.
 */
export interface MerkleTree {
  readonly size: number;
  readonly peaks: readonly Peak[];
}

export const emptyTree: MerkleTree = { size: 0, peaks: [] };

const NODE = Buffer.from([1]);

export const leafHash = (entry: string): Buffer => hash('sha256', `\0${entry}`, 'buffer');

const nodeHash = (left: Buffer, right: Buffer): Buffer => hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

/** Told of each two subtrees that become one. */
type OnJoin = (left: Buffer, right: Buffer, node: Buffer) => void;

function join(left: Buffer, right: Buffer, onJoin: OnJoin | undefined): Buffer {
  const node = nodeHash(left, right);
  onJoin?.(left, right, node);
  return node;
}

export function addLeaf(tree: MerkleTree, entry: string, onJoin?: OnJoin): MerkleTree {
  const peaks = [...tree.peaks];
  let added: Peak = { size: 1, hash: leafHash(entry) };
  for (let last = peaks.at(-1); last?.size === added.size; last = peaks.at(-1)) {
    peaks.pop();
    added = { size: last.size + added.size, hash: join(last.hash, added.hash, onJoin) };
  }
  peaks.push(added);
  return { size: tree.size + 1, peaks };
}

/** Lower-case hex. The empty tree's is the hash of the empty string. */
export function rootOf(tree: MerkleTree, onJoin?: OnJoin): string {
  const [last, ...larger] = [...tree.peaks].reverse();
  if (!last) return hash('sha256', '');
  return larger.reduce((right, left) => join(left.hash, right, onJoin), last.hash).toString('hex');
}

/** What is hashed with what is known so far, on which side of it; from the leaf up. */
export type ProofPath = AuditMerkleProof['path'];

/** The audit path of RFC 6962 §2.1.1 for one entry, found while the tree grows: nothing is kept but the tree and the path. */
export class ProvenTree {
  /** 0 is the first; undefined before the entry was added. */
  index: number | undefined;
  private tree = emptyTree;
  /** The subtree in which the entry is, so far. */
  private known: Buffer | undefined;
  private readonly path: ProofPath = [];

  /** @param isProven this is the entry whose path is wanted */
  add(entry: string, isProven: boolean): void {
    if (isProven) {
      this.index = this.tree.size;
      this.known = leafHash(entry);
    }
    this.tree = addLeaf(this.tree, entry, this.climb);
  }

  get size(): number {
    return this.tree.size;
  }

  /** When all entries have been added; once. */
  finish(): ProofPath {
    rootOf(this.tree, this.climb);
    return this.path;
  }

  private readonly climb: OnJoin = (left, right, node) => {
    if (this.known === undefined) return;
    if (left.equals(this.known)) this.path.push({ side: 'right', hash: right.toString('hex') });
    else if (right.equals(this.known)) this.path.push({ side: 'left', hash: left.toString('hex') });
    else return;
    this.known = node;
  };
}

/** The root, in lower-case hex, of a tree in which a path leads up from the leaf. */
export function rootFromProof(leafHash: Buffer, path: ProofPath): string {
  return path
    .reduce((known, { side, hash }) => {
      const other = Buffer.from(hash, 'hex');
      return side === 'left' ? nodeHash(other, known) : nodeHash(known, other);
    }, leafHash)
    .toString('hex');
}
