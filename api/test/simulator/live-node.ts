import type { Server, Socket } from 'socket.io';
import type { AccountsStore } from '../../src/features/gamers/accounts.store.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { LiveGateway } from '../../src/live/live.gateway.js';
import type { SocketSessions } from '../../src/live/socket-sessions.js';
import type { Clock } from '../../src/platform/clock.js';
import type { SimulatedPostgres } from './postgres.js';
import type { World } from './world.js';

interface Process {
  ledger: Ledger;
  clock: Clock;
  live: NodeLive;
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** The client at the other end of the socket. */
interface Page {
  gamerId: string | null;
  take(name: string, body: { position: string }): void;
  connect(): Promise<void>;
}

/** A silent connection is noticed within this time: ping interval plus ping timeout. */
const PING_MS = 45_000;
/** Counts each character as 100 bytes, so that one second without reading exceeds MAX_UNSENT_BYTES. */
const BYTES_PER_CHARACTER = 100;

export const tagsOf = (gamerIds: readonly string[]) => new Map(gamerIds.map((id) => [id, `tag of ${id}`]));

/** The live messages of an api process. Sessions and names are SQL: every socket is its gamer's, or a visitor's. */
export function liveOf(node: Process, postgres: SimulatedPostgres): NodeLive {
  const rooms = new Map<string, Set<string>>();
  const accounts = {
    tagsOf: (gamerIds: string[]) => postgres.call(() => tagsOf(gamerIds)),
    rememberedTagsOf: tagsOf,
  } as unknown as AccountsStore;
  const admit = async ({ page: { gamerId } }: SimulatedSocket) =>
    postgres.call(() => gamerId && { gamerId, role: 'gamer', powers: [] });
  const sessions = { start: () => {}, admit, checkRoleOf: async () => {} } as unknown as SocketSessions;
  const gateway = new LiveGateway(node.ledger, accounts, sessions, node.clock);
  Object.assign(gateway, { server: { sockets: { adapter: { rooms } } } as Pick<Server, 'sockets'> });
  gateway.onApplicationBootstrap();
  return { rooms, accept: (socket) => gateway.handleConnection(socket as unknown as Socket) };
}

export interface NodeLive {
  rooms: Map<string, Set<string>>;
  accept(socket: SimulatedSocket): Promise<void>;
}

/** A connection, by websocket or polling, seen from the server: it stalls, and breaks with all that is on its way. */
export class SimulatedSocket {
  readonly id: string;
  readonly conn;
  connected = true;
  /** The page has gone to another connection. */
  private hasLeft = false;
  private stalledUntilMs = 0;
  private unsent: string[] = [];
  private readonly onDisconnect: (() => void)[] = [];
  private onFlush = () => {};

  constructor(
    private readonly world: World,
    readonly node: Process,
    readonly page: Page,
  ) {
    this.id = world.newId('socket');
    const tcp = { write: (frames: Buffer) => this.write(textsOf(frames)) };
    Object.defineProperty(tcp, 'writableLength', { get: () => this.unsentBytes });
    this.conn = {
      on: (_: 'flush', flushed: () => void) => {
        this.onFlush = flushed;
      },
      transport: { readyState: 'open', writable: true, ...(world.random() < 0.6 && { socket: { _socket: tcp } }) },
      write: (text: string) => this.write([text]),
      close: () => this.cut(),
    };
  }

  once(_: 'disconnect', gone: () => void): void {
    this.onDisconnect.push(gone);
  }

  on(): void {}

  async join(room: string): Promise<void> {
    const { rooms } = this.node.live;
    rooms.set(room, (rooms.get(room) ?? new Set()).add(this.id));
  }

  emit(name: string, body: object): void {
    this.write([`2${JSON.stringify([name, body])}`]);
  }

  readonly disconnect = () => this.cut();

  stallFor(ms: number): void {
    const { time } = this.world;
    this.stalledUntilMs = Math.max(this.stalledUntilMs, time.now() + ms);
    time.after(ms, () => this.flush(), null);
  }

  get isSilent(): boolean {
    return this.stalledUntilMs === Number.POSITIVE_INFINITY;
  }

  /** Half open: nothing arrives any more, and each end finds out by itself when it hears no ping. */
  fallSilent(): void {
    const { time } = this.world;
    this.stalledUntilMs = Number.POSITIVE_INFINITY;
    time.after(this.world.upTo(PING_MS), () => this.leave(), null);
    time.after(this.world.upTo(PING_MS), () => this.cut(), null);
  }

  private leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.world.time.after(this.world.upTo(500), () => void this.page.connect(), null);
  }

  cut(): void {
    this.leave();
    if (!this.connected) return;
    this.connected = false;
    for (const gone of this.onDisconnect) gone();
    for (const ids of this.node.live.rooms.values()) ids.delete(this.id);
  }

  private get unsentBytes(): number {
    return this.unsent.reduce((sum, text) => sum + text.length * BYTES_PER_CHARACTER, 0);
  }

  private write(texts: readonly string[]): void {
    this.unsent.push(...texts);
    this.world.time.after(1 + this.world.upTo(1), () => this.flush(), null);
  }

  private flush(): void {
    if (!this.connected || this.world.time.now() < this.stalledUntilMs) return;
    const texts = this.unsent.splice(0);
    this.onFlush();
    for (const text of texts) this.page.take(...(JSON.parse(text.slice(1)) as Parameters<Page['take']>));
  }
}

/** The Socket.IO packets in websocket frames. */
function textsOf(frames: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < frames.length; ) {
    let head = 2;
    let length = frames[at + 1] as number;
    if (length === 126) [head, length] = [4, frames.readUInt16BE(at + 2)];
    else if (length === 127) [head, length] = [10, Number(frames.readBigUInt64BE(at + 2))];
    texts.push(frames.toString('utf8', at + head + 1, at + head + length));
    at += head + length;
  }
  return texts;
}
