import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  GamerSession,
  LoginRequest,
  ReferralLookup,
  RegisterRequest,
} from '../../../../contracts/http/accounts.js';
import { get, send } from '../../shared/api/api-client.js';
import { reopenAs } from '../../shared/live/live-socket.js';
import { sessionQuery } from '../../shared/session/session.queries.js';

export const referralQuery = (code: string) =>
  queryOptions({
    queryKey: ['/api', 'ref', code] as const,
    queryFn: ({ signal }) => get<ReferralLookup>(['/api', 'ref', encodeURIComponent(code)], signal),
  });

/** Who owns a code; asks nothing without one. */
export const useReferral = (code: string | null) => useQuery({ ...referralQuery(code ?? ''), enabled: code !== null });

function useSignIn<Input>(path: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => send<GamerSession>('POST', path, input),
    onSuccess: (gamer) => {
      client.setQueryData(sessionQuery.queryKey, { isAuthenticated: true, ...gamer });
      reopenAs();
    },
  });
}

export const useLogin = () => useSignIn<LoginRequest>('/api/login');
export const useRegister = () => useSignIn<RegisterRequest>('/api/register');

/** Ends the session, forgets everything of the gamer, and loads the page anew. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send<void>('POST', '/api/logout'),
    onSuccess: () => {
      client.clear();
      window.location.reload();
    },
  });
}
