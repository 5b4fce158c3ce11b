import { UnreadableResponse } from '../../../../contracts/bounded-response.js';
import type { LostHistory } from '../../../../contracts/http/history-loss.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import { nameAfterLoss, parseSignedHead, type SignedHead } from '../../../../contracts/transparency/signed-head.js';
import * as notes from '../../../../contracts/transparency/signed-note.js';
import * as tree from '../../../../contracts/transparency/tree.js';
import type { Alarm, LedgerMemory, ReceiptEvidence, RememberedReceipt } from '../../shared/ledger/ledger-memory.js';

export interface LogSource {
  fetchHead(): Promise<string>;
  /** The log's keys, the one in force first, and the losses that it names. */
  fetchKeys(): Promise<Pick<LedgerKeys, 'keys' | 'losses'>>;
  readTile: tree.ReadTile;
  nowMs: number;
}

/** A head is signed within seconds. One that still lacks a confirmed purchase after this time has lost it. */
const COVERED_AFTER_MS = 10 * 60_000;

/** The new memory, with the alarm of the first contradiction. Throws when the server does not answer as it must. */
export async function checkLedger(memory: LedgerMemory, log: LogSource): Promise<LedgerMemory> {
  const received = parseSignedHead(await log.fetchHead());
  const raise = (kind: Alarm['kind'], remembered: string, more: Partial<Alarm> = {}): LedgerMemory => ({
    ...memory,
    alarm: { kind, remembered, received: received.note, newKey: null, atMs: log.nowMs, ...more },
  });

  const verdict = memory.key === null ? 'absent' : await verdictOf(received, memory.key);
  const isAlone = received.signatures.filter(({ name }) => name === received.origin).length === 1;
  // The trusted key's successor signs beside it, and the server lists the successor first.
  const asksForKeys = verdict === 'absent' || (verdict === 'valid' && !isAlone);
  const { keys, losses } = asksForKeys ? await log.fetchKeys() : { keys: [], losses: [] };
  const signer = asksForKeys ? await signerOf(received, keys) : memory.key;
  if (verdict === 'wrong' || (verdict === 'absent' && signer === null))
    return raise('signature', memory.key ?? received.origin);

  const known = memory.head === null ? null : parseSignedHead(memory.head);
  if (verdict === 'absent' && memory.key !== null) {
    const loss = losses.find(({ signedOrigin, number }) => signedOrigin === known?.origin && number <= received.size);
    const material = keyMaterialOf(memory.key);
    const renamed = await signerOf(
      received,
      keys.filter((key) => keyMaterialOf(key) === material),
    );
    // The list is not signed, but the new log's name is, and has digits of the lost root.
    const isNamed = losses.some(({ signedRoot }) => received.origin.endsWith(nameAfterLoss('', signedRoot)));
    if (known === null || loss === undefined || renamed === null || !isNamed)
      return raise('key', memory.key, { newKey: signer });
    if (!(await containsRemainder(known, received, loss, log.readTile))) return raise('contradiction', known.note);
    return raise('lost', known.note, { newKey: renamed, loss });
  }
  const isOlder = known !== null && known.size > received.size;
  if (known !== null && !(await isJoined(known, received, log.readTile)))
    return raise(isOlder ? 'shorter' : 'contradiction', known.note);
  const head = isOlder ? known : received;

  const receipts: RememberedReceipt[] = [];
  for (const remembered of memory.receipts) {
    const { receipt, isProved, isLost } = remembered;
    const isKnown = isProved || isLost;
    const isCovered = receipt.revision < head.size;
    if (!isKnown && !isCovered && log.nowMs - receipt.receivedAtEpochMs > COVERED_AFTER_MS)
      return raise('shorter', JSON.stringify(receipt, null, 2));
    if (!isKnown && isCovered && !(await isIncluded(receipt, head, log.readTile)))
      return raise('contradiction', JSON.stringify(receipt, null, 2));
    receipts.push({ ...remembered, isProved: isProved || (isCovered && !isLost) });
  }
  return { ...memory, key: signer ?? memory.key, head: head.note, receipts, alarm: null };
}

export type LogNote = notes.Note & Pick<SignedHead, 'origin'>;

/** The verdict on the key's signature: `absent` for a note of another log, even if the key signed it. */
export async function verdictOf(note: LogNote, verifierKey: string): Promise<notes.SignatureVerdict> {
  const key = await notes.parseVerifierKey(verifierKey);
  return key.name === note.origin ? notes.verifySignature(note, key) : 'absent';
}

/** The key itself, without its name and id: a log that goes on after a loss is signed by the same key under another name. */
export const keyMaterialOf = (verifierKey: string): string => verifierKey.replace(/^[^+]*\+[^+]*\+/, '');

/** The first of the keys that signed the head. A browser without Ed25519 takes any line of the key for its signature. */
async function signerOf(head: SignedHead, keys: readonly string[]): Promise<string | null> {
  for (const key of keys) if (['valid', 'unknown'].includes(await verdictOf(head, key))) return key;
  return null;
}

/** Whether the larger tree begins with the smaller one, as the server's tiles show. */
async function isJoined(known: SignedHead, received: SignedHead, readTile: tree.ReadTile): Promise<boolean> {
  const [small, large] = known.size <= received.size ? [known, received] : [received, known];
  try {
    return await tree.isConsistent(small, large, await tree.consistencyProof(small.size, large.size, readTile));
  } catch (error) {
    // An old response from a cache is harmless, but then the server still has the tiles of the larger tree.
    if (large === known && error instanceof UnreadableResponse && error.status === 404) return false;
    throw error;
  }
}

/** Whether the log after a loss still has the part of a remembered head that was not lost. */
async function containsRemainder(known: SignedHead, received: SignedHead, loss: LostHistory, readTile: tree.ReadTile) {
  if (known.size > loss.signedSize) return false;
  if (known.size === loss.signedSize && notes.hexOf(known.root) !== loss.signedRoot) return false;
  return known.size >= loss.number || isJoined(known, received, readTile);
}

/** The loss that took the event of a receipt; undefined when none did. Purchases of the new log came after the loss. */
export const lossOf = ({ revision, receivedAtEpochMs }: ReceiptEvidence, losses: readonly LostHistory[]) =>
  losses.find(({ number, atMs }) => revision + 1 >= number && receivedAtEpochMs <= atMs);

/** The memory for the new log, in which each receipt that was not lost must be proved again. */
export function afterLoss(memory: LedgerMemory, { newKey, received }: Alarm, loss: LostHistory): LedgerMemory {
  const receipts = memory.receipts.map(({ receipt, isLost = false }) => ({
    receipt,
    isProved: false,
    isLost: isLost || lossOf(receipt, [loss]) !== undefined,
  }));
  return { ...memory, key: newKey, head: received, receipts, alarm: null };
}

async function isIncluded({ revision, chain }: ReceiptEvidence, head: SignedHead, readTile: tree.ReadTile) {
  const leaf = await tree.leafHash(notes.bytesOfHex(chain));
  return tree.isIncluded(revision, leaf, head, await tree.inclusionProof(revision, head.size, readTile));
}

/** Adds findings to the current memory; nothing when another tab changed the key or the head they were checked with. */
export function mergeFindings(known: LedgerMemory, before: LedgerMemory, checked: LedgerMemory): LedgerMemory {
  if (known.key !== before.key || known.head !== before.head || known.alarm !== null) return known;
  const proved = new Set(checked.receipts.flatMap(({ receipt, isProved }) => (isProved ? receipt.purchaseId : [])));
  const receipts = known.receipts.map((one) => ({ ...one, isProved: proved.has(one.receipt.purchaseId) }));
  return { ...checked, receipts, refusals: known.refusals };
}
