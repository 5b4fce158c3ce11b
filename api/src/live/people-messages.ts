import type { Recorded } from '../../../contracts/events/recorded.js';
import type { GamerId, TicketId } from '../../../contracts/ids.js';
import type { LiveMessage } from './live-messages.js';
import { ADMIN_ROOM, gamerRoom } from './rooms.js';

/** What an event alone does not say. */
export interface People {
  tagOf(gamerId: GamerId): Promise<string>;
  /** Null: the ticket is gone, with its gamer. */
  ownerOf(ticketId: TicketId): Promise<GamerId | null>;
}

/** What to tell about what people wrote: posts to everyone, a ticket to the admin and to its gamer. */
export async function peopleMessages({ event, metadata, position }: Recorded, people: People): Promise<LiveMessage[]> {
  switch (event.type) {
    case 'PostPublished': {
      const { postId: id, gamerId, message } = event.data;
      const body = { id, gamerTag: await people.tagOf(gamerId), message, createdAt: metadata.at, position };
      return [{ to: null, name: 'community:new_post', body }];
    }
    case 'TicketOpened':
      return [{ to: ADMIN_ROOM, name: 'admin:new_ticket', body: { ticketId: event.data.ticketId, position } }];
    case 'TicketClosed':
    case 'TicketReopened':
    case 'TicketNoted': {
      const { ticketId } = event.data;
      const body = { ticketId, position };
      const ownerId = await people.ownerOf(ticketId);
      const toOwner: LiveMessage[] = ownerId ? [{ to: gamerRoom(ownerId), name: 'support:ticket_updated', body }] : [];
      return [{ to: ADMIN_ROOM, name: 'admin:ticket_updated', body }, ...toOwner];
    }
    default:
      return [];
  }
}
