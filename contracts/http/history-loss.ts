import type { LedgerEvents } from '../events/ledger-events.js';
import type { ProfitWithdrawal } from './profits.js';

type HistoryLost = LedgerEvents['HistoryLost'];

/** GET /api/ledger/key: a part of the ledger's history that was lost, and whose loss an operator accepted (decision 66). */
export interface LostHistory extends HistoryLost {
  /** The event that says so, `HistoryLost`: 1, 2, 3 …; the events before it are left, and the log goes on with it. */
  number: number;
  atMs: number;
  /** The keys by which heads and receipts of that log can still be checked. */
  keys: string[];
}

/** GET /api/admin/losses/payouts: whether a loss holds payouts, and what they wait for. */
export interface HeldPayoutsResponse {
  /** The loss that holds them; null while none does. */
  loss: Pick<LostHistory, 'atMs' | 'lastKeptAtMs' | 'acceptedBy' | 'reason'> | null;
  /** Why nothing could be compared, as while the gateway is away; null when it was. */
  problem: string | null;
  /** Whether an admin may release them by hand, because the gateway cannot be asked. */
  mayRelease: boolean;
  differences: PayoutDifference[];
}

/** A payout that the gateway sent, or may have sent, and that no withdrawal in the log names as its transaction. */
export interface PayoutDifference {
  id: string;
  /** The gateway's own word. */
  status: string | null;
  /** Amount in coins, such as "0.0021 BTC". */
  amount: string;
  /** Empty when the gateway does not tell it. */
  walletAddress: string;
  /** The transaction; null until it is sent. */
  txid: string | null;
  createdAtMs: number | null;
  /** The oldest open withdrawal that it may have paid, by its address; without a GamerTag it is of `house:profit`. */
  withdrawal: (ProfitWithdrawal & { gamerTag: string | null }) | null;
}
