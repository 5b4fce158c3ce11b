import { Injectable } from '@nestjs/common';
import type { GamerId, TicketId } from '../../../contracts/ids.js';
import { gamerStream, ticketStream } from '../../../contracts/streams.js';
import { EventLog } from '../../../event-log/event-log.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { SessionStore } from '../http/session-store.js';

/**
 * Forgets who a removed gamer was (decision 38): account, sessions, the gamer's own stream, their tickets. Every step may
 * be repeated. What the read models hold of them goes with `GamerRemoved`.
 */
@Injectable()
export class Erasure {
  constructor(
    private readonly accounts: AccountsStore,
    private readonly sessions: SessionStore,
    private readonly log: EventLog,
  ) {}

  /** The gamer can do nothing any more, and has no name. */
  async erasePerson(gamerId: GamerId): Promise<void> {
    await this.sessions.endAllOf(gamerId);
    await this.accounts.erase(gamerId);
    await this.deleteStream(gamerStream(gamerId));
  }

  /** Reads all tickets' streams to find theirs: the read models have dropped them already. */
  async eraseTickets(gamerId: GamerId): Promise<void> {
    const tickets = new Set<TicketId>();
    await new Promise<void>((resolve, reject) => {
      const following = this.log.follow({
        after: null,
        prefixes: [ticketStream('')],
        onEvent: ({ event }) => {
          if (event.type === 'TicketOpened' && event.data.gamerId === gamerId) tickets.add(event.data.ticketId);
        },
        onCaughtUp: () => {
          resolve();
          // Not awaited: it is this very callback that stopping waits for.
          void following.stop();
        },
        onFailure: reject,
      });
    });
    for (const ticketId of tickets) await this.deleteStream(ticketStream(ticketId));
  }

  private async deleteStream(stream: string): Promise<void> {
    if ((await this.log.headRevision(stream)) >= 0) await this.log.deleteStream(stream);
  }
}
