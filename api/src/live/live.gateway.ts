import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type OnGatewayConnection, SubscribeMessage, WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import type { GamerId } from '../../../contracts/ids.js';
import type { ClientToServer, ServerToClient } from '../../../contracts/live.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { gamersOn, NAMELESS } from '../game/game-state.js';
import { Ledger } from '../ledger/ledger.js';
import type { CommittedEvent } from '../ledger/ledger-book.js';
import {
  boardMessages,
  changesStats,
  gamersNamedBy,
  type LiveMessage,
  personalMessages,
  stateUpdate,
} from './live-messages.js';
import { ADMIN_ROOM, gamerRoom } from './rooms.js';
import { SocketSessions } from './socket-sessions.js';

type LiveSocket = Socket<ClientToServer, ServerToClient>;

/** The public counters change with nearly every purchase; clients are told at most this often. */
const STATS_INTERVAL_MS = 2_000;

/**
 * Tells this node's sockets what came into the ledger, in its order. Rooms: everyone, `gamer:{id}` for a session's own
 * sockets, and `admin`. A message that could not be made is dropped: the next one's `previousVersion` shows the gap.
 */
@WebSocketGateway()
export class LiveGateway implements OnGatewayConnection, OnApplicationBootstrap, OnApplicationShutdown {
  @WebSocketServer()
  private readonly server!: Server<ClientToServer, ServerToClient>;

  private readonly logger = new Logger('live');
  private readonly untold: CommittedEvent[] = [];
  private telling = false;
  private version = 0;
  private statsTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly sockets: SocketSessions,
  ) {}

  onApplicationBootstrap(): void {
    this.sockets.start(this.server);
    this.version = this.ledger.committed.game.version;
    this.ledger.onCommitted((committed) => {
      this.untold.push(...committed);
      if (!this.telling) void this.tell();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.statsTimer);
    await this.sockets.stop();
  }

  async handleConnection(socket: LiveSocket): Promise<void> {
    try {
      const gamer = await this.sockets.admit(socket);
      if (gamer) await socket.join(gamerRoom(gamer.gamerId));
      if (gamer?.role === 'admin') await socket.join(ADMIN_ROOM);
      const { game, position } = this.ledger.committed;
      const tagOf = await this.tagsOf(gamersOn(game));
      socket.emit('state:update', stateUpdate(game, position, tagOf, Date.now()).body);
    } catch (error) {
      // Without its rooms a socket would miss its gamer's messages: it is let go and comes back.
      this.logger.warn(`a socket could not be greeted: ${(error as Error).message}`);
      socket.disconnect(true);
    }
  }

  @SubscribeMessage('time:sync')
  serverTime(): number {
    return Date.now();
  }

  /** Tells all that waits, then all that came meanwhile, until nothing waits. */
  private async tell(): Promise<void> {
    this.telling = true;
    while (this.untold.length > 0) {
      const committed = this.untold.splice(0);
      const last = committed.at(-1) as CommittedEvent;
      try {
        await this.tellAbout(committed);
      } catch (error) {
        this.logger.warn(`sockets were not told of ${committed.length} events: ${(error as Error).message}`);
      }
      this.version = last.game.version;
    }
    this.telling = false;
  }

  private async tellAbout(committed: CommittedEvent[]): Promise<void> {
    const tagOf = await this.tagsOf(gamersNamedBy(committed));
    const messages = boardMessages({ committed, tagOf, now: Date.now(), previousVersion: this.version });
    for (const message of [...messages, ...personalMessages(committed)]) this.send(message);
    if (committed.some(({ recorded }) => changesStats(recorded.event))) this.announceStats();
  }

  send({ to, name, body }: LiveMessage): void {
    if (to !== null && !this.server.sockets.adapter.rooms.has(to)) return;
    const audience = to === null ? this.server : this.server.to(to);
    // The pair of name and body is checked where it is made; here it is only passed on.
    (audience.emit as (name: string, body: unknown) => boolean).call(audience, name, body);
  }

  private announceStats(): void {
    this.statsTimer ??= setTimeout(() => {
      this.statsTimer = undefined;
      this.server.emit('stats:updated', { position: this.ledger.committed.position });
    }, STATS_INTERVAL_MS);
  }

  private async tagsOf(gamerIds: GamerId[]): Promise<(gamerId: GamerId) => string> {
    const tags = await this.accounts.tagsOf(gamerIds);
    return (gamerId) => tags.get(gamerId) ?? NAMELESS;
  }
}
