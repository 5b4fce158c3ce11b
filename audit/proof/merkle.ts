import { hash } from 'node:crypto';
import type { LedgerEvents } from '../../contracts/events/ledger-events.js';

/** A purchase's entry in the Merkle tree of its round. @param at the event's ledger time */
export const purchaseEntry = (bought: LedgerEvents['TokenPurchased'], at: number): string =>
  `${bought.purchaseId} ${bought.buyerId} ${bought.quantity} ${at}`;

/** The root of a growing Merkle tree by RFC 6962 §2.1. It keeps one hash for each bit of the number of leaves. */
export class MerkleRoot {
  /** By height: the hash of a perfect subtree of 2^height leaves in hex, or undefined. Node makes a Buffer half as fast. */
  private readonly subtrees: (string | undefined)[] = [];

  add(entry: string): void {
    let node = hash('sha256', `\0${entry}`);
    let height = 0;
    for (let left = this.subtrees[0]; left !== undefined; left = this.subtrees[height]) {
      node = parentOf(left, node);
      this.subtrees[height] = undefined;
      height += 1;
    }
    this.subtrees[height] = node;
  }

  /** Number of leaves, and the perfect subtrees with theirs, largest first. */
  get peaks(): { size: number; peaks: { size: number; hash: Buffer }[] } {
    const peaks = this.subtrees
      .flatMap((hex, height) => (hex === undefined ? [] : [{ size: 2 ** height, hash: Buffer.from(hex, 'hex') }]))
      .reverse();
    return { size: peaks.reduce((sum, { size }) => sum + size, 0), peaks };
  }

  /** Lower-case hex. */
  get hex(): string {
    let root: string | undefined;
    for (const subtree of this.subtrees) {
      if (subtree !== undefined) root = root === undefined ? subtree : parentOf(subtree, root);
    }
    return root ?? hash('sha256', '');
  }
}

const parentOf = (left: string, right: string): string => hash('sha256', Buffer.from(`01${left}${right}`, 'hex'));
