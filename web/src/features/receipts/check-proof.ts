import type { LostHistory } from '../../../../contracts/http/history-loss.js';
import type { RoundId } from '../../../../contracts/ids.js';
import { MAX_LATE_PURCHASES_PER_GAMER } from '../../../../contracts/limits.js';
import { cosignersOf, type Policy } from '../../../../contracts/transparency/policy.js';
import { isOpened, type OpenedEvent, type ProofFile } from '../../../../contracts/transparency/proof-file.js';
import type { SignedHead } from '../../../../contracts/transparency/signed-head.js';
import { bytesOfHex } from '../../../../contracts/transparency/signed-note.js';
import * as refusals from '../../../../contracts/transparency/signed-refusal.js';
import { isIncluded, leafHash } from '../../../../contracts/transparency/tree.js';
import { counted, dateTimeText, formatCents, numberText } from '../../shared/format.js';
import type { ReceiptEvidence } from '../../shared/ledger/ledger-memory.js';
import { chainAfter } from '../../shared/ledger/recompute.js';
import { keyMaterialOf, type LogNote, verdictOf } from './watch.js';

export interface Step {
  title: string;
  /** Null while this browser cannot check it. */
  holds: boolean | null;
  message: string;
  proves: string;
}

export interface ProofContext {
  /** The log's key that this browser trusts; null when it has none. */
  key: string | null;
  /** The losses of history that the server names, with the keys of the logs that ended with them. */
  losses: readonly LostHistory[];
  /** The witnesses that this browser requires; null when it requires none. */
  policy: Policy | null;
  receipts: readonly ReceiptEvidence[];
  names: ReadonlyMap<unknown, string>;
}

/** Whether an event at this index is the one that the server was asked to prove. A file proves its last event. */
export type EventPredicate = (event: OpenedEvent, index: number) => boolean;

/** Checks a proof in this browser, without a network. */
export async function checkProof(proof: ProofFile, known: ProofContext, isRequested: EventPredicate = () => true) {
  const { extra, index, head } = proof;
  const event = extra.events.at(-1);
  if (!event || !isOpened(event) || !isRequested(event, index)) return [NOT_REQUESTED];
  const chain = await chainAfter(extra.chainBefore, extra.events);
  const receipt = known.receipts.find(({ revision }) => revision === index);
  const steps = [
    receipt && receiptStep(receipt, event, chain),
    event.type === 'RoundEnded' && roundStep(event.data, extra.events, known),
    await ledgerStep(proof, event, chain, known),
    await signatureStep(head, known, {
      title: 'The operator signed the ledger',
      signed: 'The head bears the signature of the log’s known key.',
      proves: 'The signature covers every event up to the head. The operator cannot take any of them back.',
    }),
    known.policy && (await witnessStep(head, known.policy)),
  ];
  return steps.filter((step) => typeof step === 'object' && step !== null);
}

const NOT_REQUESTED: Step = {
  title: 'The proof is about something else',
  holds: false,
  message: 'It does NOT show the event that was asked for.',
  proves: 'A proof is worth something only for the event that it shows.',
};

function receiptStep(receipt: ReceiptEvidence, event: OpenedEvent, chain: string): Step {
  const isSame = (['purchaseId', 'roundId', 'quantity'] as const).every((name) => event.data[name] === receipt[name]);
  const holds = isSame && event.type === 'TokenPurchased' && event.id === receipt.eventId && chain === receipt.chain;
  return {
    title: 'It is the purchase on your receipt',
    holds,
    message: holds
      ? 'Its hash, computed here, is the one on the receipt.'
      : `It is NOT what the receipt says. The hash computed here is ${chain}, the receipt has ${receipt.chain}.`,
    proves: 'Buyer, tokens, time and price are, to the letter, what the receipt confirmed.',
  };
}

async function ledgerStep(proof: ProofFile, event: OpenedEvent, chain: string, { names }: ProofContext): Promise<Step> {
  const { index, head, hashes } = proof;
  const holds = await isIncluded(index, await leafHash(bytesOfHex(chain)), head, hashes);
  return {
    title: `Event ${numberText(index + 1)} is in the ledger`,
    holds,
    message: `${contentOf(event, names)}. Its hash, computed here, ${holds ? 'leads' : 'does NOT lead'} to the head of ${counted(head.size, 'event')}.`,
    proves: 'The ledger has exactly this event in this place.',
  };
}

function contentOf({ type, data }: OpenedEvent, names: ProofContext['names']): string {
  if (type === 'RoundEnded') return `Round ${data.roundId} ended ${timeText(data.endedAtMs)}`;
  if (type !== 'TokenPurchased') return `It is a ${type}`;
  const tokens = `${counted(Number(data.quantity), 'token')} in round ${data.roundId}`;
  return `${tokens}, bought by ${gamerText(data.buyerId, names)} ${timeText(data.receivedAtEpochMs)}`;
}

/** "ada_west, gamer 4kq9…": the name is this site's, and the id the proof's. */
const gamerText = (gamerId: unknown, names: ProofContext['names']): string =>
  [names.get(gamerId), `gamer ${gamerId}`].filter(Boolean).join(', ');

const MAX_TIME_MS = 8.64e15;

/** A forged event may have anything for a time. */
const timeText = (atMs: unknown): string =>
  typeof atMs === 'number' && Math.abs(atMs) <= MAX_TIME_MS ? dateTimeText(atMs) : 'at an unknown time';

/** The keys that may sign a note: the trusted one or, for a log that ended with a loss, the same key under that log's name. */
function keysFor({ origin }: LogNote, { key, losses }: ProofContext): readonly string[] {
  const loss = losses.find(({ signedOrigin }) => signedOrigin === origin);
  if (key === null) return [];
  return loss === undefined || key.startsWith(`${origin}+`)
    ? [key]
    : loss.keys.filter((one) => keyMaterialOf(one) === keyMaterialOf(key));
}

async function signatureStep(
  note: LogNote,
  known: ProofContext,
  { title, signed, proves }: { title: string; signed: string; proves: string },
): Promise<Step> {
  const keys = keysFor(note, known);
  const verdicts = await Promise.all(keys.map((key) => verdictOf(note, key)));
  const verdict = verdicts.find((one) => one !== 'absent') ?? verdicts[0] ?? 'unknown';
  const messages = {
    valid: signed,
    wrong: 'The signature does NOT belong to this text.',
    absent: 'It is NOT signed with the log’s known key. Another site made it, or the key was replaced.',
    unknown:
      keys.length === 0 ? 'This browser has not seen the key yet.' : 'This browser cannot check Ed25519 signatures.',
  };
  return {
    title,
    holds: verdict === 'unknown' ? null : verdict === 'valid',
    message: messages[verdict],
    proves,
  };
}

async function witnessStep(head: SignedHead, policy: Policy): Promise<Step> {
  const outcome = await witnessesOf(head, policy).then(
    ({ names, isEnough }) => ({
      holds: isEnough || null,
      message: isEnough ? `The head is cosigned by ${names}.` : 'Not enough witnesses have cosigned the head yet.',
    }),
    (error: Error) => ({ holds: false, message: `It is NOT so: ${error.message}.` }),
  );
  return {
    title: 'Witnesses saw the same ledger',
    ...outcome,
    proves: 'A witness signs only what continues the ledger that it saw before. It refuses a second history.',
  };
}

/** Throws when the cosignature of a known witness is wrong. */
export async function witnessesOf(head: SignedHead, policy: Policy): Promise<{ names: string; isEnough: boolean }> {
  const cosigners = await cosignersOf(head, policy);
  return { names: [...cosigners].join(', '), isEnough: policy.hasQuorum(cosigners) };
}

type Events = ProofFile['extra']['events'];

function roundStep(end: OpenedEvent['data'], events: Events, { names, receipts }: ProofContext): Step {
  const problem = problemOfRound(end, events);
  const winner = (end.winner ?? null) as Record<string, unknown> | null;
  const isOwn = receipts.some(({ purchaseId }) => purchaseId === winner?.purchaseId);
  const own = isOwn ? ' This browser has its receipt.' : '';
  const jackpot = formatCents(Number(end.jackpotCents));
  const outcome = winner
    ? `The last purchase was by ${gamerText(winner.gamerId, names)}, who won ${jackpot}. Nobody bought after it.${own}`
    : `Nobody bought. ${jackpot} went into the next round.`;
  return {
    title: `How round ${end.roundId} ended`,
    holds: problem === null,
    message: problem ?? outcome,
    proves: 'The last buyer won, and the winner and the jackpot are those written when the round ended.',
  };
}

/** The proof shows the last purchase and every later event, so that no other purchase can stand before the end. */
function problemOfRound({ roundId, winner }: OpenedEvent['data'], events: Events): string | null {
  const [purchase, extended, ...rest] = events;
  const { gamerId, purchaseId } = (winner ?? {}) as Record<string, unknown>;
  if (!winner) return events.length === 1 ? null : 'It names no winner, but shows more than the end.';
  if (purchase?.type !== 'TokenPurchased' || !extended || !isOpened(extended) || extended.type !== 'TimeExtended')
    return 'It does NOT show the last purchase.';
  if (rest.some(({ type }) => type === 'TokenPurchased')) return 'Another purchase stands before the end.';
  const { data } = extended;
  const isWinners = data.roundId === roundId && data.purchaseId === purchaseId && data.buyerId === gamerId;
  return isWinners ? null : 'The winner is NOT the last buyer.';
}

/** "2 tokens in round 7, 41 ms after zero" */
export const refusalName = (late: refusals.LatePurchase): string =>
  `${counted(late.quantity, 'token')} in round ${late.roundId}, ${numberText(refusals.latenessOf(late))} ms after zero`;

/** Says that more late purchases may have come than are recorded; null while the gamer's round has room for another. */
export const unrecordedNote = (roundId: RoundId, ofGamer: readonly { roundId: RoundId }[]): string | null =>
  ofGamer.filter((late) => late.roundId === roundId).length < MAX_LATE_PURCHASES_PER_GAMER
    ? null
    : `Only the first ${MAX_LATE_PURCHASES_PER_GAMER} late purchases of a gamer in a round are recorded. More may have come.`;

/** Checks the refusal of a purchase that came too late. @param roundEnd the proof of the round's end; null without one */
export async function checkRefusal(refusal: refusals.SignedRefusal, known: ProofContext, roundEnd: ProofFile | null) {
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

function arrivalStep(late: refusals.LatePurchase): Step {
  const lateMs = refusals.latenessOf(late);
  const side = lateMs >= 0 ? 'after' : 'BEFORE';
  const distance = `${numberText(Math.abs(lateMs))} ms ${side} the end of round ${late.roundId}`;
  return {
    title: 'It came after zero',
    holds: lateMs >= 0,
    message: `It arrived ${dateTimeText(late.receivedAtEpochMs)}, ${distance}.${lateMs < 0 ? ' It should have counted.' : ''}`,
    proves: 'A purchase counts if it reaches the server before zero.',
  };
}

async function endStep({ roundId, endedAtMs }: refusals.LatePurchase, known: ProofContext, proof: ProofFile | null) {
  const step = (holds: boolean | null, message: string): Step => ({
    title: `The ledger has that end of round ${roundId}`,
    holds,
    message,
    proves: 'The refusal names the end by which the winner was found, and no earlier one.',
  });
  if (proof === null) return step(null, 'The proof of the round’s end could not be had now.');
  const isThisEnd = ({ type, data }: OpenedEvent) => type === 'RoundEnded' && data.roundId === roundId;
  const steps = await checkProof(proof, known, isThisEnd);
  const wrong = steps.find(({ holds }) => holds === false);
  if (wrong) return step(false, `Its proof does NOT hold. ${wrong.title}: ${wrong.message}`);
  const end = proof.extra.events.filter(isOpened).at(-1)?.data.endedAtMs;
  if (end === endedAtMs) return step(true, 'Its proof holds, and both have the same time.');
  return step(false, `The ledger has ANOTHER end: ${dateTimeText(Number(end))}.`);
}
