import { UnreadableResponse } from '../../../../contracts/bounded-response.js';
import type { LostHistory } from '../../../../contracts/http/losses.js';
import type { LedgerKeys } from '../../../../contracts/http/receipts.js';
import { nameAfterLoss, parseSignedHead, type SignedHead } from '../../../../contracts/transparency/signed-head.js';
import * as notes from '../../../../contracts/transparency/signed-note.js';
import * as tree from '../../../../contracts/transparency/tree.js';
import type { Alarm, KeptReceipt, LedgerMemory, RememberedReceipt } from '../../shared/ledger/ledger-memory.js';

export interface Log {
  fetchHead(): Promise<string>;
  /** The log's keys, the one in force first, and the losses that it names. */
  fetchKeys(): Promise<Pick<LedgerKeys, 'keys' | 'losses'>>;
  readTile: tree.ReadTile;
  nowMs: number;
}

/** A head is signed within seconds. One that still lacks a confirmed purchase after this time has lost it. */
const COVERED_AFTER_MS = 10 * 60_000;

/** The new memory, with the alarm of the first contradiction. Throws when the server does not answer as it must. */
export async function checkLedger(memory: LedgerMemory, log: Log): Promise<LedgerMemory> {
  const received = parseSignedHead(await log.fetchHead());
  const raise = (kind: Alarm['kind'], remembered: string, more: Partial<Alarm> = {}): LedgerMemory => ({
    ...memory,
    alarm: { kind, remembered, received: received.note, newKey: null, atMs: log.nowMs, ...more },
  });

  const verdict = memory.key === null ? 'absent' : await verdictOf(received, memory.key);
  const isAlone = received.signatures.filter(({ name }) => name === received.origin).length === 1;
  // A key that the trusted one signs beside, and that the server lists first, is its successor.
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
    if (!(await hasWhatIsLeft(known, received, loss, log.readTile))) return raise('contradiction', known.note);
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

/** A note of another log is not signed by the key, even if it bears its signature. */
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

/** Whether the log that goes on has all of a remembered head that the loss did not take. */
async function hasWhatIsLeft(known: SignedHead, received: SignedHead, loss: LostHistory, readTile: tree.ReadTile) {
  if (known.size > loss.signedSize) return false;
  if (known.size === loss.signedSize && notes.hexOf(known.root) !== loss.signedRoot) return false;
  return known.size >= loss.number || isJoined(known, received, readTile);
}

/** The loss that took the event of a receipt; undefined when none did. A purchase of the log that goes on came later. */
export const lossOf = ({ revision, receivedAtEpochMs }: KeptReceipt, losses: readonly LostHistory[]) =>
  losses.find(({ number, atMs }) => revision + 1 >= number && receivedAtEpochMs <= atMs);

/** The memory that goes on with the new log, in which each receipt must be found that the loss did not take. */
export function afterLoss(memory: LedgerMemory, { newKey, received }: Alarm, loss: LostHistory): LedgerMemory {
  const receipts = memory.receipts.map(({ receipt, isLost = false }) => ({
    receipt,
    isProved: false,
    isLost: isLost || lossOf(receipt, [loss]) !== undefined,
  }));
  return { ...memory, key: newKey, head: received, receipts, alarm: null };
}

async function isIncluded({ revision, chain }: KeptReceipt, head: SignedHead, readTile: tree.ReadTile) {
  const leaf = await tree.leafHash(notes.bytesOfHex(chain));
  return tree.isIncluded(revision, leaf, head, await tree.inclusionProof(revision, head.size, readTile));
}

/** Adds findings to the current memory; nothing when another tab changed the key or the head they were checked with. */
export function mergeChecked(known: LedgerMemory, before: LedgerMemory, checked: LedgerMemory): LedgerMemory {
  if (known.key !== before.key || known.head !== before.head || known.alarm !== null) return known;
  const proved = new Set(checked.receipts.flatMap(({ receipt, isProved }) => (isProved ? receipt.purchaseId : [])));
  const receipts = known.receipts.map((one) => ({ ...one, isProved: proved.has(one.receipt.purchaseId) }));
  return { ...checked, receipts, refusals: known.refusals };
}
