import { useMutation } from '@tanstack/react-query';
import { send } from './api-client.js';
import { outcomeUnknown } from './api-error.js';
import { randomKey } from './random-key.js';
import { unsettledAttempts } from './unsettled.js';

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The page's, not a component's: a dialog that is closed after a lost answer and opened again repeats the attempt. */
const unsettled = unsettledAttempts(randomKey);

/** A double click is one command: who asks for what is under way already gets its answer. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * A command that moves money or the game. Each attempt carries an Idempotency-Key; pressing again after an answer that
 * was lost repeats the key, so it is carried out once at most. A definite answer, yes or no, settles the attempt.
 */
export function useCommand<Answer, Input>(method: Method, route: (input: Input) => { path: string; body?: unknown }) {
  return useMutation<Answer, Error, Input>({
    mutationFn: (input) => {
      const { path, body } = route(input);
      const content = `${method} ${path} ${JSON.stringify(body)}`;
      const running = underWay.get(content) ?? carryOut(method, path, body, content);
      underWay.set(content, running);
      return running as Promise<Answer>;
    },
  });
}

async function carryOut(method: Method, path: string, body: unknown, content: string): Promise<unknown> {
  try {
    const answer = await send(method, path, body, unsettled.keyFor(content));
    unsettled.settle(content);
    return answer;
  } catch (error) {
    if (!outcomeUnknown(error)) unsettled.settle(content);
    throw error;
  } finally {
    underWay.delete(content);
  }
}
