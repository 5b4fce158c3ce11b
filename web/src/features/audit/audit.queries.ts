import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type * as http from '../../../../contracts/http/audit.js';
import type { StatementResponse } from '../../../../contracts/http/statements.js';
import type { OpenedEvent } from '../../../../contracts/transparency/proof-file.js';
import { ApiError, get, useApi } from '../../shared/api/api-client.js';
import { chainAfter } from '../../shared/ledger/recompute.js';

const POLLED_EVERY_MS = 10_000;
const RUNNING_VERIFICATION_POLLED_EVERY_MS = 2_000;

/** True when the gamer is not an auditor, or not any more: retrying cannot help. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

/** The ended rounds, and the number of the last event. Never served from the cache, because the ledger grows. */
export const useRounds = (isFollowing: boolean) =>
  useApi<http.AuditRoundsResponse>(['/api', 'audit', 'rounds'], {
    refetchInterval: isFollowing ? POLLED_EVERY_MS : false,
    staleTime: 0,
  });

export const useTrialBalance = (number: number) =>
  useApi<http.AuditTrialBalance>(['/api', 'audit', 'trial-balances', number], { placeholderData: keepPreviousData });

export type LedgerFilters = Record<string, string | number>;

export const LEDGER_ROWS = 12;

const ledgerKey = (before: number, filters: LedgerFilters, count = LEDGER_ROWS) =>
  ['/api', 'audit', 'ledger', { ...filters, before, count }] as const;

export async function newestMatch(filters: LedgerFilters): Promise<number | null> {
  const { events } = await get<http.AuditLedgerResponse>(ledgerKey(Number.MAX_SAFE_INTEGER, filters, 1));
  return events[0]?.number ?? null;
}

/** The newest events before the event number `before` that match the filters. The newest page grows, so it gets stale. */
export const useLedger = (before: number, filters: LedgerFilters) =>
  useApi<http.AuditLedgerResponse>(ledgerKey(before, filters), {
    placeholderData: keepPreviousData,
    staleTime: POLLED_EVERY_MS,
  });

export const useEvent = (number: number) =>
  useQuery({
    queryKey: ['/api', 'audit', 'events', number] as const,
    queryFn: async ({ queryKey, signal }) => {
      const event = await get<http.AuditEvent>(queryKey, signal);
      const { recorded, chain } = event;
      // Browsers hash only on pages from localhost or over TLS.
      const here = await chainAfter(chain.before, [recorded as unknown as OpenedEvent]).catch(() => null);
      return { ...event, recomputedChain: here ?? chain.recomputed, isRecomputedHere: here !== null };
    },
    placeholderData: keepPreviousData,
    staleTime: POLLED_EVERY_MS,
  });

export interface StatementRequest extends Pick<StatementResponse, 'account' | 'from' | 'to'> {
  gamer?: string | undefined;
}

export const useStatement = ({ account, gamer, from, to }: StatementRequest) =>
  useApi<StatementResponse>(['/api', 'audit', 'statements', { account, ...(gamer ? { gamer } : {}), from, to }], {
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const useVerification = () =>
  useApi<http.AuditVerification>(['/api', 'audit', 'verification'], {
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_VERIFICATION_POLLED_EVERY_MS : false),
    staleTime: 0,
  });
