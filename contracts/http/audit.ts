import type { LedgerEventType } from '../events/ledger-events.js';
import type { GamerId, RoundId } from '../ids.js';
import type { NewYorkDay } from '../new-york.js';

/** What the audit screens read (decision 35). Amounts are cents, times epoch milliseconds. */

/** Every event of the ledger, as it can be chosen from. */
export const LEDGER_EVENT_TYPES = [
  'TokenPurchased',
  'TimeExtended',
  'GameStarted',
  'LiveStarted',
  'LiveResumed',
  'RoundEnded',
  'GameReset',
  'TimersChanged',
  'GamerEnrolled',
  'GamerRemoved',
  'DepositRecorded',
  'DepositApproved',
  'DepositRejected',
  'InvoiceCredited',
  'DepositorStatusSet',
  'WinningsTransferred',
  'BalanceAdjusted',
  'WithdrawalRequested',
  'WithdrawalProcessing',
  'WithdrawalCompleted',
  'WithdrawalReturned',
  'ProfitWithdrawalRequested',
  'ProfitWithdrawalCompleted',
  'ProfitWithdrawalReturned',
] as const satisfies readonly LedgerEventType[];

/** The ledger's accounts as the books list them: those of the gamers summed up. */
export const BOOK_ACCOUNTS = [
  'jackpot',
  'gamers:purchase',
  'gamers:winnings',
  'house:profit',
  'house:unclaimed',
  'house:deposit-fees',
  'house:adjustments',
  'house:forfeited',
  'payouts:pending',
  'world:crypto',
] as const;
export type BookAccount = (typeof BOOK_ACCOUNTS)[number];

/** A gamer by name; one whose name was erased is called as decision 38 says. */
export interface AuditGamer {
  id: GamerId;
  gamerTag: string;
}

/** One event as the ledger lists it. */
export interface AuditLine {
  /** 1, 2, 3 …: one more than its revision in the stream `ledger`. */
  number: number;
  atEpochMs: number;
  type: LedgerEventType;
  gamer: AuditGamer | null;
  /** In words: "2 tokens, jackpot $548.21". */
  says: string;
  /** What it moves between accounts; 0 when nothing. */
  movesCents: number;
}

/** GET /api/audit/ledger?before=&count=&type=&roundId=&find= */
export interface AuditLedgerResponse {
  /** Newest first. */
  events: AuditLine[];
  /** Of the newest event of all. */
  lastNumber: number;
  /** What to ask with as `before` for older ones; null when there are none. */
  nextBefore: number | null;
}

/** How a round stood. */
export interface AuditRoundState {
  roundId: RoundId;
  /** `downtime`: it has ended, and `endsAtEpochMs` is when the next one begins. */
  phase: 'pregame' | 'live' | 'downtime';
  endsAtEpochMs: number;
}

/** GET /api/audit/moments/{number}: the books as they stood after that event. */
export interface AuditMoment {
  number: number;
  lastNumber: number;
  atEpochMs: number;
  round: AuditRoundState | null;
  /** In the order of BOOK_ACCOUNTS. */
  accounts: { account: BookAccount; cents: number }[];
  /** Of all accounts: 0, or money came from nowhere. */
  sumCents: number;
}

/** A round that is over: won, without a buyer, or reset. */
export interface AuditRound {
  roundId: RoundId;
  /** Of the event that ended it. */
  endedNumber: number;
  endedAtEpochMs: number;
}

/** GET /api/audit/rounds */
export interface AuditRoundsResponse {
  /** Oldest first; of more than 2,000 the newest. */
  rounds: AuditRound[];
  /** Of the first event. */
  firstAtEpochMs: number;
  lastNumber: number;
  lastAtEpochMs: number;
}

export interface AuditPosting {
  /** As the ledger names it: `gamer:{id}:winnings`. */
  account: string;
  /** The same with the gamer's tag for the id. */
  name: string;
  /** Why, in words: "level 1, and direct". */
  why: string;
  /** Signed: positive is into the account. */
  cents: number;
}

/** GET /api/audit/events/{number} */
export interface AuditEvent extends AuditLine {
  /** UUID of the event in the log. */
  id: string;
  roundId: RoundId | null;
  by: { gamer: AuditGamer | null; role: 'gamer' | 'admin' | 'auditor' | 'system' };
  commandId: string;
  /** What else it says, by name. */
  facts: { name: string; value: string }[];
  /** They sum to zero. */
  postings: AuditPosting[];
  chain: {
    /** Of the event before it; 64 zeros before the first. */
    before: string;
    /** As it is stored with the event. */
    stored: string;
    /** Worked out again from `before` and the event. */
    recomputed: string;
  };
  /** A purchase of a round that has ended: GET /api/audit/events/{number}/merkle-proof proves it. */
  hasProof: boolean;
  /** As it stands in the log: id, stream, revision, position, type, data, metadata. */
  recorded: Record<string, unknown>;
}

/** GET /api/audit/events/{number}/merkle-proof: that the purchase is in its round's Merkle root (RFC 6962 §2.1.1). */
export interface AuditMerkleProof {
  roundId: RoundId;
  /** Of the event that carries the root. */
  endedNumber: number;
  /** Purchases of the round. */
  treeSize: number;
  /** 0 is the round's first purchase. */
  leafIndex: number;
  /** The leaf's text, "purchaseId buyerId quantity at"; its hash is SHA-256 over a zero byte and this. */
  leaf: string;
  leafHash: string;
  /** From the leaf up; each is hashed with what is known so far, on the side it says, after a byte of one. */
  path: { side: 'left' | 'right'; hash: string }[];
  /** As RoundEnded carries it. */
  root: string;
  /** Worked out from leaf and path. */
  recomputedRoot: string;
}

/** The accounts a statement can be of; `purchase` and `winnings` are a gamer's. */
export const STATEMENT_ACCOUNTS = [
  'winnings',
  'purchase',
  'jackpot',
  'house:profit',
  'house:unclaimed',
  'house:deposit-fees',
  'house:adjustments',
  'house:forfeited',
  'payouts:pending',
  'world:crypto',
] as const;
export type StatementAccount = (typeof STATEMENT_ACCOUNTS)[number];

/** One change, or the purchases of a day taken together between two other changes. */
export interface StatementLine {
  /** Of the last of the events. */
  number: number;
  atEpochMs: number;
  /** How many events. */
  events: number;
  /** In words: "Matrix credits, rounds 34 to 37". */
  what: string;
  cents: number;
  /** After it. */
  balanceCents: number;
}

/** GET /api/audit/statements?account=&gamer=&from=&to= */
export interface StatementResponse {
  account: StatementAccount;
  /** Whose, for `purchase` and `winnings`. */
  gamer: AuditGamer | null;
  /** New York days, both included. */
  from: NewYorkDay;
  to: NewYorkDay;
  openingCents: number;
  lines: StatementLine[];
  closingCents: number;
  /** What the account holds by the table that is served to gamers, where the statement goes on to today; else null. */
  servedCents: number | null;
}

/** GET and POST /api/audit/verification: the auditor's own replay of the whole log, as of this node. */
export interface AuditVerification {
  state: 'never' | 'running' | 'done' | 'failed';
  startedAtEpochMs: number | null;
  finishedAtEpochMs: number | null;
  /** Of the last one that came to its end. */
  verdict: AuditVerdict | null;
}

export interface AuditVerdict {
  /** Replayed. */
  events: number;
  /** Of the last of them. */
  chain: string;
  roundsEnded: number;
  roundsWon: number;
  /** Ledger events that the tables had seen. */
  comparedEvents: number;
  findingCount: number;
  /** The first 100, in words. */
  findings: string[];
}
