import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';

/**
 * A command of the admin's and the lists it changes, which are asked for again before it counts as done. Also after a
 * refusal: it mostly means that the list was out of date.
 */
export function useAdminCommand<Answer, Input>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  route: (input: Input) => { path: string; body?: unknown },
  changes: readonly ApiKey[],
) {
  const client = useQueryClient();
  const command = useCommand<Answer, Input>(method, route);
  const [isBusy, setBusy] = useState(false);
  const run = async (input: Input): Promise<Answer> => {
    setBusy(true);
    try {
      return await command.mutateAsync(input);
    } finally {
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })));
      setBusy(false);
    }
  };
  return { run, isBusy };
}
