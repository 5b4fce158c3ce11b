import { isOpened, parseProofFile } from '../../contracts/transparency/proof-file.js';
import { latenessOf, parseSignedRefusal } from '../../contracts/transparency/signed-refusal.js';
import { checkOperator, checkProof, type ProofVerdict, type Trust } from './receipt.js';

/**
 * Checks the signed refusal of a purchase that came too late (docs/receipts.md), offline. Throws InvalidNote.
 *
 * @param roundEnd the proof of the round's end, with which it is compared; null to compare it only with what it says itself
 */
export async function checkRefusal(text: string, trust: Trust, roundEnd: string | null): Promise<ProofVerdict> {
  const refusal = parseSignedRefusal(text);
  const { gamerId, quantity, roundId, commandId, receivedAtEpochMs, endedAtEpochMs } = refusal.late;
  const verdict: ProofVerdict = { holds: [], findings: [] };
  const { holds, findings } = verdict;
  await checkOperator(refusal, 'the refusal', trust, verdict);
  const press = `${gamerId}'s purchase of ${quantity} (command ${commandId}) arrived at ${time(receivedAtEpochMs)}`;
  const lateMs = latenessOf(refusal.late);
  if (lateMs < 0) findings.push(`${press}, ${-lateMs} ms BEFORE the end that it is said to have missed`);
  else holds.push(`${press}, ${lateMs} ms after the end of round ${roundId} as the refusal has it`);
  if (roundEnd === null) return verdict;
  const proved = await checkProof(roundEnd, trust);
  const last = parseProofFile(roundEnd).extra.events.at(-1);
  const end = last && isOpened(last) && last.type === 'RoundEnded' ? last.data : {};
  if (end.roundId !== roundId) findings.push(`the proof is not of the end of round ${roundId}`);
  else if (end.endedAtEpochMs !== endedAtEpochMs)
    findings.push(
      `round ${roundId} ended at ${time(Number(end.endedAtEpochMs))} in the ledger, not at ${time(endedAtEpochMs)}`,
    );
  else if (proved.findings.length === 0) holds.push(`the ledger has that end of round ${roundId}`);
  findings.push(...proved.findings.map((says) => `the proof of the round's end: ${says}`));
  return verdict;
}

const time = (atMs: number): string => new Date(atMs).toISOString();
