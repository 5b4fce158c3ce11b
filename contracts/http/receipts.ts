import type { PurchaseReceipt } from './purchases.js';

/** Responses by which anyone checks the ledger, without a login (docs/receipts.md). */

/** GET /api/ledger/key: the public keys that sign the ledger's heads, and its witnesses. */
export interface LedgerKeys {
  /** The key's name, which is the first line of every signed head. */
  name: string;
  /**
   * "name+id+base64", as C2SP's signed-note writes Ed25519 keys. The first one is in force; a second one is being replaced
   * and still signs.
   */
  keys: string[];
  /** The policy by which heads are witnessed (c2sp.org/tlog-policy), with the witnesses' addresses; null without one. */
  policy: string | null;
}

/** The event in the log, with the metadata that its chain covers. */
export interface LedgerEventRecord {
  /** UUID. */
  id: string;
  stream: string;
  revision: number;
  position: string;
  type: string;
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** GET /api/ledger/events/{revision}?id= and GET /api/ledger/rounds/{roundId} */
export interface LedgerEventProof {
  /** Chain of the previous event; 64 zeros before the first. */
  chainBefore: string;
  recorded: LedgerEventRecord;
}

/** The file that the page /verify saves and `npm run audit -- receipt` checks (docs/receipts.md). */
export interface LedgerProofFile {
  format: 'omni-jackpot proof 1';
  /** "name+id+base64": the key that the saving browser trusted. */
  key: string;
  /** The receipt of a purchase; null when `event` is the end of a round. */
  receipt: ProvenReceipt | null;
  event: LedgerEventProof;
  /** The signed head as of the event. */
  checkpoint: string;
  /** The end of the purchase's round, with the signed head as of it; null until then, and when `event` is the end. */
  roundEnd: { event: LedgerEventProof; checkpoint: string } | null;
}

/** The part of a receipt by which its purchase is checked; without the balance, so that it can be shown to others. */
export type ProvenReceipt = Pick<
  PurchaseReceipt,
  'purchaseId' | 'roundId' | 'quantity' | 'receivedAtEpochMs' | 'revision' | 'eventId' | 'chain'
>;
