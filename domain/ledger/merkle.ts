import { hash } from 'node:crypto';
import type { LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { AuditMerkleProof } from '../../contracts/http/audit.js';

/** A perfect subtree. */
interface Peak {
  size: number;
  hash: Buffer;
}

/**
 * An incremental Merkle tree of RFC 6962 §2.1 (SHA-256; leaves prefixed 0x00, nodes 0x01): the list of its perfect
 * subtrees, largest first. Adding a leaf costs O(1) hashes on average and log n memory.
 */
export interface MerkleTree {
  readonly size: number;
  readonly peaks: readonly Peak[];
}

export const emptyTree: MerkleTree = { size: 0, peaks: [] };

/** A purchase's entry in its round's tree. It holds only values of the receipt, so the buyer can prove it. */
export const merkleEntryOf = ({ purchaseId, buyerId, quantity }: LedgerEvents['TokenPurchased'], at: number): string =>
  `${purchaseId} ${buyerId} ${quantity} ${at}`;

const NODE = Buffer.from([1]);

export const leafHash = (entry: string): Buffer => hash('sha256', `\0${entry}`, 'buffer');

const nodeHash = (left: Buffer, right: Buffer): Buffer => hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

/** Called when two subtrees become one. */
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

/** Root in lower-case hex. The empty tree's root is the hash of the empty string. */
export function rootOf(tree: MerkleTree, onJoin?: OnJoin): string {
  const [last, ...larger] = [...tree.peaks].reverse();
  if (!last) return hash('sha256', '');
  return larger.reduce((right, left) => join(left.hash, right, onJoin), last.hash).toString('hex');
}

/** Sibling hashes from the leaf up, with the side on which each is hashed. */
export type ProofPath = AuditMerkleProof['path'];

/** Builds the audit path (RFC 6962 §2.1.1) of one entry while the tree grows. Stores only the tree and the path. */
export class ProvenTree {
  /** Index of the entry, from 0; undefined until it was added. */
  index: number | undefined;
  private tree = emptyTree;
  /** Hash of the largest subtree that contains the entry. */
  private known: Buffer | undefined;
  private readonly path: ProofPath = [];

  /** @param isProven true for the entry of the path */
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

  /** Returns the path. Call it once, after all entries. */
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

/** The root, in lower-case hex, that a leaf and its path lead to. */
export function rootFromProof(leafHash: Buffer, path: ProofPath): string {
  return path
    .reduce((known, { side, hash }) => {
      const other = Buffer.from(hash, 'hex');
      return side === 'left' ? nodeHash(other, known) : nodeHash(known, other);
    }, leafHash)
    .toString('hex');
}
