import { isOpened, type OpenedEvent, type ProofFile } from '../../../../contracts/transparency/proof-file.js';
import {
  type LatePurchase,
  latenessOf,
  type SignedRefusal,
} from '../../../../contracts/transparency/signed-refusal.js';
import { counted, dateTimeText, numberText } from '../../shared/format.js';
import { checkProof, type Known, type Step, signatureStep } from './check-proof.js';

/** "2 tokens in round 7, 41 ms after zero" */
export const refusalName = (late: LatePurchase): string =>
  `${counted(late.quantity, 'token')} in round ${late.roundId}, ${numberText(latenessOf(late))} ms after zero`;

/** Checks the refusal of a purchase that came too late. @param roundEnd the proof of the round's end; null without one */
export async function checkRefusal(refusal: SignedRefusal, known: Known, roundEnd: ProofFile | null): Promise<Step[]> {
  return [
    arrivalStep(refusal.late),
    await signatureStep(refusal, known, {
      title: 'The operator signed the refusal',
      signed: 'The refusal bears the signature of the log’s known key.',
      proves: 'The operator cannot deny later when your purchase arrived, nor for which end it was refused.',
    }),
    await endStep(refusal.late, known, roundEnd),
  ];
}

function arrivalStep(late: LatePurchase): Step {
  const lateMs = latenessOf(late);
  const side = lateMs >= 0 ? 'after' : 'BEFORE';
  const distance = `${numberText(Math.abs(lateMs))} ms ${side} the end of round ${late.roundId}`;
  return {
    title: 'It came after zero',
    holds: lateMs >= 0,
    says: `It arrived ${dateTimeText(late.receivedAtEpochMs)}, ${distance}.${lateMs < 0 ? ' It should have counted.' : ''}`,
    proves: 'A purchase counts if it reaches the server before zero.',
  };
}

async function endStep({ roundId, endedAtEpochMs }: LatePurchase, known: Known, proof: ProofFile | null) {
  const step = (holds: boolean | null, says: string): Step => ({
    title: `The ledger has that end of round ${roundId}`,
    holds,
    says,
    proves: 'The refusal names the end by which the winner was found, and no earlier one.',
  });
  if (proof === null) return step(null, 'The proof of the round’s end could not be had now.');
  const isThisEnd = ({ type, data }: OpenedEvent) => type === 'RoundEnded' && data.roundId === roundId;
  const steps = await checkProof(proof, known, isThisEnd);
  const wrong = steps.find(({ holds }) => holds === false);
  if (wrong) return step(false, `Its proof does NOT hold. ${wrong.title}: ${wrong.says}`);
  const end = proof.extra.events.filter(isOpened).at(-1)?.data.endedAtEpochMs;
  if (end === endedAtEpochMs) return step(true, 'Its proof holds, and both have the same time.');
  return step(false, `The ledger has ANOTHER end: ${dateTimeText(Number(end))}.`);
}
