import type { LedgerEvent } from '../../contracts/events/ledger-events.js';
import { type AuditRoundState, TRIAL_BALANCE_ACCOUNTS, type TrialBalanceAccount } from '../../contracts/http/audit.js';
import type { LedgerAccount, Posting } from '../../contracts/ledger-accounts.js';
import type { Cents } from '../../contracts/money.js';

/** Balances of all accounts, the gamers' summed up, and the round's state, as of an event. */
export interface TrialBalance {
  accounts: Record<TrialBalanceAccount, Cents>;
  round: AuditRoundState | null;
}

export const emptyTrialBalance = (): TrialBalance => ({
  accounts: Object.fromEntries(TRIAL_BALANCE_ACCOUNTS.map((account) => [account, 0])) as Record<
    TrialBalanceAccount,
    Cents
  >,
  round: null,
});

function trialBalanceAccountOf(account: LedgerAccount): TrialBalanceAccount {
  if (!account.startsWith('gamer:')) return account as TrialBalanceAccount;
  return account.endsWith(':purchase') ? 'gamers:purchase' : 'gamers:winnings';
}

/** Adds an event to the trial balance. @param lines the event's postings */
export function addToTrialBalance(trialBalance: TrialBalance, event: LedgerEvent, lines: readonly Posting[]): void {
  for (const { account, cents } of lines) trialBalance.accounts[trialBalanceAccountOf(account)] += cents;
  trialBalance.round = roundAfter(trialBalance.round, event);
}

function roundAfter(round: AuditRoundState | null, event: LedgerEvent): AuditRoundState | null {
  switch (event.type) {
    case 'GameStarted':
      return { roundId: event.data.roundId, phase: 'pregame', endsAtEpochMs: event.data.pregameEndsAtMs };
    case 'LiveStarted':
    case 'LiveResumed':
    case 'TimeExtended':
      return { roundId: event.data.roundId, phase: 'live', endsAtEpochMs: event.data.endsAtEpochMs };
    case 'RoundEnded':
      return { roundId: event.data.roundId, phase: 'downtime', endsAtEpochMs: event.data.nextRoundAtMs };
    case 'GameReset':
      return null;
    default:
      return round;
  }
}
