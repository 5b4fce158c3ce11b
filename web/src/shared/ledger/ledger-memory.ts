import type { LostHistory } from '../../../../contracts/http/history-loss.js';
import type { PurchaseReceipt } from '../../../../contracts/http/purchases.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { createStore, storedText, storeText } from '../store.js';

export interface Alarm {
  kind: 'contradiction' | 'shorter' | 'signature' | 'key' | 'lost';
  remembered: string;
  received: string;
  /** The key that signed the received head, if the server lists it; null unless the kind is `key` or `lost`. */
  newKey: string | null;
  /** The loss by which the server explains the new key, if the kind is `lost`. */
  loss?: LostHistory | undefined;
  atMs: number;
}

/** The part of a receipt by which its purchase is checked; without the balance, so that it can be shown to others. */
export type ReceiptEvidence = Pick<PurchaseReceipt & { gamerId: GamerId }, (typeof EVIDENCE_FIELDS)[number]>;
const EVIDENCE_FIELDS = [
  'purchaseId',
  'roundId',
  'quantity',
  'receivedAtEpochMs',
  'revision',
  'eventId',
  'chain',
  'gamerId',
] as const;

export interface RememberedReceipt {
  receipt: ReceiptEvidence;
  isProved: boolean;
  /** The visitor knows that the ledger lost its event. */
  isLost?: boolean;
}

export interface LedgerMemory {
  /** The key that this browser trusts: the first one it saw, or one that a trusted key vouched for. */
  key: string | null;
  /** The newest signed head that this browser saw: its note. */
  head: string | null;
  /** Newest first. A proved one is in the tree of `head`. */
  receipts: readonly RememberedReceipt[];
  /** Signed refusals of purchases that came too late, newest first. */
  refusals: readonly string[];
  alarm: Alarm | null;
}

export const EMPTY_MEMORY: LedgerMemory = { key: null, head: null, receipts: [], refusals: [], alarm: null };

const MAX_RECEIPTS = 100;

export function withReceipt(known: LedgerMemory, receipt: ReceiptEvidence): LedgerMemory {
  const evidence = Object.fromEntries(EVIDENCE_FIELDS.map((name) => [name, receipt[name]])) as ReceiptEvidence;
  if (known.receipts.some((one) => one.receipt.purchaseId === receipt.purchaseId)) return known;
  return { ...known, receipts: [{ receipt: evidence, isProved: false }, ...known.receipts].slice(0, MAX_RECEIPTS) };
}

export const withRefusal = (known: LedgerMemory, refusal: string): LedgerMemory => ({
  ...known,
  refusals: [refusal, ...known.refusals].slice(0, MAX_RECEIPTS),
});

const STORED_AS = 'omni-jackpot.ledger';

function storedMemory(): LedgerMemory | null {
  try {
    const known = JSON.parse(storedText(STORED_AS) ?? 'null') as LedgerMemory | null;
    return known !== null && 'head' in known ? { ...EMPTY_MEMORY, ...known } : null;
  } catch {
    return null;
  }
}

const memory = createStore<LedgerMemory>(storedMemory() ?? EMPTY_MEMORY);

export const ledgerMemory = {
  ...memory,
  /** Changes the stored memory, which other tabs may have changed too. */
  update(change: (memory: LedgerMemory) => LedgerMemory): void {
    const next = change(storedMemory() ?? memory.get());
    storeText(STORED_AS, JSON.stringify(next));
    memory.set(next);
  },
};
