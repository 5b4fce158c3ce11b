import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type OnGatewayConnection, SubscribeMessage, WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import type { Server, Socket } from 'socket.io';
import type { GamerId } from '../../../contracts/ids.js';
import type { ClientToServer, ServerToClient } from '../../../contracts/live.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import { NAMELESS } from '../accounts/gamer-names.queries.js';
import { gamersOn } from '../game/game-state.js';
import { Ledger } from '../ledger/ledger.js';
import type { CommittedEvent } from '../ledger/ledger-replica.js';
import { Clock } from '../platform/clock.js';
import { withTimeout } from '../platform/with-timeout.js';
import {
  ADMIN_ROOM,
  boardMessages,
  changesStats,
  gamerRoom,
  gamersNamedBy,
  type LiveMessage,
  personalMessages,
  stateUpdate,
} from './live-messages.js';
import { SocketSessions } from './socket-sessions.js';

type LiveSocket = Socket<ClientToServer, ServerToClient>;

/** The public counters change with nearly every purchase; `stats:updated` is sent at most this often. */
const STATS_INTERVAL_MS = 2_000;
/** Messages wait this long for names; then they go out with the names in memory. */
const NAMES_TIMEOUT_MS = 500;

/**
 * Sends this node's sockets the messages about committed ledger events, in log order. Rooms: everyone, `gamer:{id}` for
 * the sockets of a gamer, and `admin`. After a failure messages are dropped; the next one's `previousVersion` reveals it.
 */
@WebSocketGateway()
export class LiveGateway implements OnGatewayConnection, OnApplicationBootstrap, OnApplicationShutdown {
  @WebSocketServer()
  private readonly server!: Server<ClientToServer, ServerToClient>;

  private readonly logger = new Logger('live');
  private readonly pending: CommittedEvent[] = [];
  private isSending = false;
  private version = 0;
  private statsTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly accounts: AccountsStore,
    private readonly sockets: SocketSessions,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.sockets.start(this.server);
    this.version = this.ledger.committed.game.version;
    this.ledger.onCommitted((committed) => {
      this.pending.push(...committed);
      if (!this.isSending) void this.sendPending();
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
      socket.emit('state:update', stateUpdate(game, position, tagOf, this.clock.now()).body);
    } catch (error) {
      // Without its rooms a socket would miss its gamer's messages; disconnected, it reconnects.
      this.logger.warn(`a new socket could not be set up: ${(error as Error).message}`);
      socket.disconnect(true);
    }
  }

  @SubscribeMessage('time:sync')
  serverTime(): number {
    return this.clock.now();
  }

  /** Sends messages until no event is pending. */
  private async sendPending(): Promise<void> {
    this.isSending = true;
    while (this.pending.length > 0) {
      const committed = this.pending.splice(0);
      const last = committed.at(-1) as CommittedEvent;
      try {
        await this.sendAbout(committed);
      } catch (error) {
        this.logger.warn(`the messages about ${committed.length} events were not sent: ${(error as Error).message}`);
      }
      this.version = last.game.version;
    }
    this.isSending = false;
  }

  private async sendAbout(committed: CommittedEvent[]): Promise<void> {
    const tagOf = await this.tagsOf(gamersNamedBy(committed));
    const messages = boardMessages({ committed, tagOf, now: this.clock.now(), previousVersion: this.version });
    for (const message of [...messages, ...personalMessages(committed)]) this.send(message);
    if (committed.some(({ recorded }) => changesStats(recorded.event))) this.scheduleStats();
  }

  send({ to, name, body }: LiveMessage): void {
    if (to !== null && !this.server.sockets.adapter.rooms.has(to)) return;
    const audience = to === null ? this.server : this.server.to(to);
    // LiveMessage pairs name and body; emit cannot infer that pair from a union.
    (audience.emit as (name: string, body: unknown) => boolean).call(audience, name, body);
  }

  private scheduleStats(): void {
    this.statsTimer ??= setTimeout(() => {
      this.statsTimer = undefined;
      this.server.emit('stats:updated', { position: this.ledger.committed.position });
    }, STATS_INTERVAL_MS);
  }

  private async tagsOf(gamerIds: GamerId[]): Promise<(gamerId: GamerId) => string> {
    const isSlow = () => new Error('Postgres did not answer in time');
    const tags = await withTimeout(this.accounts.tagsOf(gamerIds), NAMES_TIMEOUT_MS, isSlow).catch((error: Error) => {
      this.logger.warn(`names are taken from memory: ${error.message}`);
      return this.accounts.rememberedTagsOf(gamerIds);
    });
    return (gamerId) => tags.get(gamerId) ?? NAMELESS;
  }
}
