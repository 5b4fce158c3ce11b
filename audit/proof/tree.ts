import { hash } from 'node:crypto';

/** The growing Merkle tree of all events by RFC 6962 §2.1, and its tiles. */
export class LedgerTree {
  /** Hash of a perfect subtree of 2^height leaves in hex, or undefined, by height. Node makes a Buffer half as fast. */
  private readonly subtrees: (string | undefined)[] = [];
  /** The number of full tiles of each level, and the hashes of the tile after them. */
  private readonly levels: { full: number; partial: string }[] = [];
  private readonly fullTiles = new Map<string, string>();

  /** Adds an event. @param chain its chain, whose 32 bytes are the entry */
  add(chain: string): void {
    this.addToTile(0, chain);
    let node = hashOfHex(`00${chain}`);
    let height = 0;
    for (let left = this.subtrees[0]; left !== undefined; left = this.subtrees[height]) {
      node = parentOf(left, node);
      this.subtrees[height] = undefined;
      height += 1;
      if (height % TILE_HEIGHT === 0) this.addToTile(height / TILE_HEIGHT, node);
    }
    this.subtrees[height] = node;
  }

  /** Lower-case hex. */
  get root(): string {
    const [smallest, ...larger] = this.subtrees.filter((subtree) => subtree !== undefined);
    return larger.reduce((right, left) => parentOf(left, right), smallest ?? hash('sha256', ''));
  }

  /** SHA-256 of each tile by "level/index": of entries in level 0, and above it of the roots of the full tiles below. */
  tiles(): ReadonlyMap<string, string> {
    const tiles = new Map(this.fullTiles);
    for (const [level, { full, partial }] of this.levels.entries())
      if (partial !== '') tiles.set(`${level}/${full}`, hashOfHex(partial));
    return tiles;
  }

  private addToTile(level: number, one: string): void {
    this.levels[level] ??= { full: 0, partial: '' };
    const tiles = this.levels[level];
    tiles.partial += one;
    if (tiles.partial.length < TILE_HEX_LENGTH) return;
    this.fullTiles.set(`${level}/${tiles.full}`, hashOfHex(tiles.partial));
    tiles.full += 1;
    tiles.partial = '';
  }
}

const TILE_HEIGHT = 8;
const TILE_HEX_LENGTH = 256 * 64;

export const hashOfHex = (hex: string): string => hash('sha256', Buffer.from(hex, 'hex'));

const parentOf = (left: string, right: string): string => hashOfHex(`01${left}${right}`);
