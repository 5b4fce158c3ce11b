import { caseCount } from '../testing/case-count.js';
import { leafOf, nodeOf as node, sha256, splitOf, treeHash, VECTOR_ENTRIES, VECTOR_ROOTS } from '../testing/rfc6962.js';
import { words } from '../words.js';
import {
  type Bytes,
  consistencyProof,
  HASH_BYTES,
  type Head,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  parseTilePath,
  type ReadTile,
  rootOf,
  tilePath,
  tileWidth,
} from './tree.js';

// The same hashes without a thread for each: all pairs of sizes need some hundred thousand.
const digest = async (_: string, data: Buffer) => new Uint8Array(sha256(data)).buffer;
beforeAll(() => Object.defineProperty(crypto.subtle, 'digest', { value: digest, configurable: true }));
afterAll(() => Reflect.deleteProperty(crypto.subtle, 'digest'));

const bytes = (buffer: Buffer): Bytes => new Uint8Array(buffer);

/** Tiles of the first `size` leaves, each computed from its definition. */
const tilesOf =
  (leaves: readonly Buffer[]): ReadTile =>
  async ({ level, index, width }) => {
    const below = 256 ** (level as number);
    const hashes = Array.from({ length: width }, (_, at) => {
      const from = (index * 256 + at) * below;
      if (from + below > leaves.length) throw new Error(`tile ${level}/${index} has no hash ${at}`);
      return treeHash(leaves.slice(from, from + below));
    });
    return bytes(Buffer.concat(hashes));
  };

const leavesOf = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, number) => leafOf(Buffer.from(`entry ${number}`)));

describe('the tree of RFC 6962', () => {
  it('has the roots of the published test vectors', async () => {
    const leaves = await Promise.all(VECTOR_ENTRIES.map(leafHash));
    const buffers = leaves.map((leaf) => Buffer.from(leaf));
    for (const [size, root] of VECTOR_ROOTS.entries())
      expect(Buffer.from(await rootOf(size, tilesOf(buffers.slice(0, size)))).toString('hex')).toBe(root);
  });

  it('of 70,000 entries has the tiles of the specification', () => {
    const size = 70_000;
    expect([0, 1, 2, 3].map((level) => tileWidth(level, 0, size))).toEqual([256, 256, 1, 0]);
    expect([tileWidth(0, 272, size), tileWidth(0, 273, size), tileWidth(1, 1, size)]).toEqual([256, 112, 17]);
    expect([tileWidth(0, 274, size), tileWidth('entries', 273, size), tileWidth(1, 0, 256)]).toEqual([0, 112, 1]);
  });
});

describe('proofs between all sizes', () => {
  const MOST = 300;
  const leaves = leavesOf(MOST);
  const hashes = new Map<string, Buffer>();

  /** MTH of leaves `from` to `to`, which many proofs share. */
  function rangeHash(from: number, to: number): Buffer {
    const known = hashes.get(`${from} ${to}`);
    if (known) return known;
    const middle = from + splitOf(to - from);
    const made = to - from === 1 ? (leaves[from] as Buffer) : node(rangeHash(from, middle), rangeHash(middle, to));
    hashes.set(`${from} ${to}`, made);
    return made;
  }

  /** PATH as RFC 6962, 2.1.1 defines it. */
  function pathOf(index: number, from: number, to: number): Buffer[] {
    if (to - from === 1) return [];
    const middle = from + splitOf(to - from);
    if (index < middle) return [...pathOf(index, from, middle), rangeHash(middle, to)];
    return [...pathOf(index, middle, to), rangeHash(from, middle)];
  }

  /** SUBPROOF as RFC 6962, 2.1.2 defines it. */
  function subproofOf(old: number, from: number, to: number, isWhole: boolean): Buffer[] {
    if (old === to) return isWhole ? [] : [rangeHash(from, to)];
    const middle = from + splitOf(to - from);
    if (old <= middle) return [...subproofOf(old, from, middle, isWhole), rangeHash(middle, to)];
    return [...subproofOf(old, middle, to, false), rangeHash(from, middle)];
  }

  const rootAt = (size: number): Bytes => bytes(size === 0 ? treeHash([]) : rangeHash(0, size));
  const readTile = tilesOf(leaves);
  /** The sizes whose proofs are also read from tiles. */
  const TILED = new Set([1, 2, 127, 255, 256, 257, 300]);
  const everySize = Array.from({ length: caseCount(13, MOST) + 1 }, (_, size) => size);
  const SIZES = new Set([...everySize, ...TILED]);

  it('of inclusion lead to the root, and no other leaf does', async () => {
    for (const size of SIZES) {
      for (let index = 0; index < size; index += 1) {
        const proof = pathOf(index, 0, size).map(bytes);
        const leaf = bytes(leaves[index] as Buffer);
        const head = { size, root: rootAt(size) };
        if (!(await isIncluded(index, leaf, head, proof))) throw new Error(`entry ${index} of ${size} is not proved`);
        if (index % 50 !== 0) continue;
        if (TILED.has(size)) expect(await inclusionProof(index, size, readTile)).toEqual(proof);
        expect(await isIncluded(index, rootAt(0), head, proof)).toBe(false);
        expect(await isIncluded(index, leaf, head, [...proof, leaf])).toBe(false);
      }
    }
    expect(await isIncluded(5, rootAt(0), { size: 5, root: rootAt(0) }, [])).toBe(false);
  });

  it('of consistency join the two roots, and no others', async () => {
    for (const size of SIZES) {
      for (let old = 0; old <= size; old += 1) {
        const proof = old === 0 ? [] : subproofOf(old, 0, size, true).map(bytes);
        const [before, after] = [old, size].map((one) => ({ size: one, root: rootAt(one) })) as [Head, Head];
        if (!(await isConsistent(before, after, proof))) throw new Error(`${old} and ${size} are not joined`);
        if (TILED.has(size) && old % 19 === 0) expect(await consistencyProof(old, size, readTile)).toEqual(proof);
        if ((old + size) % 37 !== 0 || old === 0) continue;
        const forged = new Uint8Array(HASH_BYTES);
        expect(await isConsistent({ size: old, root: forged }, after, proof)).toBe(false);
        expect(await isConsistent(before, { size, root: forged }, proof)).toBe(false);
        expect(await isConsistent(before, after, [...proof, forged])).toBe(false);
        for (const at of proof.keys()) expect(await isConsistent(before, after, proof.with(at, forged))).toBe(false);
      }
    }
    expect(await isConsistent({ size: 2, root: rootAt(2) }, { size: 1, root: rootAt(1) }, [])).toBe(false);
    expect(await isConsistent({ size: 0, root: rootAt(0) }, { size: 1, root: rootAt(1) }, [rootAt(1)])).toBe(false);
  });
});

describe('the path of a tile', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 0, index: 256, width: 256 }, 'tile/0/256'],
    [{ level: 1, index: 1000, width: 1 }, 'tile/1/x001/000.p/1'],
    [{ level: 63, index: 1_234_067, width: 255 }, 'tile/63/x001/x234/067.p/255'],
    [{ level: 'entries', index: 7, width: 256 }, 'tile/entries/007'],
  ] as const)('%j is %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    ...words('tile/00/000 tile/64/000 tile/-1/000 tile/1x/000 tile/0/0 tile/0/0000 tile/0/x000/000 tile/0/001/000'),
    ...words(
      'tile/0/x001 tile/0/000.p/0 tile/0/000.p/256 tile/0/000.p/01 tile/0/000.p/1e2 tile/0/000.p tile/data/000 tile/0/000/',
    ),
    '',
  ])('%j is refused', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});
