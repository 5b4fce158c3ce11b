/** The Merkle tree of RFC 6962, 2.1 with SHA-256, read from tiles (c2sp.org/tlog-tiles). Runs in Node and in browsers. */

export type Bytes = Uint8Array<ArrayBuffer>;

export const HASH_BYTES = 32;
export const TILE_WIDTH = 256;
/** A tile has the hashes of 2^8 subtrees side by side, so that its level stands for this many heights of the tree. */
const TILE_HEIGHT = 8;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export async function sha256(...parts: readonly Uint8Array[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(parts)));
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

export const leafHash = (entry: Uint8Array): Promise<Bytes> => sha256(Uint8Array.of(0), entry);
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => sha256(Uint8Array.of(1), left, right);

/** The leaves from the first number up to, and without, the second. */
type Range = readonly [from: number, to: number];

/** The largest power of two below `size`. Numbers are beyond 32 bits, so no bit operations. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The subtrees whose hashes are an inclusion proof (RFC 6962, 2.1.1), from the leaf up. */
function inclusionRanges(index: number, [from, to]: Range): Range[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle
    ? [...inclusionRanges(index, [from, middle]), [middle, to]]
    : [...inclusionRanges(index, [middle, to]), [from, middle]];
}

/** The subtrees whose hashes are a consistency proof (RFC 6962, 2.1.2). @param isOld whether the range began as the old tree */
function consistencyRanges(oldSize: number, [from, to]: Range, isOld = true): Range[] {
  if (oldSize === to) return isOld ? [] : [[from, to]];
  const middle = from + splitOf(to - from);
  return oldSize <= middle
    ? [...consistencyRanges(oldSize, [from, middle], isOld), [middle, to]]
    : [...consistencyRanges(oldSize, [middle, to], false), [from, middle]];
}

export type Head = { size: number; root: Bytes };

/** Whether the proof leads from a leaf's hash to the root. It must have exactly the hashes that such a proof has. */
export async function isIncluded(index: number, leaf: Bytes, head: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (index >= head.size) return false;
  const ranges = inclusionRanges(index, [0, head.size]);
  if (ranges.length !== proof.length) return false;
  let hash = leaf;
  for (const [at, sibling] of proof.entries()) {
    const [from] = ranges[at] as Range;
    hash = from > index ? await nodeHash(hash, sibling) : await nodeHash(sibling, hash);
  }
  return isSame(hash, head.root);
}

/** Whether the proof shows that the new tree begins with all leaves of the old one. From size 0 it must be empty. */
export async function isConsistent(old: Head, head: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (old.size > head.size) return false;
  if (old.size === 0) return proof.length === 0;
  if (old.size === head.size) return proof.length === 0 && isSame(old.root, head.root);
  const ranges = consistencyRanges(old.size, [0, head.size]);
  if (ranges.length !== proof.length) return false;
  // An old tree that is one perfect subtree needs no hash of its own in the proof.
  const isPerfect = ranges.every(([from]) => from >= old.size);
  const first = isPerfect ? 0 : 1;
  let oldRoot = isPerfect ? old.root : (proof[0] as Bytes);
  let root = oldRoot;
  for (const [at, sibling] of proof.entries()) {
    if (at < first) continue;
    const [from] = ranges[at] as Range;
    if (from < old.size) oldRoot = await nodeHash(sibling, oldRoot);
    root = from < old.size ? await nodeHash(sibling, root) : await nodeHash(root, sibling);
  }
  return isSame(oldRoot, old.root) && isSame(root, head.root);
}

export interface Tile {
  /** `entries`: a bundle of log entries. */
  level: number | 'entries';
  index: number;
  /** Number of hashes or entries: 256, or fewer for a partial tile. */
  width: number;
}

/** Returns the tile's `width` hashes, one after another. */
export type ReadTile = (tile: Tile) => Promise<Bytes>;

/** Reads each tile once: for one or a few proofs, not for a whole log. */
export function readOnce(read: ReadTile): ReadTile {
  const known = new Map<string, Promise<Bytes>>();
  return (tile) => {
    const path = tilePath(tile);
    const reading = known.get(path) ?? read(tile);
    known.set(path, reading);
    return reading;
  };
}

export const inclusionProof = (index: number, size: number, readTile: ReadTile): Promise<Bytes[]> =>
  Promise.all(inclusionRanges(index, [0, size]).map((range) => hashOf(range, size, readTile)));

/** Empty from size 0, and between equal sizes. */
export const consistencyProof = (oldSize: number, size: number, readTile: ReadTile): Promise<Bytes[]> =>
  Promise.all(
    (oldSize === 0 ? [] : consistencyRanges(oldSize, [0, size])).map((range) => hashOf(range, size, readTile)),
  );

/** The root of the first `size` entries; of none, the hash of nothing. */
export const rootOf = (size: number, readTile: ReadTile): Promise<Bytes> =>
  size === 0 ? sha256() : hashOf([0, size], size, readTile);

/** The hash of a range that is a subtree of a tree of `size` leaves. A ragged one is joined from perfect ones. */
async function hashOf([from, to]: Range, size: number, readTile: ReadTile): Promise<Bytes> {
  const perfect: Promise<Bytes>[] = [];
  for (let at = from; at < to; ) {
    let height = 0;
    while (2 ** (height + 1) <= to - at) height += 1;
    perfect.push(perfectHash(height, at / 2 ** height, size, readTile));
    at += 2 ** height;
  }
  const [last, ...larger] = (await Promise.all(perfect)).reverse() as [Bytes, ...Bytes[]];
  let hash = last;
  for (const left of larger) hash = await nodeHash(left, hash);
  return hash;
}

async function perfectHash(height: number, index: number, size: number, readTile: ReadTile): Promise<Bytes> {
  const level = Math.floor(height / TILE_HEIGHT);
  const count = 2 ** (height % TILE_HEIGHT);
  const first = index * count;
  const tile = Math.floor(first / TILE_WIDTH);
  const bytes = await readTile({ level, index: tile, width: tileWidth(level, tile, size) });
  const offset = first % TILE_WIDTH;
  const hashes = Array.from({ length: count }, (_, at) => hashAt(bytes, offset + at));
  while (hashes.length > 1) {
    const [left, right] = hashes.splice(0, 2) as [Bytes, Bytes];
    hashes.push(await nodeHash(left, right));
  }
  return hashes[0] as Bytes;
}

const hashAt = (bytes: Bytes, index: number): Bytes => bytes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES);

/** The width that a tile has in a tree of `size` entries: 0 to 256. */
export function tileWidth(level: Tile['level'], index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** `tile/0/x001/067` or `tile/entries/000.p/17`, below the log's prefix. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) as string[];
  const last = groups.pop();
  const folders = groups.map((group) => `x${group}/`).join('');
  return `tile/${level}/${folders}${last}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

const TILE_PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/(\d{1,3}))?$/;
const MAX_LEVEL = 63;

/** Null for a path that no tile has, such as one with superfluous zeros. */
export function parseTilePath(path: string): Tile | null {
  const [, level, index = '', width] = TILE_PATH.exec(path) ?? [];
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(index.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  const isValid = tile.width > 0 && (tile.level === 'entries' || tile.level <= MAX_LEVEL);
  // Writing it again refuses every other way to write the same numbers.
  return isValid && tilePath(tile) === path ? tile : null;
}
