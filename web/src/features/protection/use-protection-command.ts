import { useQueryClient } from '@tanstack/react-query';
import type { MessageResponse } from '../../../../contracts/http/gamers.js';
import type { GamerId } from '../../../../contracts/ids.js';
import { reasonOf } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { gamerQuery } from '../../shared/session.queries.js';
import { toast, toastProblem } from '../../shared/ui/toasts.js';

/** A command of the gamer's protection. `run` returns whether it succeeded; the outcome is shown as a toast. */
export function useProtectionCommand<Body>(
  gamerId: GamerId,
  path: string,
  unchanged: string,
  method: 'POST' | 'PUT' = 'POST',
) {
  const client = useQueryClient();
  const { mutateAsync, isPending } = useCommand<MessageResponse, Body>(method, `/api/gamer/${gamerId}/${path}`, {
    // The key of the limits begins with this one.
    onSettled: () => client.invalidateQueries({ queryKey: gamerQuery(gamerId).queryKey }),
  });
  const run = async (body: Body): Promise<boolean> => {
    try {
      toast({ title: 'Done', text: (await mutateAsync(body)).message });
      return true;
    } catch (error) {
      toastProblem(unchanged, reasonOf(error, 'Please try again: it cannot happen twice.'));
      return false;
    }
  };
  return { isPending, run };
}
