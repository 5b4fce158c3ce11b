/** GET /api/ledger/key: a part of the ledger's history that was lost, and whose loss an operator accepted (decision 66). */
export interface LostHistory {
  /** The event that says so, `HistoryLost`: 1, 2, 3 …; the events before it are left, and the log goes on with it. */
  number: number;
  atEpochMs: number;
  /** What was appended after this ledger time is lost. */
  lastKeptAtEpochMs: number;
  /** The last head that was signed before: name and size of the log, root in lower-case hex. */
  signedOrigin: string;
  signedSize: number;
  signedRoot: string;
  /** The keys by which heads and receipts of that log can still be checked. */
  keys: string[];
  acceptedBy: string;
  reason: string;
}
