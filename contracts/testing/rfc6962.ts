import { hash } from 'node:crypto';
import { words } from '../words.js';

/* The tree of RFC 6962, 2.1, computed from its definition: what the incremental and the tiled trees are compared with. */

/** The entries, as bytes in hex, of the test vectors of Google's certificate-transparency, and the root of each number of them. */
export const VECTOR_ENTRIES = [
  '',
  ...words('00 10 2021 3031 40414243 5051525354555657 606162636465666768696a6b6c6d6e6f'),
].map((hex) => Buffer.from(hex, 'hex'));
export const VECTOR_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

export const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');
export const leafOf = (entry: Uint8Array): Buffer => sha256(Buffer.of(0), entry);
export const nodeOf = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** The largest power of two below `count`. */
export const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1);

/** MTH of these leaf hashes. */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  if (leaves.length < 2) return leaves[0] ?? sha256();
  const split = splitOf(leaves.length);
  return nodeOf(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}
