import type { StatementAccount } from '../../../../../contracts/http/audit.js';
import { MAX_STATEMENT_DAYS, STATEMENT_DAYS } from '../../../../../contracts/limits.js';
import { refusalText } from '../../../../../contracts/messages.js';
import { countDays, dayInNewYork, daysUntil, isNewYorkDay } from '../../../../../contracts/new-york.js';
import type { StatementAsked } from '../audit.queries.js';
import { isOfGamer } from '../audit-words.js';

/** What is shown before anybody asks: the account that every round is about, as long as a statement is by itself. */
export function firstStatement(nowEpochMs: number): StatementAsked {
  const days = daysUntil(dayInNewYork(nowEpochMs), STATEMENT_DAYS);
  return { account: 'jackpot', from: days[0] as string, to: days.at(-1) as string };
}

interface Draft {
  account: StatementAccount;
  gamer: string;
  from: string;
  to: string;
}

/** What is wrong with what was asked for, and in which field; null when nothing is. */
export function statementProblem({
  account,
  gamer,
  from,
  to,
}: Draft): { field: 'gamer' | 'days'; text: string } | null {
  if (isOfGamer(account) && gamer.trim() === '')
    return { field: 'gamer', text: refusalText({ code: 'statement-needs-gamer' }) };
  const days = isNewYorkDay(from) && isNewYorkDay(to) ? countDays(from, to) : 0;
  if (days < 1 || days > MAX_STATEMENT_DAYS)
    return { field: 'days', text: refusalText({ code: 'invalid-statement-days' }) };
  return null;
}
