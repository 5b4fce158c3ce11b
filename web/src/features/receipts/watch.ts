import { type Alarm, type LedgerMemory, withCheckpoint, withReceiptNote } from '../../shared/ledger/ledger-memory.js';
import { type Checkpoint, checkSignature, parseCheckpoint } from '../../shared/ledger/signed-note.js';

interface WatchSources {
  /** The signed head, as of `size` if given; null when the server says that the ledger was never that long. */
  fetchCheckpoint(size?: number): Promise<string | null>;
  earlier: number;
  /** Counts the checks, so that each asks for other sizes. */
  turn: number;
  nowMs: number;
}

interface RememberedHead {
  size: number;
  chain: string;
  /** The signed text, or the receipt as JSON. */
  text: string;
  /** Set for a receipt whose signed text is still to be fetched. */
  purchaseId: string | null;
}

/**
 * The new memory, with the alarm of the first contradiction. Throws when the server does not answer, or answers with
 * something else: that contradicts nothing.
 */
export async function checkLedger(memory: LedgerMemory, sources: WatchSources): Promise<LedgerMemory> {
  const head = await sources.fetchCheckpoint();
  if (head === null) throw new Error('The server has no checkpoint.');
  let next = await accepted(memory, parseCheckpoint(head), sources.nowMs);
  for (const known of dueOf(next, sources)) {
    if (next.alarm !== null) return next;
    const note = await sources.fetchCheckpoint(known.size);
    if (note === null) return { ...next, alarm: alarmOf('shorter', known, head, sources.nowMs) };
    next = await accepted(next, parseCheckpoint(note), sources.nowMs);
    if (next.alarm === null && known.purchaseId !== null) next = withReceiptNote(next, known.purchaseId, note);
  }
  if (next.alarm !== null || next.checkpoints.some((one) => parseCheckpoint(one).size === parseCheckpoint(head).size))
    return next;
  return withCheckpoint(next, head);
}

/** Adds a check's findings to the page's present memory. Adds nothing when the visitor emptied the memory meanwhile. */
export function mergeChecked(known: LedgerMemory, before: LedgerMemory, checked: LedgerMemory): LedgerMemory {
  if (known.key !== before.key) return known;
  const noteOf = (purchaseId: string): string | null =>
    checked.receipts.find(({ receipt }) => receipt.purchaseId === purchaseId)?.note ?? null;
  const receipts = known.receipts.map(({ receipt, note }) => ({ receipt, note: note ?? noteOf(receipt.purchaseId) }));
  return { ...checked, receipts, alarm: known.alarm ?? checked.alarm };
}

async function accepted(memory: LedgerMemory, checkpoint: Checkpoint, nowMs: number): Promise<LedgerMemory> {
  const { note, size, chain, key } = checkpoint;
  const trusted = memory.key ?? key;
  const signature = await checkSignature(note, trusted);
  const alarm = (kind: Alarm['kind'], remembered: string): LedgerMemory => ({
    ...memory,
    alarm: { kind, size, remembered, received: note, atEpochMs: nowMs },
  });
  if (signature === 'wrong') return alarm('signature', trusted);
  if (signature === 'absent') return alarm(memory.key === null ? 'signature' : 'key', trusted);
  const other = knownOf(memory).find((one) => one.size === size && one.chain !== chain);
  if (other) return alarm('contradiction', other.text);
  // The trusted key signed the text that names its successor.
  const isReplaced = key !== trusted && ['valid', 'unknown'].includes(await checkSignature(note, key));
  return { ...memory, key: isReplaced ? key : trusted };
}

function knownOf({ checkpoints, receipts }: LedgerMemory): RememberedHead[] {
  const ofReceipts = receipts.map(({ receipt, note }) => ({
    size: receipt.revision + 1,
    chain: receipt.chain,
    text: note ?? JSON.stringify(receipt, null, 2),
    purchaseId: note === null ? receipt.purchaseId : null,
  }));
  const ofCheckpoints = checkpoints.map((note) => ({ ...parseCheckpoint(note), text: note, purchaseId: null }));
  return [...ofReceipts, ...ofCheckpoints];
}

/** A few of the known sizes: first the receipts that lack their signed text, then all in turn. */
function dueOf(memory: LedgerMemory, { earlier, turn }: WatchSources): RememberedHead[] {
  const known = knownOf(memory);
  const first = known.filter(({ purchaseId }) => purchaseId !== null).slice(0, earlier);
  const rest = known.filter(({ purchaseId }) => purchaseId === null);
  const count = Math.min(earlier - first.length, rest.length);
  const inTurn = Array.from({ length: count }, (_, i) => rest[(turn * earlier + i) % rest.length] as RememberedHead);
  return [...first, ...inTurn];
}

const alarmOf = (kind: Alarm['kind'], { size, text }: RememberedHead, received: string, atEpochMs: number): Alarm => ({
  kind,
  size,
  remembered: text,
  received,
  atEpochMs,
});
