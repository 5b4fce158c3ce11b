import type { LedgerEventProof, LedgerProofFile, ProvenReceipt } from '../../../../contracts/http/receipts.js';
import { formatCents } from '../../../../contracts/money.js';
import { counted, dateTimeText, numberText } from '../../shared/format.js';
import { recomputeChain } from '../../shared/ledger/recompute.js';
import { checkSignature, parseCheckpoint } from '../../shared/ledger/signed-note.js';

/** One step of a check. `later`: it can be checked once the round has ended. `unknown`: this browser cannot check it. */
export interface Step {
  title: string;
  state: 'holds' | 'fails' | 'unknown' | 'later';
  says: string;
  proves: string;
}

const CANNOT_HASH =
  'This browser cannot compute hashes on this page: open it over https, or check the saved proof offline.';

/** Checks a proof in this browser. `trustedKey` is the key that the browser remembers; null when it remembers none. */
export async function checkProof(proof: LedgerProofFile, trustedKey: string | null): Promise<Step[]> {
  const { receipt, event, checkpoint, roundEnd } = proof;
  const signed = await signedStep(event, checkpoint, trustedKey);
  if (receipt === null) return [await roundStep(event), signed];
  const steps = [await receiptStep(receipt, event), signed];
  if (roundEnd === null) return [...steps, NOT_ENDED];
  return [
    ...steps,
    await roundStep(roundEnd.event, receipt.purchaseId),
    await signedStep(roundEnd.event, roundEnd.checkpoint, trustedKey),
  ];
}

function outcomeOf(hash: string | null, holds: boolean, texts: { holds: string; fails: string }) {
  if (hash === null) return { state: 'unknown', says: CANNOT_HASH } as const;
  return holds ? ({ state: 'holds', says: texts.holds } as const) : ({ state: 'fails', says: texts.fails } as const);
}

const NOT_ENDED: Step = {
  title: 'How its round ended',
  state: 'later',
  says: 'The round has not ended, or it was reset. Check again after its end.',
  proves: 'Then the round’s last event names the winner and the prize.',
};

async function receiptStep(receipt: ProvenReceipt, { recorded, chainBefore }: LedgerEventProof): Promise<Step> {
  const { data } = recorded;
  const hash = await recomputed({ recorded, chain: { before: chainBefore } });
  const isSame =
    recorded.type === 'TokenPurchased' &&
    recorded.revision === receipt.revision &&
    recorded.id === receipt.eventId &&
    data.purchaseId === receipt.purchaseId &&
    data.quantity === receipt.quantity &&
    data.roundId === receipt.roundId;
  const event = `Event ${numberText(recorded.revision + 1)}, ${counted(Number(data.quantity), 'token')} in round ${data.roundId}`;
  return {
    title: 'The ledger holds this purchase',
    ...outcomeOf(hash, isSame && hash === receipt.chain, {
      holds: `${event}: its hash, computed here, is the one on the receipt.`,
      fails: `${event}: this is NOT what the receipt says. Computed here: ${hash}; on the receipt: ${receipt.chain}.`,
    }),
    proves: 'Buyer, number of tokens, time and price are, to the letter, what the receipt confirmed.',
  };
}

async function signedStep(event: LedgerEventProof, note: string, trustedKey: string | null): Promise<Step> {
  const { size, chain, key, atEpochMs } = parseCheckpoint(note);
  const isSame = size === event.recorded.revision + 1 && chain === event.recorded.metadata.chain;
  const signature = await checkSignature(note, trustedKey ?? key);
  const isWrong = !isSame || signature === 'wrong' || (signature === 'absent' && trustedKey === null);
  const otherwise = signature === 'valid' ? 'holds' : 'unknown';
  const state = isWrong ? 'fails' : otherwise;
  const whose =
    trustedKey === null ? 'a key that this browser sees for the first time' : 'the key that this browser knows';
  const says = {
    holds: `The head of the first ${counted(size, 'event')}, signed ${signedAtText(atEpochMs)} with ${whose}, has the same hash.`,
    fails: isSame
      ? 'The signature does NOT belong to the text.'
      : `The signed head of ${counted(size, 'event')} has ANOTHER hash: ${chain}.`,
    unknown:
      signature === 'absent'
        ? `It is signed with another key than the one that this browser knows: ${key}. Compare it with the published one.`
        : 'The hash is the same, but this browser cannot check Ed25519 signatures. Save the proof and check it offline.',
  }[state];
  return {
    title: `The operator signed the ledger up to event ${numberText(size)}`,
    state,
    says,
    proves:
      'The hash covers every event before it. The operator cannot show another history to anyone without contradicting this signature.',
  };
}

const signedAtText = (atEpochMs: number): string =>
  Number.isNaN(atEpochMs) ? 'at an unknown time' : dateTimeText(atEpochMs);

async function roundStep({ recorded, chainBefore }: LedgerEventProof, provenPurchaseId?: string): Promise<Step> {
  const hash = await recomputed({ recorded, chain: { before: chainBefore } });
  const { roundId, winner, jackpotCents } = recorded.data as {
    roundId: number;
    winner: { gamerId: string; purchaseId: string } | null;
    jackpotCents: number;
  };
  const holds = recorded.type === 'RoundEnded' && hash === recorded.metadata.chain;
  const outcome =
    winner === null
      ? 'nobody won'
      : `${formatCents(jackpotCents)} went to gamer ${winner.gamerId}, for purchase ${winner.purchaseId}${winner.purchaseId === provenPurchaseId ? ', which is this purchase' : ''}`;
  return {
    title: `How round ${roundId} ended`,
    ...outcomeOf(hash, holds, {
      holds: `Event ${numberText(recorded.revision + 1)}: ${outcome}. Its hash, computed here, is the one that the ledger has.`,
      fails: `The event does NOT have the hash that the ledger names: ${hash} was computed here.`,
    }),
    proves: 'The winner and the prize are those that were written when the round ended.',
  };
}

const recomputed = (event: Parameters<typeof recomputeChain>[0]): Promise<string | null> =>
  recomputeChain(event).catch(() => null);
