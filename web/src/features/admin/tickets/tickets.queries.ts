import type { MessageResponse } from '../../../../../contracts/http/gamers.js';
import type { AdminTicket, TicketStatus, UpdateTicketRequest } from '../../../../../contracts/http/support.js';
import type { TicketId } from '../../../../../contracts/ids.js';
import { useRefreshOn } from '../../../shared/live/use-refresh-on.js';
import { useNewest } from '../lists/use-newest.js';
import { useAdminCommand } from '../use-admin-command.js';

const listKey = ['/api', 'admin', 'support', 'tickets'] as const;

/** Asked for again when the socket says that a ticket is new or changed; no clock does. */
export const useTickets = (status: TicketStatus) =>
  useNewest<AdminTicket>(listKey, { everyMs: false, filter: { status } });

export function useTicketsSync(): void {
  useRefreshOn('admin:new_ticket', listKey);
  useRefreshOn('admin:ticket_updated', listKey);
}

export const useUpdateTicket = () =>
  useAdminCommand<MessageResponse, { id: TicketId; update: UpdateTicketRequest }>(
    'PUT',
    ({ id, update }) => ({ path: `/api/admin/support/tickets/${id}`, body: update }),
    [listKey],
  );
