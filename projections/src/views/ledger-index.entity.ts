import type { TrialBalance } from '../../../domain/trial-balance.js';
import { BigintColumn, IntegerColumn, JsonColumn, ReadTable, TextColumn } from '../columns.js';

/** The search key of an id, an address or a hash: its first 24 characters in lower case. */
export const ledgerKeyOf = (text: string): string => text.toLowerCase().slice(0, 24);

/** A ledger event's type. TokenPurchased and TimeExtended, which are nearly all events, have no rows. */
@ReadTable('ledger_events_by_type')
export class EventByTypeRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @TextColumn('type') type!: string;
}

/** The range of ledger events of a round. */
@ReadTable('ledger_rounds')
export class LedgerRoundRow {
  @IntegerColumn('round_id', { primary: true }) roundId!: number;
  /** Revision of GameStarted. */
  @BigintColumn('first_revision') firstRevision!: number;
  /** Revision of RoundEnded or GameReset; null while the round is open. */
  @BigintColumn('last_revision', { nullable: true }) lastRevision!: number | null;
  @BigintColumn('ended_at_ms', { nullable: true }) endedAtMs!: number | null;
}

/** The trial balance after the first, every thousandth and the newest ledger event. */
@ReadTable('ledger_trial_balances')
export class TrialBalanceRow {
  @BigintColumn('revision', { primary: true }) revision!: number;
  @BigintColumn('at_ms') atMs!: number;
  @JsonColumn('trial_balance') trialBalance!: TrialBalance;
}
