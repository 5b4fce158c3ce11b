import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import type { ProvenReceipt } from '../../../../contracts/http/receipts.js';

export interface Alarm {
  kind: 'contradiction' | 'shorter' | 'signature' | 'key';
  size: number;
  remembered: string;
  received: string;
  atEpochMs: number;
}

export interface LedgerMemory {
  /** The key that it trusts: the first one it saw, or one that a trusted key vouched for. */
  key: string | null;
  checkpoints: readonly string[];
  /** Newest first; `note` is the signed text of the purchase's size, once it was fetched. */
  receipts: readonly { receipt: ProvenReceipt; note: string | null }[];
  alarm: Alarm | null;
}

export const EMPTY_MEMORY: LedgerMemory = { key: null, checkpoints: [], receipts: [], alarm: null };

const CHECKPOINTS_KEPT = 60;
const RECEIPTS_KEPT = 100;

export function withReceipt(known: LedgerMemory, receipt: PurchaseReceipt): LedgerMemory {
  const { purchaseId, roundId, quantity, receivedAtEpochMs, revision, eventId, chain } = receipt;
  const kept = { purchaseId, roundId, quantity, receivedAtEpochMs, revision, eventId, chain };
  if (known.receipts.some((one) => one.receipt.purchaseId === purchaseId)) return known;
  return { ...known, receipts: [{ receipt: kept, note: null }, ...known.receipts].slice(0, RECEIPTS_KEPT) };
}

/** Above the limit every second text of the older half is forgotten: the first stays, and recent ones stay close together. */
export function withCheckpoint(known: LedgerMemory, note: string): LedgerMemory {
  const all = [...known.checkpoints, note];
  const recentFrom = all.length / 2;
  const kept = all.length <= CHECKPOINTS_KEPT ? all : all.filter((_, i) => i % 2 === 0 || i >= recentFrom);
  return { ...known, checkpoints: kept };
}

export const withReceiptNote = (known: LedgerMemory, purchaseId: string, note: string): LedgerMemory => ({
  ...known,
  receipts: known.receipts.map((one) => (one.receipt.purchaseId === purchaseId ? { ...one, note } : one)),
});
