import type { Movement } from '../../../../contracts/http/audit.js';
import { dayInNewYork, daysUntil } from '../../../../contracts/new-york.js';
import type { Column } from '../../shared/columns.js';
import { csvOf } from '../../shared/files.js';

/** The days that a statement may cover; null: all there are. */
export const PERIODS = {
  year: { text: 'The last twelve months', days: 366 },
  month: { text: 'The last 30 days', days: 30 },
  all: { text: 'Everything', days: null },
} as const;
export type StatementPeriod = keyof typeof PERIODS;

/** The query parameters of a period. */
export function parametersOf(period: StatementPeriod, nowEpochMs: number): { from?: string } {
  const { days } = PERIODS[period];
  return days === null ? {} : { from: daysUntil(dayInNewYork(nowEpochMs), days)[0] as string };
}

export const ACCOUNTS: Record<Movement['account'], string> = {
  winnings: 'Winnings',
  purchase: 'Purchase balance',
  invoice: 'Paid by invoice',
};

const columns: Column<Movement>[] = [
  { label: 'When', kind: 'dateTime', value: ({ atEpochMs }) => atEpochMs },
  { label: 'Event', kind: 'text', value: ({ number }) => String(number) },
  { label: 'What', kind: 'text', value: ({ what }) => what },
  { label: 'Account', kind: 'text', value: ({ account }) => ACCOUNTS[account] },
  { label: 'Amount', kind: 'cents', value: ({ cents }) => cents },
  { label: 'Balance of the account', kind: 'cents', value: ({ balanceCents }) => balanceCents },
];

/** The movements as CSV, oldest first. */
export const movementsCsv = (newestFirst: readonly Movement[]): string => csvOf(columns, [...newestFirst].reverse());
