import type { AuditMerkleProof } from '../../../../contracts/http/audit.js';
import type { LedgerEventProof, LedgerProofFile, ProvenReceipt } from '../../../../contracts/http/receipts.js';
import { codeOf, get } from '../../shared/api/api-client.js';
import { fetchCheckpoint } from '../../shared/ledger/ledger-api.js';
import { parseCheckpoint } from '../../shared/ledger/signed-note.js';

export const PROOF_FORMAT = 'omni-jackpot proof 1';

/** The server says that the ledger has no such event. */
export class EventDenied extends Error {}

/** Collects everything that proves a purchase. Throws EventDenied. */
export async function fetchPurchaseProof(receipt: ProvenReceipt, key: string | null): Promise<LedgerProofFile> {
  const path = ['/api', 'ledger', 'events', receipt.revision] as const;
  const search = { id: receipt.eventId };
  const event = await orDenied(get<LedgerEventProof>([...path, search]));
  const checkpoint = await checkpointAt(receipt.revision + 1);
  const merkleProof = await orNull(get<AuditMerkleProof>([...path, 'merkle-proof', search]));
  const roundEnd = merkleProof && (await fetchRoundEnd(receipt.roundId));
  return { ...proofOf(key, checkpoint), receipt, event, merkleProof, roundEnd };
}

/** Collects everything that proves the end of a round, and so its winner. */
export async function fetchRoundProof(roundId: number, key: string | null): Promise<LedgerProofFile> {
  const { event, checkpoint } = await fetchRoundEnd(roundId);
  return { ...proofOf(key, checkpoint), receipt: null, event, merkleProof: null, roundEnd: null };
}

async function fetchRoundEnd(roundId: number) {
  const event = await get<LedgerEventProof>(['/api', 'ledger', 'rounds', roundId]);
  return { event, checkpoint: await checkpointAt(event.recorded.revision + 1) };
}

async function checkpointAt(size: number): Promise<string> {
  const note = await fetchCheckpoint(size);
  if (note === null) throw new EventDenied(`The ledger has no event ${size}.`);
  return note;
}

const proofOf = (key: string | null, checkpoint: string) => ({
  format: PROOF_FORMAT as LedgerProofFile['format'],
  key: key ?? parseCheckpoint(checkpoint).key,
  checkpoint,
});

const orDenied = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: Error) => {
    throw codeOf(error) === 'event-not-found' ? new EventDenied(error.message) : error;
  });

/** Null when the round has not ended, or was reset. */
const orNull = (answer: Promise<AuditMerkleProof>): Promise<AuditMerkleProof | null> =>
  answer.catch((error: Error) => {
    if (codeOf(error) === 'no-merkle-proof') return null;
    throw error;
  });

/** A receipt, or a saved proof, from the text of a file. Throws with a sentence for a person. */
export function openedFile(text: string): ProvenReceipt | LedgerProofFile {
  let content: Partial<LedgerProofFile & ProvenReceipt> | null;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error('This is no receipt: the text is not JSON.');
  }
  if (content?.format === PROOF_FORMAT && content.event && content.checkpoint) return content as LedgerProofFile;
  const { revision, eventId, chain, purchaseId } = content ?? {};
  if (typeof revision === 'number' && typeof eventId === 'string' && typeof chain === 'string' && purchaseId)
    return content as ProvenReceipt;
  throw new Error('This is neither a receipt nor a saved proof: it names no event of the ledger.');
}
