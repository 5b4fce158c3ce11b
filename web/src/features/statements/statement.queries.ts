import { useInfiniteQuery } from '@tanstack/react-query';
import type { Movement, MovementsResponse } from '../../../../contracts/http/statements.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { MAX_STATEMENT_LINES } from '../../../../contracts/limits.js';
import { dayInNewYork, daysUntil } from '../../../../contracts/new-york.js';
import { get } from '../../shared/api/api-client.js';
import { useRefreshOn } from '../../shared/api/use-api.js';
import { serverNow } from '../../shared/clock.js';
import { type Column, csvOf } from '../../shared/files.js';

const PAGE_SIZE = 50;

interface PageRequest {
  page: number;
  pageSize: number;
  /** From the first page, so that pages fit together while new movements come in. */
  asOf?: number;
}

const readPage = (gamerId: GamerId, period: StatementPeriod, request: PageRequest, signal?: AbortSignal) =>
  get<MovementsResponse>(
    ['/api', 'gamer', gamerId, 'movements', { ...parametersOf(period, serverNow()), ...request }],
    signal,
  );

/** The statement by pages. It changes with the gamer's own play and payments; other matrix credits wait for the next visit. */
export function useStatement(gamerId: GamerId, period: StatementPeriod) {
  // Not below the profile's key, which every matrix credit refreshes.
  const queryKey = ['statement', gamerId, period] as const;
  useRefreshOn('balanceUpdated', queryKey);
  return useInfiniteQuery({
    queryKey,
    initialPageParam: { page: 1, pageSize: PAGE_SIZE } as PageRequest,
    queryFn: ({ pageParam, signal }) => readPage(gamerId, period, pageParam, signal),
    getNextPageParam: ({ total, asOf }, pages): PageRequest | null =>
      pages.length * PAGE_SIZE < total ? { page: pages.length + 1, pageSize: PAGE_SIZE, asOf } : null,
    staleTime: 0,
  });
}

/** Every movement of the period, newest first. */
export async function fetchMovements(gamerId: GamerId, period: StatementPeriod): Promise<Movement[]> {
  const movements: Movement[] = [];
  for (let request: PageRequest | null = { page: 1, pageSize: MAX_STATEMENT_LINES }; request !== null; ) {
    const { movements: read, total, asOf } = await readPage(gamerId, period, request);
    movements.push(...read);
    request = movements.length < total && read.length > 0 ? { ...request, page: request.page + 1, asOf } : null;
  }
  return movements;
}

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
