import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import { cosignersOf, type Policy, parsePolicy } from '../../contracts/transparency/policy.js';
import { isOpened, type OpenedEvent, type ProofFile, parseProofFile } from '../../contracts/transparency/proof-file.js';
import type { SignedHead } from '../../contracts/transparency/signed-head.js';
import * as notes from '../../contracts/transparency/signed-note.js';
import { latenessOf, parseSignedRefusal } from '../../contracts/transparency/signed-refusal.js';
import { isIncluded, leafHash } from '../../contracts/transparency/tree.js';
import { chainAfter, contentHashOf } from '../replay/chain.js';
import { formatCents } from '../replay/finding.js';
import { isMetadata } from '../replay/schema.js';

export type Print = (line: string) => void;

export interface ProofVerdict {
  holds: string[];
  findings: string[];
}

export interface Trust {
  /** The log's public key, "name+id+base64"; null to trust the logs of the policy. */
  key: string | null;
  /** A tlog-policy; null requires no witnesses. */
  policy: string | null;
}

/** Checks a proof of a purchase or of a round's end (docs/receipts.md), offline. Throws InvalidNote when it is malformed. */
export async function checkProof(text: string, trust: Trust): Promise<ProofVerdict> {
  const proof = parseProofFile(text);
  const verdict: ProofVerdict = { holds: [], findings: [] };
  await checkInclusion(proof, chainOfEvents(proof, verdict), verdict);
  const { head } = proof;
  const policy = await checkOperator(head, `the head of ${head.size} events`, trust, verdict);
  if (policy !== null) await checkWitnesses(head, policy, verdict);
  checkMeaning(proof, verdict);
  return verdict;
}

function chainOfEvents({ extra }: ProofFile, { findings }: ProofVerdict): string {
  return extra.events.reduce((chain, one) => {
    if (!isOpened(one)) return chainAfter(chain, one.type, one.contentHash);
    const { id, type, data, metadata } = one;
    const recorded = { id, event: { type, data }, metadata } as unknown as RecordedLedgerEvent;
    const after = chainAfter(chain, type, contentHashOf(recorded));
    // The chain covers no other members of the metadata than every event has.
    if ('chain' in metadata || !isMetadata({ ...metadata, chain: after } as unknown as LedgerMetadata))
      findings.push(`${type} has metadata that no event may have`);
    return after;
  }, extra.chainBefore);
}

async function checkInclusion(proof: ProofFile, chain: string, { holds, findings }: ProofVerdict): Promise<void> {
  const { index, hashes, head } = proof;
  const leaf = await leafHash(notes.bytesOfHex(chain));
  const [type, event] = [proof.extra.events.at(-1)?.type, `event ${index + 1} of ${head.size} in ${head.origin}`];
  if (await isIncluded(index, leaf, head, hashes)) holds.push(`${type} is ${event}, with the chain hash ${chain}`);
  else findings.push(`${type} is not ${event}`);
}

type LogNote = notes.Note & { origin: string };

/** Checks that the operator signed a note. Returns the policy, if there is one. */
async function checkOperator(note: LogNote, what: string, trust: Trust, { holds, findings }: ProofVerdict) {
  const policy = trust.policy === null ? null : await parsePolicy(trust.policy);
  const keys =
    trust.key === null ? (policy?.logs.map(({ key }) => key) ?? []) : [await notes.parseVerifierKey(trust.key)];
  if (keys.length === 0) findings.push('the signature was not checked: state whose key you trust by --key or --policy');
  else if (await isSignedBy(note, keys)) holds.push(`${note.origin} signed ${what}`);
  else findings.push(`${what} is not signed by the given key`);
  return policy;
}

/** A note is signed by a key of its log's own name. */
export async function isSignedBy(note: LogNote, keys: readonly notes.VerifierKey[]): Promise<boolean> {
  const verdicts = await Promise.all(
    keys.filter(({ name }) => name === note.origin).map((key) => notes.verifySignature(note, key)),
  );
  return verdicts.includes('valid') && !verdicts.includes('wrong');
}

async function checkWitnesses(head: SignedHead, policy: Policy, { holds, findings }: ProofVerdict): Promise<void> {
  const cosigners = await cosignersOf(head, policy).catch((error: Error) => error);
  if (cosigners instanceof Error) return void findings.push(cosigners.message);
  const names = [...cosigners].join(', ') || 'no witness of the policy';
  if (policy.hasQuorum(cosigners)) holds.push(`cosigned by ${names}: enough for the policy`);
  else findings.push(`cosigned by ${names}: not enough for the policy`);
}

function checkMeaning({ extra }: ProofFile, { holds, findings }: ProofVerdict): void {
  const last = extra.events.at(-1);
  if (!last || !isOpened(last)) findings.push('the proof does not show its event');
  else if (last.type === 'RoundEnded') checkWinner(extra.events, last, { holds, findings });
  else if (extra.events.length > 1) findings.push(`the proof shows other events before ${last.type}`);
  else holds.push(describeEvent(last));
}

function describeEvent({ type, data, metadata }: OpenedEvent): string {
  const at = new Date(Number(metadata.at)).toISOString();
  if (type !== 'TokenPurchased') return `${type} at ${at}: ${JSON.stringify(data)}`;
  const { purchaseId, roundId, buyerId, quantity, costCents } = data;
  return `${buyerId} bought ${quantity} for ${formatCents(Number(costCents))} in round ${roundId} at ${at}, purchase ${purchaseId}`;
}

/** The winner is the buyer of the last purchase: its extension names it, and no other purchase follows up to the end. */
function checkWinner(events: ProofFile['extra']['events'], { data }: OpenedEvent, verdict: ProofVerdict): void {
  const { holds, findings } = verdict;
  const { roundId, jackpotCents } = data;
  const winner = data.winner as { gamerId: string; purchaseId: string } | null;
  const [purchase, extension, ...others] = events;
  if (winner === null) {
    if (events.length > 1) findings.push('the proof shows events before the end of a round without a winner');
    else holds.push(`round ${roundId} ended without a winner`);
    return;
  }
  const extended = extension && isOpened(extension) ? extension.data : {};
  const isLast =
    purchase?.type === 'TokenPurchased' &&
    extension?.type === 'TimeExtended' &&
    others.every(({ type }) => type !== 'TokenPurchased') &&
    extended.purchaseId === winner.purchaseId &&
    extended.buyerId === winner.gamerId &&
    extended.roundId === roundId;
  const won = `${winner.gamerId} won round ${roundId} with purchase ${winner.purchaseId}, ${formatCents(Number(jackpotCents))}`;
  if (isLast) holds.push(`${won}: nobody bought between it and the end`);
  else findings.push(`the proof does not show that purchase ${winner.purchaseId} was the last of round ${roundId}`);
}

const MAX_FINDINGS = 20;

/**
 * Checks the signed refusal of a purchase that came too late (docs/receipts.md), offline. Throws InvalidNote.
 *
 * @param roundEnd the proof of the round's end, with which the refusal is compared; null to check only the refusal itself
 */
export async function checkRefusal(text: string, trust: Trust, roundEnd: string | null): Promise<ProofVerdict> {
  const refusal = parseSignedRefusal(text);
  const { gamerId, quantity, roundId, commandId, receivedAtEpochMs, endedAtMs } = refusal.late;
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
  else if (end.endedAtMs !== endedAtMs)
    findings.push(`round ${roundId} ended at ${time(Number(end.endedAtMs))} in the ledger, not at ${time(endedAtMs)}`);
  else if (proved.findings.length === 0) holds.push(`the ledger has that end of round ${roundId}`);
  findings.push(...proved.findings.map((message) => `the proof of the round's end: ${message}`));
  return verdict;
}

const time = (atMs: number): string => new Date(atMs).toISOString();

/** Prints the passed checks, under the label, and the first findings. Returns whether there are none. */
export function printVerdict(print: Print, label: string, right: readonly string[], findings: readonly string[]) {
  for (const line of right) print(`  ${label}: ${line}`);
  for (const line of findings.slice(0, MAX_FINDINGS)) print(`  WRONG: ${line}`);
  print(findings.length === 0 ? 'Everything is as it must be.' : `Findings: ${findings.length}.`);
  return findings.length === 0;
}
