import type { StatementResponse } from '../../../../../contracts/http/audit.js';
import type { Column } from '../../../shared/lists/columns.js';
import { csvFileName, csvOf } from '../../../shared/lists/csv.js';
import { statementName } from '../audit-words.js';

interface StatementRow {
  at: number | null;
  number: number | null;
  what: string;
  cents: number | null;
  balanceCents: number;
}

const columns: Column<StatementRow>[] = [
  { label: 'When', kind: 'moment', value: (row) => row.at },
  { label: 'Event', kind: 'text', value: (row) => (row.number === null ? null : String(row.number)) },
  { label: 'What', kind: 'text', value: (row) => row.what },
  { label: 'Amount', kind: 'cents', value: (row) => row.cents },
  { label: 'Balance', kind: 'cents', value: (row) => row.balanceCents },
];

/** A statement as a file: what it opened with, its lines, what it closed with. */
export function statementCsv({ openingCents, lines, closingCents }: StatementResponse): string {
  const end = (what: string, balanceCents: number) => ({ at: null, number: null, what, cents: null, balanceCents });
  return csvOf(columns, [
    end('Opening balance', openingCents),
    ...lines.map(({ atEpochMs, ...line }) => ({ ...line, at: atEpochMs })),
    end('Closing balance', closingCents),
  ]);
}

export const statementFileName = ({ account, gamer }: StatementResponse, nowEpochMs: number): string =>
  csvFileName(`Statement ${statementName(account, gamer?.gamerTag ?? null)}`, nowEpochMs);
