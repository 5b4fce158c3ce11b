import {
  consistencyProof,
  type Head,
  isConsistent,
  isSame,
  type ReadTile,
  rootOf,
} from '../../../../contracts/transparency/tree.js';

/**
 * The reason why the log, as a node folded it, does not begin with the events of a head that was signed; null when it does.
 * The tiles are trusted only as far as they lead to the folded root.
 */
export async function findContradiction(signed: Head, folded: Head, readTile: ReadTile): Promise<string | null> {
  if (signed.size > folded.size)
    return `the log has ${folded.size} events, but a head of ${signed.size} events was signed`;
  const root = await rootOf(signed.size, readTile);
  const proof = await consistencyProof(signed.size, folded.size, readTile);
  if (!(await isConsistent({ size: signed.size, root }, folded, proof)))
    return 'the tiles (table read.log_tiles) are not those of the log';
  if (isSame(root, signed.root)) return null;
  return `the log does not begin with the ${signed.size} events of the last head that was signed`;
}
