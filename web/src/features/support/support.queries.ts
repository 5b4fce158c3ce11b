import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OpenTicketRequest, SupportTicket } from '../../../../contracts/http/support.js';
import { get } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useRefreshOn } from '../../shared/live/use-refresh-on.js';

/** The gamer's own tickets, newest first. */
export const ticketsQuery = queryOptions({
  queryKey: ['/api', 'support', 'tickets'] as const,
  queryFn: ({ queryKey, signal }) => get<SupportTicket[]>(queryKey, signal),
});

export function useTickets() {
  useRefreshOn('support:ticket_updated', ticketsQuery.queryKey);
  // The dialog may have been closed while an answer came.
  return useQuery({ ...ticketsQuery, refetchOnMount: 'always' });
}

export function useOpenTicket() {
  const client = useQueryClient();
  const command = useCommand<unknown, OpenTicketRequest>('POST', (body) => ({ path: '/api/support/tickets', body }));
  const open = async (ticket: OpenTicketRequest): Promise<void> => {
    await command.mutateAsync(ticket);
    void client.invalidateQueries({ queryKey: ticketsQuery.queryKey });
  };
  return { open, isPending: command.isPending };
}
