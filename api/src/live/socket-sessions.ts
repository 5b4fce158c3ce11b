import { Injectable, Logger } from '@nestjs/common';
import type { Server, Socket } from 'socket.io';
import type { GamerId } from '../../../contracts/ids.js';
import { AccountsStore } from '../features/gamers/accounts.store.js';
import type { Session, SessionGamer } from '../http/session.js';
import { SessionStore } from '../http/sessions.store.js';
import { Background } from '../platform/background.js';
import { Listener } from '../platform/listener.store.js';

/** While notifications of ended sessions and changed roles arrive, a sweep only finds sessions that expired. */
const SWEEP_INTERVAL_MS = 10_000;
const LISTENER_CHECKED_EVERY_MS = 2_000;

type Admission = Pick<SessionGamer, 'gamerId' | 'role' | 'powers'> & Pick<Session, 'sid'>;

const sessionRoom = (sid: string): string => `session:${sid}`;

/** Disconnects a socket when its session ends or its role changes, on any node: when notified, else in a sweep. */
@Injectable()
export class SocketSessions {
  private readonly logger = new Logger('live');
  private readonly admitted = new Map<Socket, Admission>();
  private server: Pick<Server, 'in'> | undefined;
  private sweepNow = (): void => {};

  constructor(
    private readonly sessions: SessionStore,
    private readonly accounts: AccountsStore,
    private readonly listener: Listener,
    private readonly background: Background,
  ) {
    sessions.ended.subscribe((sid) => {
      if (sid === '') this.sweepNow();
      else this.server?.in(sessionRoom(sid)).disconnectSockets(true);
    });
    accounts.changed.subscribe((gamerId) => (gamerId === '' ? this.sweepNow() : void this.checkRoleOf(gamerId)));
    // Earlier notifications may have been missed.
    listener.onListening(() => this.sweepNow());
  }

  start(server: Pick<Server, 'in'>): void {
    this.server = server;
    const failure = 'the sessions of sockets could not be checked';
    this.sweepNow = this.background.every(SWEEP_INTERVAL_MS, () => this.sweep(), failure);
    const sweepUnlessNotified = async (): Promise<void> => {
      if (performance.now() - this.listener.completeUntilMonotonicMs >= LISTENER_CHECKED_EVERY_MS) this.sweepNow();
    };
    this.background.every(LISTENER_CHECKED_EVERY_MS, sweepUnlessNotified, failure);
  }

  /** The gamer who opened the socket; null for a visitor. */
  async admit(socket: Socket): Promise<SessionGamer | null> {
    const session = await this.sessions.of(socket.request);
    const gamer = await this.accounts.gamerOfSession(session);
    if (!session || !gamer || gamer.needsSecondFactor) return null;
    await socket.join(sessionRoom(session.sid));
    this.admitted.set(socket, { ...gamer, sid: session.sid });
    socket.once('disconnect', () => this.admitted.delete(socket));
    // The socket may have disconnected during the lookup.
    if (!socket.connected) this.admitted.delete(socket);
    // A notification during the lookup did not find the socket.
    const present = await this.accounts.gamerOfSession(await this.sessions.of(socket.request));
    if (present?.role !== gamer.role || present.powers.join() !== gamer.powers.join())
      throw new Error('the session ended, or its role or powers changed');
    return gamer;
  }

  async sweep(admitted = [...this.admitted]): Promise<void> {
    if (admitted.length === 0) return;
    const roles = await this.accounts.rolesIn([...new Set(admitted.map(([, { sid }]) => sid))]);
    for (const [socket, { sid, gamerId, role, powers }] of admitted) {
      const roleNow = roles.get(sid);
      const powersNow = this.accounts.powersOf(gamerId, roleNow);
      if (role === roleNow && powers.join() === powersNow.join()) continue;
      // Drops the cached role, so that a reconnecting socket gets the current one.
      this.accounts.forget(gamerId);
      socket.disconnect(true);
    }
  }

  /** Called for each gamer whose powers changed in the ledger, because Postgres' notification may come before this node has them. */
  async checkRoleOf(gamerId: GamerId): Promise<void> {
    const ofGamer = [...this.admitted].filter(([, admission]) => admission.gamerId === gamerId);
    await this.sweep(ofGamer).catch(({ message }: Error) => {
      this.logger.warn(`the role of a gamer could not be checked, so their sockets are closed: ${message}`);
      for (const [socket] of ofGamer) socket.disconnect(true);
    });
  }
}
