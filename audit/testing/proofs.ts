import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { TestLog } from '../../contracts/testing/test-log.js';
import { PROOF_FORMAT, type ProofExtra, writeProofFile } from '../../contracts/transparency/proof-file.js';
import { COSIGNATURE, cosignatureLine, createSigner } from '../../contracts/transparency/signed-note.js';
import { inclusionProof } from '../../contracts/transparency/tree.js';
import { contentHashOf, FIRST_CHAIN } from '../replay/chain.js';

export const witness = createSigner('witness.example/one', COSIGNATURE, new Uint8Array(32).fill(2));

/** A policy that requires the witness. */
export const policyText = async (): Promise<string> => `witness one ${(await witness).key.text}\nquorum one\n`;

export const logOf = (events: readonly RecordedLedgerEvent[]): Promise<TestLog> =>
  TestLog.create(events.map(({ metadata }) => Buffer.from(metadata.chain, 'hex')));

/** Numbers of the events that a proof is about: purchases, and ends of rounds. */
export const provable = (events: readonly RecordedLedgerEvent[]): number[] =>
  events.flatMap(({ event }, at) => (event.type === 'TokenPurchased' || event.type === 'RoundEnded' ? [at] : []));

/** The proof that a node would serve: the event, or the end of a round from its last purchase on. */
export async function proofOf(
  events: readonly RecordedLedgerEvent[],
  index: number,
  { size = events.length, log }: { size?: number; log?: TestLog } = {},
): Promise<string> {
  const { event } = events[index] as RecordedLedgerEvent;
  const isWon = event.type === 'RoundEnded' && event.data.winner !== null;
  const isPurchase = ({ event: { type } }: RecordedLedgerEvent): boolean => type === 'TokenPurchased';
  const first = isWon ? events.slice(0, index).findLastIndex(isPurchase) : index;
  const opened = isWon ? [first + 1, index] : [index];
  const shown = events.slice(first, index + 1).map((one, at): ProofExtra['events'][number] => {
    const {
      id,
      event: { type, data },
      metadata: { chain: _, ...metadata },
    } = one;
    if (!opened.includes(first + at)) return { type, contentHash: contentHashOf(one) };
    return { id, type, data: { ...data }, metadata };
  });
  const own = log ?? (await logOf(events));
  const head = await own.head(size);
  const line = await cosignatureLine(await witness, head.slice(0, head.indexOf('\n\n') + 1), 1_800_000_000);
  return writeProofFile({
    extra: { format: PROOF_FORMAT, chainBefore: events[first - 1]?.metadata.chain ?? FIRST_CHAIN, events: shown },
    index,
    hashes: await inclusionProof(index, size, own.readTile),
    head: { note: head + line },
  });
}
