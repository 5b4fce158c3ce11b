import { Injectable, Logger } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import type { GamerId, Role } from '../../../contracts/ids.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { SessionGamer } from '../http/session.js';
import { SessionStore } from '../http/session-store.js';
import { every, type Periodic } from '../platform/every.js';

/** A session that ended, or a role that changed, on another node is noticed within this interval. */
const SWEEP_INTERVAL_MS = 2_000;

/** The session and role a socket was opened with. */
interface Admission {
  sid: string;
  gamerId: GamerId;
  role: Role;
}

const sessionRoom = (sid: string): string => `session:${sid}`;

/**
 * Disconnects a socket when its session ends or its gamer's role changes: at once for a session that ends on this node,
 * in the next sweep for a change on another node. A disconnected client may reconnect with its present session.
 */
@Injectable()
export class SocketSessions {
  private readonly logger = new Logger('live');
  private readonly admitted = new Map<Socket, Admission>();
  private server: Pick<Server, 'in'> | undefined;
  private sweeping: Periodic | undefined;

  constructor(
    private readonly sessions: SessionStore,
    private readonly accounts: AccountsStore,
  ) {
    sessions.onEnded((sid) => this.server?.in(sessionRoom(sid)).disconnectSockets(true));
  }

  start(server: Pick<Server, 'in'>): void {
    this.server = server;
    this.sweeping = every(
      SWEEP_INTERVAL_MS,
      () => this.sweep(),
      (error) => this.logger.warn(`the sessions of sockets could not be checked: ${error.message}`),
    );
  }

  async stop(): Promise<void> {
    await this.sweeping?.stop();
  }

  /** The gamer who opened the socket; null for a visitor. */
  async admit(socket: Socket): Promise<SessionGamer | null> {
    const { session, sessionID } = socket.request as { session?: { gamerId?: GamerId }; sessionID?: string };
    const gamer = await this.accounts.gamerOfSession(session?.gamerId);
    if (!gamer || sessionID === undefined) return null;
    await socket.join(sessionRoom(sessionID));
    this.admitted.set(socket, { sid: sessionID, gamerId: gamer.gamerId, role: gamer.role });
    socket.once('disconnect', () => this.admitted.delete(socket));
    // The socket may have disconnected during the lookup.
    if (!socket.connected) this.admitted.delete(socket);
    return gamer;
  }

  /** Needs two queries, whatever the number of sockets. */
  async sweep(): Promise<void> {
    const admitted = [...this.admitted];
    if (admitted.length === 0) return;
    const gamers = await this.sessions.gamersOf([...new Set(admitted.map(([, { sid }]) => sid))]);
    const roles = await this.accounts.rolesOf([...new Set(gamers.values())]);
    for (const [socket, { sid, gamerId, role }] of admitted) {
      if (gamers.get(sid) === gamerId && roles.get(gamerId) === role) continue;
      // Drops the cached role, so that a reconnecting socket gets the present one.
      this.accounts.forget(gamerId);
      socket.disconnect(true);
    }
  }
}
