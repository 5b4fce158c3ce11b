import type { LostHistory } from '../../../../../contracts/http/losses.js';
import { UnreadableLog } from '../../../../../contracts/transparency/log-client.js';
import { headText } from '../../../../../contracts/transparency/signed-head.js';
import {
  bytesOfHex,
  createSigner,
  ED25519,
  type Signer,
  signatureLine,
} from '../../../../../contracts/transparency/signed-note.js';
import { concat, type ReadTile } from '../../../../../contracts/transparency/tree.js';
import { addEntry, EMPTY_TREE, rootOf } from '../../../../../domain/ledger/tree.js';

export const ORIGIN = 'play.example/ledger';

export const signerOf = (byte: number, name = ORIGIN): Promise<Signer> =>
  createSigner(name, ED25519, new Uint8Array(32).fill(byte));

/** The log of a ledger with these chain hashes, as a server publishes it. */
export function testLog(
  chains: readonly string[],
  signers: readonly Signer[],
  { origin = ORIGIN, losses = [] as readonly LostHistory[] } = {},
) {
  const root = (from: number, to: number) =>
    bytesOfHex(rootOf(chains.slice(from, to).reduce((edge, chain) => addEntry(edge, chain), EMPTY_TREE)));
  /** The signed head of the first `size` events. */
  const noteAt = async (size = chains.length): Promise<string> => {
    const text = headText(origin, { size, root: root(0, size) });
    const lines = await Promise.all(signers.map((signer) => signatureLine(signer, text)));
    return `${text}\n${lines.join('')}`;
  };
  const readTile: ReadTile = async ({ level, index, width }) => {
    const leaves = 256 ** (level as number);
    const hashes = Array.from({ length: width }, (_, at) => {
      const from = (index * 256 + at) * leaves;
      if (from + leaves > chains.length) throw new UnreadableLog('answered with 404', 404);
      return root(from, from + leaves);
    });
    return concat(hashes);
  };
  const keys = signers.map(({ key }) => key.text);
  const fetchKeys = async () => ({ keys, losses: [...losses] });
  return { noteAt, fetchHead: () => noteAt(), fetchKeys, readTile };
}
