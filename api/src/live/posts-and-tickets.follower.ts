import { Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import type { Recorded } from '../../../contracts/events/recorded.js';
import type { GamerId, TicketId } from '../../../contracts/ids.js';
import { postStream, ticketStream } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';
import { NAMELESS } from '../features/gamers/gamers.queries.js';
import { Ledger } from '../ledger/ledger.js';
import { Background } from '../platform/background.js';
import { LiveGateway } from './live.gateway.js';
import { ADMIN_ROOM, gamerRoom, type LiveMessage } from './live-messages.js';
import { SocketSessions } from './socket-sessions.js';

/** Sends this node's sockets the messages about new posts and tickets, including those written on other nodes. */
@Injectable()
export class PostsAndTicketsFollower implements OnApplicationBootstrap {
  private readonly logger = new Logger('live');
  private hasCaughtUp = false;

  constructor(
    private readonly log: EventLog,
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly gateway: LiveGateway,
    private readonly background: Background,
  ) {}

  /** Follows from the ledger's end, which is near the end of the whole log; events before the first catch-up are skipped. */
  onApplicationBootstrap(): void {
    const following = this.log.follow({
      after: this.ledger.committed.position,
      prefixes: [postStream(''), ticketStream('')],
      onEvent: (recorded) => this.send(recorded),
      onCaughtUp: () => {
        this.hasCaughtUp = true;
      },
      onLost: (error) => this.logger.warn(`the subscription to posts and tickets was lost: ${error.message}`),
      onFailure: (error) => this.logger.error(`the subscription to posts and tickets ended: ${error.stack}`),
    });
    this.background.onStop(() => following.stop());
  }

  /** Drops a message that cannot be made: clients refetch the lists from time to time. */
  private async send(recorded: Recorded): Promise<void> {
    if (!this.hasCaughtUp) return;
    try {
      for (const message of await this.messagesOf(recorded)) this.gateway.send(message);
    } catch (error) {
      this.logger.warn(`the message about a ${recorded.event.type} was not sent: ${(error as Error).message}`);
    }
  }

  /** Posts go to every socket. Tickets go to the admin and operators with the power support; updates also to the ticket's gamer. */
  private async messagesOf({ event, metadata, position }: Recorded): Promise<LiveMessage[]> {
    switch (event.type) {
      case 'PostPublished': {
        const { postId: id, gamerId, message } = event.data;
        const gamerTag = (await this.accounts.tagsOf([gamerId])).get(gamerId) ?? NAMELESS;
        const body = { id, gamerTag, message, createdAt: metadata.at, position };
        return [{ to: null, name: 'community:new_post', body }];
      }
      case 'TicketOpened':
        return [{ to: ADMIN_ROOM, name: 'admin:new_ticket', body: { ticketId: event.data.ticketId, position } }];
      case 'TicketClosed':
      case 'TicketReopened':
      case 'TicketNoted':
      case 'TicketContinued': {
        const { ticketId } = event.data;
        const body = { ticketId, position };
        const ownerId = await this.ownerOf(ticketId);
        return [
          { to: ADMIN_ROOM, name: 'admin:ticket_updated', body },
          ...(ownerId ? [{ to: gamerRoom(ownerId), name: 'support:ticket_updated' as const, body }] : []),
        ];
      }
      default:
        return [];
    }
  }

  /** The gamer who opened the ticket; null when the ticket was erased with its gamer. */
  private async ownerOf(ticketId: TicketId): Promise<GamerId | null> {
    for await (const { event } of this.log.readStream(ticketStream(ticketId), { maxCount: 1 }))
      if (event.type === 'TicketOpened') return event.data.gamerId;
    return null;
  }
}

@Module({ providers: [LiveGateway, PostsAndTicketsFollower, SocketSessions] })
export class LiveModule {}
