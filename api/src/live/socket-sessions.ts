import { Injectable, Logger } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import type { GamerId, Role } from '../../../contracts/ids.js';
import { AccountsStore } from '../accounts/accounts.store.js';
import type { GamerOfSession } from '../http/session.js';
import { SessionStore } from '../http/session-store.js';

/** A session that ended, or a role that changed, on another node is noticed within this and the time of two queries. */
const SWEEP_INTERVAL_MS = 2_000;

/** What a socket was let in as. A visitor's socket has none. */
interface Admitted {
  sid: string;
  gamerId: GamerId;
  role: Role;
}

const sessionRoom = (sid: string): string => `session:${sid}`;

/**
 * A socket lives no longer than the session it was opened with, and no longer as another role than its gamer has:
 * sessions that end on this node close theirs at once, and a sweep closes what ended or changed elsewhere. Whoever was
 * closed may come back, as whoever they are then.
 */
@Injectable()
export class SocketSessions {
  private readonly logger = new Logger('live');
  private readonly admitted = new Map<Socket, Admitted>();
  private server: Pick<Server, 'in'> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly sessions: SessionStore,
    private readonly accounts: AccountsStore,
  ) {
    sessions.onEnded((sid) => this.server?.in(sessionRoom(sid)).disconnectSockets(true));
  }

  start(server: Pick<Server, 'in'>): void {
    this.server = server;
    this.timer = setInterval(() => this.sweepUnlessBusy(), SWEEP_INTERVAL_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sweeping;
  }

  /** Who opened the socket; null for a visitor. */
  async admit(socket: Socket): Promise<GamerOfSession | null> {
    const { session, sessionID } = socket.request as { session?: { gamerId?: GamerId }; sessionID?: string };
    const gamer = await this.accounts.gamerOfSession(session?.gamerId);
    if (!gamer || sessionID === undefined) return null;
    await socket.join(sessionRoom(sessionID));
    this.admitted.set(socket, { sid: sessionID, gamerId: gamer.gamerId, role: gamer.role });
    socket.once('disconnect', () => this.admitted.delete(socket));
    // It may have gone while its gamer was looked up.
    if (!socket.connected) this.admitted.delete(socket);
    return gamer;
  }

  /** Two queries, however many sockets there are. */
  async sweep(): Promise<void> {
    const looked = [...this.admitted];
    if (looked.length === 0) return;
    const living = await this.sessions.livingOf([...new Set(looked.map(([, { sid }]) => sid))]);
    const roles = await this.accounts.rolesOf([...new Set(living.values())]);
    for (const [socket, { sid, gamerId, role }] of looked) {
      if (living.get(sid) === gamerId && roles.get(gamerId) === role) continue;
      // Who comes back now must not be taken for who they were.
      this.accounts.forget(gamerId);
      socket.disconnect(true);
    }
  }

  private sweepUnlessBusy(): void {
    this.sweeping ??= this.sweep()
      .catch((error: Error) => this.logger.warn(`sockets' sessions could not be looked up: ${error.message}`))
      .finally(() => {
        this.sweeping = undefined;
      });
  }
}
