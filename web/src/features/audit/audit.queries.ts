import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  AuditEvent,
  AuditLedgerResponse,
  AuditMerkleProof,
  AuditMoment,
  AuditRoundsResponse,
  AuditVerification,
  StatementAccount,
  StatementResponse,
} from '../../../../contracts/http/audit.js';
import { get, send } from '../../shared/api/api-client.js';
import { ApiError } from '../../shared/api/api-error.js';

/** Who looks at now sees what is new this often; a moment that was chosen stays as it is. */
const FOLLOWED_EVERY_MS = 10_000;
const VERIFICATION_POLLED_EVERY_MS = 2_000;
/** A page of the ledger that reaches to its end may have grown when somebody comes back to it. */
const LEDGER_FRESH_MS = 10_000;

/** The role was taken away, or never was there: no second try will help. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

/** The ended rounds, and how far the ledger goes. */
export const useRounds = (isFollowing: boolean) =>
  useQuery({
    queryKey: ['/api', 'audit', 'rounds'] as const,
    queryFn: ({ queryKey, signal }) => get<AuditRoundsResponse>(queryKey, signal),
    refetchInterval: isFollowing ? FOLLOWED_EVERY_MS : false,
    // What it was when somebody left the page says nothing of now.
    staleTime: 0,
  });

/** The books after an event; those of the event before stay in sight meanwhile. */
export const useMoment = (number: number) =>
  useQuery({
    queryKey: ['/api', 'audit', 'moments', number] as const,
    queryFn: ({ queryKey, signal }) => get<AuditMoment>(queryKey, signal),
    placeholderData: keepPreviousData,
  });

export interface LedgerFilters {
  find?: string;
  type?: string;
  roundId?: number;
}

export const LEDGER_ROWS = 12;

/** The newest events before one, of those that are looked for. */
export const useLedger = (before: number, filters: LedgerFilters) =>
  useQuery({
    queryKey: ['/api', 'audit', 'ledger', { ...asked(filters), before, count: LEDGER_ROWS }] as const,
    queryFn: ({ queryKey, signal }) => get<AuditLedgerResponse>(queryKey, signal),
    placeholderData: keepPreviousData,
    staleTime: LEDGER_FRESH_MS,
  });

const asked = ({ find, type, roundId }: LedgerFilters): Record<string, string | number> => ({
  ...(find ? { find } : {}),
  ...(type ? { type } : {}),
  ...(roundId ? { roundId } : {}),
});

export const useEvent = (number: number) =>
  useQuery({
    queryKey: ['/api', 'audit', 'events', number] as const,
    queryFn: ({ queryKey, signal }) => get<AuditEvent>(queryKey, signal),
    placeholderData: keepPreviousData,
    // A purchase can be proved once its round has ended; which is seen by coming back to it.
    staleTime: FOLLOWED_EVERY_MS,
  });

export const useMerkleProof = (number: number) =>
  useQuery({
    queryKey: ['/api', 'audit', 'events', number, 'merkle-proof'] as const,
    queryFn: ({ queryKey, signal }) => get<AuditMerkleProof>(queryKey, signal),
  });

export interface StatementAsked {
  account: StatementAccount;
  gamer?: string;
  from: string;
  to: string;
}

export const useStatement = ({ account, gamer, from, to }: StatementAsked) =>
  useQuery({
    queryKey: ['/api', 'audit', 'statements', { account, ...(gamer ? { gamer } : {}), from, to }] as const,
    queryFn: ({ queryKey, signal }) => get<StatementResponse>(queryKey, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

const verificationKey = ['/api', 'audit', 'verification'] as const;

export const useVerification = () =>
  useQuery({
    queryKey: verificationKey,
    queryFn: ({ queryKey, signal }) => get<AuditVerification>(queryKey, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? VERIFICATION_POLLED_EVERY_MS : false),
    staleTime: 0,
  });

/** Starts one; while one runs already, that one is the answer. */
export function useVerify() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<AuditVerification>('POST', '/api/audit/verification'),
    onSuccess: (verification) => client.setQueryData(verificationKey, verification),
  });
}
