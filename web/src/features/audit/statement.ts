import type { StatementResponse } from '../../../../contracts/http/statements.js';
import { MAX_STATEMENT_DAYS, STATEMENT_DAYS } from '../../../../contracts/limits.js';
import { countDays, dayInNewYork, daysUntil, isNewYorkDay } from '../../../../contracts/new-york.js';
import { refusalText } from '../../../../contracts/refusals.js';
import { type Column, csvFileName, csvOf } from '../../shared/files.js';
import type { StatementRequest } from './audit.queries.js';
import { isOfGamer, statementName } from './audit-parts.js';

export function firstStatement(nowEpochMs: number): StatementRequest {
  const days = daysUntil(dayInNewYork(nowEpochMs), STATEMENT_DAYS);
  return { account: 'jackpot', from: days[0] as string, to: days.at(-1) as string };
}

export function statementProblem({
  account,
  gamer = '',
  from,
  to,
}: StatementRequest): { field: 'gamer' | 'from'; text: string } | null {
  if (isOfGamer(account) && gamer.trim() === '')
    return { field: 'gamer', text: refusalText({ code: 'statement-needs-gamer' }) };
  const days = isNewYorkDay(from) && isNewYorkDay(to) ? countDays(from, to) : 0;
  if (days < 1 || days > MAX_STATEMENT_DAYS)
    return { field: 'from', text: refusalText({ code: 'invalid-statement-days' }) };
  return null;
}

interface CsvRow {
  at: number | null;
  number: number | null;
  what: string;
  cents: number | null;
  balanceCents: number;
}

const columns: Column<CsvRow>[] = [
  { label: 'When', kind: 'dateTime', value: (row) => row.at },
  { label: 'Event', kind: 'text', value: (row) => (row.number === null ? null : String(row.number)) },
  { label: 'What', kind: 'text', value: (row) => row.what },
  { label: 'Amount', kind: 'cents', value: (row) => row.cents },
  { label: 'Balance', kind: 'cents', value: (row) => row.balanceCents },
];

export function statementCsv({ openingCents, lines, closingCents }: StatementResponse): string {
  const balance = (what: string, balanceCents: number) => ({ at: null, number: null, what, cents: null, balanceCents });
  return csvOf(columns, [
    balance('Opening balance', openingCents),
    ...lines.map(({ atEpochMs, ...line }) => ({ ...line, at: atEpochMs })),
    balance('Closing balance', closingCents),
  ]);
}

export const statementFileName = ({ account, gamer }: StatementResponse, nowEpochMs: number): string =>
  csvFileName(`Statement ${statementName(account, gamer?.gamerTag ?? null)}`, nowEpochMs);
