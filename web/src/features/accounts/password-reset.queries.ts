import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RequestPasswordResetRequest, ResetPasswordRequest } from '../../../../contracts/http/people.js';
import { send } from '../../shared/api/api-client.js';
import { sessionQuery } from '../../shared/session/session.queries.js';

export const useRequestPasswordReset = () =>
  useMutation({
    mutationFn: (request: RequestPasswordResetRequest) => send<unknown>('POST', '/api/request-password-reset', request),
  });

/** A change of the password ends all sessions of the gamer, this browser's too. */
export function useResetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: ResetPasswordRequest) => send<unknown>('POST', '/api/reset-password', request),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}
