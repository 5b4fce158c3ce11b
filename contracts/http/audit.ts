import type { LedgerEventType } from '../events/ledger-events.js';
import type { Actor } from '../events/metadata.js';
import type { NamedGamer, RoundId } from '../ids.js';
import { OTHER_ACCOUNTS } from '../ledger-accounts.js';

/** The event types of the ledger, grouped as auditors choose them. */
export const LEDGER_EVENT_GROUPS = {
  Rounds: [
    'TokenPurchased',
    'TimeExtended',
    'GameStarted',
    'LiveStarted',
    'LiveResumed',
    'RoundEnded',
    'GameReset',
    'TimersChanged',
  ],
  'Planned starts': ['GameScheduled', 'ScheduleCancelled'],
  'Money in': ['DepositRecorded', 'DepositApproved', 'DepositRejected', 'InvoiceCredited'],
  'Money out': [
    'WithdrawalRequested',
    'WithdrawalProcessing',
    'WithdrawalCompleted',
    'WithdrawalReturned',
    'PayoutOrdered',
    'PayoutFailed',
    'PayoutSettled',
    'PayoutsReleased',
    'ProfitWithdrawalRequested',
    'ProfitWithdrawalCompleted',
    'ProfitWithdrawalReturned',
  ],
  Balances: ['WinningsTransferred', 'BalanceReleased', 'BalanceAdjusted'],
  Gamers: ['GamerEnrolled', 'GamerRemoved', 'DepositorStatusSet', 'StaffStatusSet', 'PowersSet'],
  Protection: ['GamerExcluded', 'ExclusionLifted', 'LimitsSet', 'LimitsConfirmed', 'ProtectionProfileSet'],
  'The log': ['HistoryLost'],
} satisfies Record<string, LedgerEventType[]>;

export const LEDGER_EVENT_TYPES = Object.values(LEDGER_EVENT_GROUPS).flat();

/** The accounts of the trial balance: the gamers' accounts are summed up. */
export const TRIAL_BALANCE_ACCOUNTS = ['jackpot', 'gamers:purchase', 'gamers:winnings', ...OTHER_ACCOUNTS] as const;
export type TrialBalanceAccount = (typeof TRIAL_BALANCE_ACCOUNTS)[number];

export interface AuditLine {
  /** 1, 2, 3 …: the revision in the stream `ledger`, plus one. */
  number: number;
  atMs: number;
  type: LedgerEventType;
  gamer: NamedGamer | null;
  /** Description: "2 tokens, jackpot $548.21". */
  summary: string;
  /** Sum of the event's postings into accounts; 0 when it has none. */
  movesCents: number;
}

/** GET /api/audit/ledger?before=&count=&type=&roundId=&find= */
export interface AuditLedgerResponse {
  /** Newest first. */
  events: AuditLine[];
  /** `before` of the next page; null when there are no older events. */
  nextBefore: number | null;
}

export interface AuditRoundState {
  roundId: RoundId;
  /** The round has ended in `downtime`, and `endsAtEpochMs` is the start of the next one. */
  phase: 'pregame' | 'live' | 'downtime';
  endsAtEpochMs: number;
}

/** GET /api/audit/trial-balances/{number}: the trial balance as of that event. */
export interface AuditTrialBalance {
  number: number;
  atMs: number;
  round: AuditRoundState | null;
  /** Balances in the order of TRIAL_BALANCE_ACCOUNTS. */
  accounts: { account: TrialBalanceAccount; cents: number }[];
  sumCents: number;
}

/** A finished round: won, without a buyer, or reset. */
export interface AuditRound {
  roundId: RoundId;
  endedNumber: number;
  endedAtMs: number;
}

/** GET /api/audit/rounds */
export interface AuditRoundsResponse {
  /** The newest 2,000, oldest first. */
  rounds: AuditRound[];
  firstAtMs: number;
  lastNumber: number;
}

export interface AuditPosting {
  /** The ledger's name of the account: `gamer:{id}:winnings`. */
  account: string;
  /** The account with the gamer's tag instead of the id. */
  name: string;
  /** "level 1, and direct". */
  reason: string;
  /** Signed: positive is into the account. */
  cents: number;
}

/** GET /api/audit/events/{number} */
export interface AuditEvent extends AuditLine {
  id: string;
  roundId: RoundId | null;
  by: { gamer: NamedGamer | null; role: Actor['role'] };
  commandId: string;
  /** The details that the summary leaves out, by name. */
  fields: { name: string; value: string }[];
  postings: AuditPosting[];
  chain: {
    /** Chain of the previous event; 64 zeros before the first. */
    before: string;
    stored: string;
    recomputed: string;
  };
  /** The event in the log: id, stream, revision, position, type, data, metadata. */
  recorded: Record<string, unknown>;
}

/** GET and POST /api/audit/verification: this node's replay of the whole log by the auditor. */
export interface AuditVerification {
  state: 'never' | 'running' | 'done' | 'failed';
  startedAtMs: number | null;
  finishedAtMs: number | null;
  verdict: AuditVerdict | null;
}

/** The output of the auditor's command (audit/replay/verify.ts), as far as the screens use it. */
export interface AuditVerdict {
  events: number;
  chain: string;
  /** Signed heads with which the ledger was compared. */
  heads: number;
  roundsEnded: number;
  roundsWon: number;
  /** Ledger events that the tables contained; null without tables. */
  comparedEvents: number | null;
  findingCount: number;
  findings: readonly { revision: number | null; message: string }[];
}
