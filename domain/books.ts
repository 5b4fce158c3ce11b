import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { type AuditRoundState, BOOK_ACCOUNTS, type BookAccount } from '../contracts/http/audit.js';
import type { LedgerAccount, Posting } from '../contracts/ledger-accounts.js';
import type { Cents } from '../contracts/money.js';

/** All accounts, those of the gamers summed up, and the round, as they stand after an event. */
export interface Books {
  accounts: Record<BookAccount, Cents>;
  round: AuditRoundState | null;
}

export const emptyBooks = (): Books => ({
  accounts: Object.fromEntries(BOOK_ACCOUNTS.map((account) => [account, 0])) as Record<BookAccount, Cents>,
  round: null,
});

const GAMER = /^gamer:.*:(purchase|winnings)$/;

function bookAccountOf(account: LedgerAccount): BookAccount {
  const kind = GAMER.exec(account)?.[1];
  return kind === undefined ? (account as BookAccount) : (`gamers:${kind}` as BookAccount);
}

/** Changes the books by an event. @param lines its postings */
export function enter(books: Books, event: LedgerEvent, lines: readonly Posting[]): void {
  for (const { account, cents } of lines) books.accounts[bookAccountOf(account)] += cents;
  books.round = roundAfter(books.round, event);
}

function roundAfter(round: AuditRoundState | null, event: LedgerEvent): AuditRoundState | null {
  switch (event.type) {
    case 'GameStarted':
      return { roundId: event.data.roundId, phase: 'pregame', endsAtEpochMs: event.data.pregameEndsAtEpochMs };
    case 'LiveStarted':
    case 'LiveResumed':
    case 'TimeExtended':
      return { roundId: event.data.roundId, phase: 'live', endsAtEpochMs: event.data.endsAtEpochMs };
    case 'RoundEnded':
      return { roundId: event.data.roundId, phase: 'downtime', endsAtEpochMs: event.data.nextRoundAtEpochMs };
    case 'GameReset':
      return null;
    default:
      return round;
  }
}
