import type { MessageResponse } from '../../../../contracts/http/headers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { useCommand } from '../../shared/api/use-command.js';
import { gamerQuery } from '../../shared/session.queries.js';

/** A command of the gamer's protection, with the same toast after each success. */
export function useProtectionCommand<Body>(
  gamerId: GamerId,
  path: string,
  unchanged: string,
  method: 'POST' | 'PUT' = 'POST',
) {
  const { run, isBusy } = useCommand<Body, MessageResponse>(method, `/api/gamer/${gamerId}/${path}`, {
    failed: unchanged,
    otherwise: 'Please try again: it cannot happen twice.',
    // The key of the limits begins with this one.
    reloads: [gamerQuery(gamerId).queryKey],
  });
  return { isBusy, run: (body: Body) => run(body, ({ message }) => ({ title: 'Done', text: message })) };
}
