import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { send } from './api-client.js';
import { outcomeUnknown } from './api-error.js';
import { type Attempt, attemptFor } from './attempt.js';

/**
 * A command that moves money or the game. Each attempt carries an Idempotency-Key; pressing again after an answer that
 * was lost repeats the key, so it is carried out once at most. A definite answer, yes or no, settles the attempt.
 */
export function useCommand<Answer, Input>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  route: (input: Input) => { path: string; body?: unknown },
) {
  const attempt = useRef<Attempt | null>(null);
  return useMutation<Answer, Error, Input>({
    mutationFn: async (input) => {
      const { path, body } = route(input);
      attempt.current = attemptFor(attempt.current, `${path} ${JSON.stringify(body)}`, () => crypto.randomUUID());
      try {
        const answer = await send<Answer>(method, path, body, attempt.current.key);
        attempt.current = null;
        return answer;
      } catch (error) {
        if (!outcomeUnknown(error)) attempt.current = null;
        throw error;
      }
    },
  });
}
