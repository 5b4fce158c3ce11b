import { createPublicKey, verify } from 'node:crypto';
import type { LedgerMetadata } from '../../contracts/events/metadata.js';
import type { RecordedLedgerEvent } from '../../contracts/events/recorded.js';
import type { LedgerEventProof, LedgerProofFile, ProvenReceipt } from '../../contracts/http/receipts.js';
import { chainOf } from '../replay/chain.js';
import { isMetadata } from '../replay/schema.js';

export interface ReceiptVerdict {
  /** Sentences about the parts that hold. */
  holds: string[];
  /** Sentences about the parts that do not. */
  findings: string[];
}

/** Checks a proof that the page /verify saved, offline. @param key to trust; by default the one in the file */
export function checkProofFile(text: string, key?: string): ReceiptVerdict {
  const proof = JSON.parse(text) as LedgerProofFile;
  if (proof?.format !== 'omni-jackpot proof 1') throw new Error('This file is no proof that the page /verify saved.');
  const { receipt, event, checkpoint, roundEnd } = proof;
  const verdict: ReceiptVerdict = { holds: [], findings: [] };
  const trusted = key ?? proof.key;
  checkEvent(event, verdict);
  checkHead(event, checkpoint, trusted, verdict);
  if (receipt === null) return checkOutcome(event, verdict);
  checkReceipt(receipt, event, verdict);
  if (roundEnd === null) return verdict;
  checkEvent(roundEnd.event, verdict);
  checkHead(roundEnd.event, roundEnd.checkpoint, trusted, verdict);
  return checkOutcome(roundEnd.event, verdict);
}

const numberOf = ({ recorded }: LedgerEventProof): string => `event ${recorded.revision + 1}`;

function checkEvent(event: LedgerEventProof, { holds, findings }: ReceiptVerdict): void {
  const { id, type, data, metadata } = event.recorded;
  const { chain } = metadata;
  const computed = chainOf(event.chainBefore, {
    id,
    event: { type, data },
    metadata,
  } as unknown as RecordedLedgerEvent);
  if (computed === chain) holds.push(`${numberOf(event)}, ${type}, has the chain hash ${chain}`);
  else findings.push(`${numberOf(event)}: its chain hash is ${chain}, but computes to ${computed}`);
  // The chain covers no members but those of every event.
  if (!isMetadata(metadata as unknown as LedgerMetadata))
    findings.push(`${numberOf(event)}: has metadata that no event may have`);
}

function checkHead(event: LedgerEventProof, note: string, key: string, { holds, findings }: ReceiptVerdict): void {
  try {
    const { size, chain, time } = openSignedHead(note, key);
    if (size !== event.recorded.revision + 1) findings.push(`${numberOf(event)}: the signed head is of ${size} events`);
    else if (chain !== event.recorded.metadata.chain)
      findings.push(`${numberOf(event)}: the signed head has the chain hash ${chain}`);
    else holds.push(`the head of ${size} events with this hash was signed ${time}`);
  } catch (error) {
    findings.push(`${numberOf(event)}, the signed head: ${(error as Error).message}`);
  }
}

function checkReceipt(receipt: ProvenReceipt, { recorded }: LedgerEventProof, verdict: ReceiptVerdict): void {
  const { data } = recorded;
  const inLedger = {
    purchaseId: data.purchaseId,
    roundId: data.roundId,
    quantity: data.quantity,
    revision: recorded.revision,
    eventId: recorded.id,
    chain: recorded.metadata.chain,
  };
  const names = Object.keys(inLedger) as (keyof typeof inLedger)[];
  const different = names.filter((name) => receipt[name] !== inLedger[name]);
  if (recorded.type !== 'TokenPurchased')
    verdict.findings.push(`the receipt is of a purchase, the event is ${recorded.type}`);
  else if (different.length === 0) verdict.holds.push(`the receipt of purchase ${receipt.purchaseId} is this event`);
  for (const name of different)
    verdict.findings.push(`the receipt’s ${name} is ${receipt[name]}, but ${inLedger[name]} in the ledger`);
}

function checkOutcome({ recorded }: LedgerEventProof, verdict: ReceiptVerdict): ReceiptVerdict {
  const { roundId, winner, jackpotCents } = recorded.data as {
    roundId: number;
    winner: { gamerId: string; purchaseId: string } | null;
    jackpotCents: number;
  };
  if (recorded.type !== 'RoundEnded') verdict.findings.push(`the round’s end is ${recorded.type}`);
  else if (winner === null) verdict.holds.push(`round ${roundId} ended without a winner`);
  else
    verdict.holds.push(
      `round ${roundId} was won by ${winner.gamerId} with purchase ${winner.purchaseId}, ${jackpotCents} cents`,
    );
  return verdict;
}

/** A signed head of the ledger, as docs/receipts.md describes it. */
interface SignedHead {
  /** Number of events. */
  size: number;
  /** Chain hash of the last event, hex. */
  chain: string;
  /** When it was signed, as it says. */
  time: string;
}

/** Reads a signed head, and checks its signature by `key` ("name+id+base64"). Throws with the reason when either is wrong. */
function openSignedHead(note: string, key: string): SignedHead {
  const end = note.lastIndexOf('\n\n') + 1;
  const [text, signatures] = [note.slice(0, end), note.slice(end + 1)];
  assertSigned(text, signatures, key);
  const [, size = '', chain = '', ...lines] = text.trimEnd().split('\n');
  const bytes = Buffer.from(chain, 'base64');
  if (!/^\d{1,15}$/.test(size) || bytes.length !== 32) throw new Error('the signed text is no head of the ledger');
  const time = lines.find((line) => line.startsWith('time '))?.slice('time '.length) ?? 'at an unknown time';
  return { size: Number(size), chain: bytes.toString('hex'), time };
}

function assertSigned(text: string, signatures: string, key: string): void {
  const [, name, keyId, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
  if (encoded === undefined) throw new Error(`"${key}" is no public key`);
  const own = signatures
    .split('\n')
    .map((line) => /^— (\S+) (\S+)$/.exec(line))
    .filter((parts) => parts?.[1] === name)
    .map((parts) => Buffer.from(parts?.[2] ?? '', 'base64'))
    .find((bytes) => bytes.subarray(0, 4).toString('hex') === keyId);
  if (!own) throw new Error(`it is not signed by the key ${key}`);
  // The first byte is the type of the key.
  const x = Buffer.from(encoded, 'base64').subarray(1).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  if (!verify(null, Buffer.from(text), publicKey, own.subarray(4))) throw new Error('its signature is wrong');
}

/** `receipt FILE [KEY]`: checks the file, prints what holds and what does not, and returns whether all of it holds. */
export function reportProofFile(text: string, key: string | undefined, print: (line: string) => void): boolean {
  const { holds, findings } = checkProofFile(text, key);
  for (const line of holds) print(`  holds: ${line}`);
  for (const line of findings) print(`  WRONG: ${line}`);
  print(`Checked with the key ${key ?? (JSON.parse(text) as LedgerProofFile).key}.`);
  if (key === undefined) print('It is the key in the file: compare it with the one that the operator has published.');
  print(findings.length === 0 ? 'Everything is as it must be.' : `Findings: ${findings.length}.`);
  return findings.length === 0;
}
