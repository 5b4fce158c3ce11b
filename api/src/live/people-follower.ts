import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Recorded } from '../../../contracts/events/recorded.js';
import type { GamerId, TicketId } from '../../../contracts/ids.js';
import { COMMUNITY_STREAM, ticketStream } from '../../../contracts/streams.js';
import { EventLog, type Following } from '../../../event-log/event-log.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { NAMELESS } from '../game/game-state.js';
import { Ledger } from '../ledger/ledger.js';
import { LiveGateway } from './live.gateway.js';
import { peopleMessages } from './people-messages.js';

/**
 * Tells this node's sockets what people wrote, whichever node they wrote it at. It follows the log from where that ended
 * when this node started: what stood in it before is read over in silence.
 */
@Injectable()
export class PeopleFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('live');
  private following: Following | undefined;
  private hasCaughtUp = false;

  constructor(
    private readonly log: EventLog,
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly gateway: LiveGateway,
  ) {}

  onApplicationBootstrap(): void {
    this.following = this.log.follow({
      // Not the end, but near it: the ledger is where most is written.
      after: this.ledger.committed.position,
      prefixes: [COMMUNITY_STREAM, ticketStream('')],
      onEvent: (recorded) => this.tell(recorded),
      onCaughtUp: () => {
        this.hasCaughtUp = true;
      },
      onLost: (error) => this.logger.warn(`what people write is not followed for now: ${error.message}`),
      onFailure: (error) => this.logger.error(`what people write is not followed any more: ${error.stack}`),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.following?.stop();
  }

  /** What cannot be told is dropped: the lists that it is about are fetched now and then anyway. */
  private async tell(recorded: Recorded): Promise<void> {
    if (!this.hasCaughtUp) return;
    try {
      const tagOf = async (gamerId: GamerId) => (await this.accounts.tagsOf([gamerId])).get(gamerId) ?? NAMELESS;
      const ownerOf = (ticketId: TicketId) => this.ownerOf(ticketId);
      for (const message of await peopleMessages(recorded, { tagOf, ownerOf })) this.gateway.send(message);
    } catch (error) {
      this.logger.warn(`sockets were not told of a ${recorded.event.type}: ${(error as Error).message}`);
    }
  }

  private async ownerOf(ticketId: TicketId): Promise<GamerId | null> {
    for await (const { event } of this.log.readStream(ticketStream(ticketId), { maxCount: 1 })) {
      if (event.type === 'TicketOpened') return event.data.gamerId;
    }
    return null;
  }
}
