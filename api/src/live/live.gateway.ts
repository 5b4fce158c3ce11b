import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type OnGatewayConnection, WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import type { Recorded } from '../../../contracts/events/recorded.js';
import type { GamerId, TicketId } from '../../../contracts/ids.js';
import type { ClientToServer, ServerToClient } from '../../../contracts/live.js';
import { postStream, ticketStream } from '../../../contracts/streams.js';
import type { Game } from '../../../domain/game.js';
import { EventLog } from '../../../event-log/event-log.js';
import { withTimeout } from '../../../event-log/timers.js';
import { gamersOn } from '../features/game/game-state.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';
import { TAG_OF_DELETED } from '../features/gamers/gamers.queries.js';
import { Ledger } from '../ledger/ledger.js';
import type { CommittedEvent } from '../ledger/ledger-replica.js';
import { Background } from '../platform/background.js';
import { Clock } from '../platform/clock.js';
import * as live from './live-messages.js';
import { Outlets } from './outlets.js';
import { SocketSessions } from './socket-sessions.js';
import { Ticks } from './ticks.js';

type LiveSocket = Socket<ClientToServer, ServerToClient>;

/** The public counters change with nearly every event; `stats:updated` is sent at most this often. */
const STATS_INTERVAL_MS = 2_000;
/** Messages wait this long for GamerTags; then they go out with the tags in memory. */
const TAGS_TIMEOUT_MS = 500;
/** In the last seconds of a round messages do not wait for the next tick. */
const LAST_SECONDS_MS = 10_000;
const BEHIND_CHECKED_EVERY_MS = 250;

/** Sends the messages about committed events, in log order and in ticks. After a failure the next `previousVersion` reveals the gap. */
@WebSocketGateway()
export class LiveGateway implements OnGatewayConnection, OnApplicationBootstrap, OnApplicationShutdown {
  @WebSocketServer()
  private readonly server!: Server<ClientToServer, ServerToClient>;

  private readonly logger = new Logger('live');
  private readonly ticks = new Ticks(() => this.tick());
  private outlets!: Outlets;
  private readonly pendingEvents: CommittedEvent[] = [];
  private readonly pendingMessages: live.LiveMessage[] = [];
  /** The game that the sockets know. */
  private sent!: { game: Game; position: string };
  private statsTimer: NodeJS.Timeout | undefined;
  private behindTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly sockets: SocketSessions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.sockets.start(this.server);
    this.outlets = new Outlets(this.server);
    this.sent = this.ledger.committed;
    this.ledger.onCommitted((committed) => {
      this.pendingEvents.push(...committed);
      for (const { recorded } of committed)
        if (recorded.event.type === 'PowersSet') void this.sockets.checkRoleOf(recorded.event.data.gamerId);
      const isUrgent =
        this.isInLastSeconds(this.sent.game) ||
        committed.some(({ recorded, game }) => live.changesPhase(recorded.event) || this.isInLastSeconds(game));
      this.ticks.request(isUrgent);
    });
  }

  onApplicationShutdown(): void {
    this.ticks.stop();
    clearTimeout(this.statsTimer);
    clearTimeout(this.behindTimer);
  }

  async handleConnection(socket: LiveSocket): Promise<void> {
    try {
      // @SubscribeMessage would keep observables for each socket.
      socket.on('time:sync', (respond: unknown) => typeof respond === 'function' && respond(this.clock.now()));
      const gamer = await this.sockets.admit(socket);
      if (gamer) await socket.join(live.gamerRoom(gamer.gamerId));
      if (gamer?.role === 'admin' || gamer?.powers.includes('support')) await socket.join(live.ADMIN_ROOM);
      if (gamer?.role === 'admin' || gamer?.powers.includes('money')) await socket.join(live.MONEY_ROOM);
      // Sent after joining the rooms: a client reads anew at its first state, and so misses no message to a room.
      this.outlets.add(socket);
      const { game, position } = this.ledger.committed;
      const tagOf = await this.tagsOf(gamersOn(game));
      socket.emit('state:update', live.stateUpdate(game, position, { tagOf, nowMs: this.clock.now() }).body);
    } catch (error) {
      // Without its rooms a socket would miss its gamer's messages; disconnected, it reconnects.
      this.logger.warn(`a new socket could not be set up: ${(error as Error).message}`);
      socket.disconnect(true);
    }
    // The request's headers would stay in memory for as long as the socket.
    Object.assign(socket, { handshake: null });
    Object.assign(socket.conn, { request: null });
  }

  send(message: live.LiveMessage): void {
    this.pendingMessages.push(message);
    this.ticks.request(false);
  }

  /** Sends everything that is pending. Resolves with the milliseconds that sending took, without the wait for GamerTags. */
  private async tick(): Promise<number> {
    const committed = this.pendingEvents.splice(0);
    const others = this.pendingMessages.splice(0);
    const before = this.sent;
    const last = committed.at(-1);
    if (last) this.sent = { game: last.game, position: last.recorded.position };
    const { game, position } = this.sent;
    try {
      const tagOf = await this.tagsOf([...live.gamersNamedBy(committed), ...gamersOn(game)]);
      const startedAtMonotonicMs = performance.now();
      const board = { tagOf, nowMs: this.clock.now() };
      const messages = [
        ...live.boardMessages(committed, before.game.version, board),
        ...live.personalMessages(committed),
        ...live.moneyMessages(committed),
        ...others,
      ];
      const isAnyBehind = await this.outlets.send(messages, () => live.stateUpdate(game, position, board));
      if (isAnyBehind) this.tickAgain();
      if (committed.length > 0) this.scheduleStats();
      return performance.now() - startedAtMonotonicMs;
    } catch (error) {
      this.logger.warn(`the messages about ${committed.length} events were not sent: ${(error as Error).message}`);
      return 0;
    }
  }

  /** A socket that is behind catches up, or is closed, in a tick, even when nothing is pending. */
  private tickAgain(): void {
    this.behindTimer ??= setTimeout(() => {
      this.behindTimer = undefined;
      this.ticks.request(false);
    }, BEHIND_CHECKED_EVERY_MS);
  }

  private isInLastSeconds({ phase, endsAtEpochMs }: Game): boolean {
    return phase === 'live' && endsAtEpochMs !== null && endsAtEpochMs - this.clock.now() <= LAST_SECONDS_MS;
  }

  private scheduleStats(): void {
    this.statsTimer ??= setTimeout(() => {
      this.statsTimer = undefined;
      this.send({ to: null, name: 'stats:updated', body: { position: this.ledger.committed.position } });
    }, STATS_INTERVAL_MS);
  }

  private async tagsOf(gamerIds: GamerId[]): Promise<(gamerId: GamerId) => string> {
    const isSlow = () => new Error('Postgres did not answer in time');
    const tags = await withTimeout(this.accounts.tagsOf(gamerIds), TAGS_TIMEOUT_MS, isSlow).catch((error: Error) => {
      this.logger.warn(`GamerTags are taken from memory: ${error.message}`);
      return this.accounts.rememberedTagsOf(gamerIds);
    });
    return (gamerId) => tags.get(gamerId) ?? TAG_OF_DELETED;
  }
}

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
    const subscription = this.log.follow({
      after: this.ledger.committed.position,
      prefixes: [postStream(''), ticketStream('')],
      onEvent: (recorded) => this.send(recorded),
      onCaughtUp: () => {
        this.hasCaughtUp = true;
      },
      onLost: (error) => this.logger.warn(`the subscription to posts and tickets was lost: ${error.message}`),
      onFailure: (error) => this.logger.error(`the subscription to posts and tickets ended: ${error.stack}`),
    });
    this.background.onStop(() => subscription.stop());
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
  private async messagesOf({ event, metadata, position }: Recorded): Promise<live.LiveMessage[]> {
    switch (event.type) {
      case 'PostPublished': {
        const { postId: id, gamerId, message } = event.data;
        const gamerTag = (await this.accounts.tagsOf([gamerId])).get(gamerId) ?? TAG_OF_DELETED;
        const body = { id, gamerTag, message, createdAt: metadata.at, position };
        return [{ to: null, name: 'community:new_post', body }];
      }
      case 'TicketOpened':
        return [{ to: live.ADMIN_ROOM, name: 'admin:new_ticket', body: { ticketId: event.data.ticketId, position } }];
      case 'TicketClosed':
      case 'TicketReopened':
      case 'TicketNoted':
      case 'TicketContinued': {
        const { ticketId } = event.data;
        const body = { ticketId, position };
        const ownerId = await this.ownerOf(ticketId);
        return [
          { to: live.ADMIN_ROOM, name: 'admin:ticket_updated', body },
          ...(ownerId ? [{ to: live.gamerRoom(ownerId), name: 'support:ticket_updated' as const, body }] : []),
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
