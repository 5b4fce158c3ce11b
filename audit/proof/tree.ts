import { hash } from 'node:crypto';

/** The growing Merkle tree of all events by RFC 6962 §2.1. It keeps one hash for each bit of the number of events. */
export class LedgerTree {
  /** Hash of a perfect subtree of 2^height leaves in hex, or undefined, by height. Node makes a Buffer half as fast. */
  private readonly subtrees: (string | undefined)[] = [];

  /** @param onSubtree receives the root of each perfect subtree of 256, 256² … leaves, which tiles of level 1, 2 … have */
  constructor(private readonly onSubtree?: (level: number, hash: string) => void) {}

  /** Adds an event. @param chain its chain, whose 32 bytes are the entry */
  add(chain: string): void {
    let node = hashOfHex(`00${chain}`);
    let height = 0;
    for (let left = this.subtrees[0]; left !== undefined; left = this.subtrees[height]) {
      node = parentOf(left, node);
      this.subtrees[height] = undefined;
      height += 1;
      if (height % TILE_HEIGHT === 0) this.onSubtree?.(height / TILE_HEIGHT, node);
    }
    this.subtrees[height] = node;
  }

  /** Lower-case hex. */
  get root(): string {
    const [smallest, ...larger] = this.subtrees.filter((subtree) => subtree !== undefined);
    return larger.reduce((right, left) => parentOf(left, right), smallest ?? hash('sha256', ''));
  }
}

const TILE_HEIGHT = 8;

const hashOfHex = (hex: string): string => hash('sha256', Buffer.from(hex, 'hex'));

const parentOf = (left: string, right: string): string => hashOfHex(`01${left}${right}`);
