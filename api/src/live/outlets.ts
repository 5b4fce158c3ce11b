import type { Socket as TcpSocket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Server, Socket } from 'socket.io';
import type { LiveMessage } from './live-messages.js';

interface EncodedMessages {
  messages: readonly LiveMessage[];
  /** Each message as a Socket.IO packet: an event in the default namespace. */
  texts: string[];
  /** All messages as WebSocket frames, one after another. */
  frames: Buffer;
}

function encode(messages: readonly LiveMessage[]): EncodedMessages {
  const texts = messages.map(({ name, body }) => `2${JSON.stringify([name, body])}`);
  return { messages, texts, frames: Buffer.concat(texts.map((text) => textFrame(`4${text}`))) };
}

const joined = (batches: readonly EncodedMessages[]): EncodedMessages => ({
  messages: batches.flatMap(({ messages }) => messages),
  texts: batches.flatMap(({ texts }) => texts),
  frames: Buffer.concat(batches.map(({ frames }) => frames)),
});

/** A whole, unmasked, uncompressed text frame (RFC 6455, 5.2). */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const longHeadBytes = length < 65_536 ? 4 : 10;
  const head = Buffer.alloc(length < 126 ? 2 : longHeadBytes);
  head[0] = 0x81;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** A socket with more unsent bytes than this is behind, until all are sent. */
export const MAX_UNSENT_BYTES = 64 * 1024;
const BEHIND_TIMEOUT_MS = 10_000;

/**
 * Sends messages to one socket, and bounds the bytes that wait for it. While a socket is behind, nothing is sent. When it has
 * read everything, it gets the state and the last missed message of each other kind, which makes its client refetch.
 */
class Outlet {
  private readonly conn: Socket['conn'];
  /** Bytes that wait in engine.io for its next write, or for a poll. */
  private waitingBytes = 0;
  private behind: { sinceMonotonicMs: number; missed: Map<string, LiveMessage> } | null = null;

  constructor({ conn }: Pick<Socket, 'conn'>) {
    this.conn = conn;
    conn.on('flush', () => {
      this.waitingBytes = 0;
    });
  }

  get isBehind(): boolean {
    return this.behind !== null;
  }

  /** Sends the batch in one write, or keeps its messages while the socket is behind. */
  send(batch: EncodedMessages): void {
    if (this.unsentBytes > MAX_UNSENT_BYTES) this.behind ??= { sinceMonotonicMs: performance.now(), missed: new Map() };
    // The state replaces messages about the board, which have a version.
    if (this.behind) for (const message of unversioned(batch)) this.behind.missed.set(message.name, message);
    else this.write(batch);
  }

  /** Once everything was sent, returns the messages that the socket missed. Closes a socket that is behind for too long. */
  catchUp(): LiveMessage[] | null {
    if (this.behind === null) return null;
    const { sinceMonotonicMs, missed } = this.behind;
    if (this.unsentBytes > 0) {
      // Discarding, because a close in order would wait for the bytes that the client does not read.
      if (performance.now() - sinceMonotonicMs > BEHIND_TIMEOUT_MS) this.conn.close(true);
      return null;
    }
    this.behind = null;
    return [...missed.values()];
  }

  /** Bytes that the operating system did not take yet or, for polling, that no poll fetched yet. */
  private get unsentBytes(): number {
    return this.waitingBytes + (this.tcp?.writableLength ?? 0);
  }

  /** The connection of a websocket. It is internal to engine.io and ws; outlets.spec.ts fails when that changes. */
  private get tcp(): TcpSocket | undefined {
    return (this.conn.transport as { socket?: { _socket: TcpSocket } }).socket?._socket;
  }

  private write({ texts, frames }: EncodedMessages): void {
    const { transport } = this.conn;
    if (this.tcp && transport.writable) {
      // Past engine.io: `server.emit` of two messages to 1,000 sockets takes 2.4 times the processor time (measured 2026-11-28).
      // Everything that engine.io accepted has been written.
      if (transport.readyState === 'open') this.tcp.write(frames);
      return;
    }
    // The client polls, or engine.io is writing.
    this.waitingBytes += frames.length;
    for (const text of texts) this.conn.write(text);
  }
}

/** Sockets written to in one turn of the event loop (about a millisecond), so that purchases are served in between. */
const SOCKETS_PER_TURN = 100;

/** Sends messages to this node's sockets: encoded once for each audience, in one write for each socket. */
export class Outlets {
  private readonly outlets = new Map<string, Outlet>();

  constructor(private readonly server: Pick<Server, 'sockets'>) {}

  add(socket: Socket): void {
    // The socket may have closed while its session was looked up.
    if (!socket.connected) return;
    this.outlets.set(socket.id, new Outlet(socket));
    socket.once('disconnect', () => this.outlets.delete(socket.id));
  }

  /** Sends to each socket, messages to all first; one that caught up gets the state instead. Resolves to true while any is behind. */
  async send(messages: readonly LiveMessage[], state: () => LiveMessage): Promise<boolean> {
    let isAnyBehind = false;
    let count = 0;
    const toAll = encode(messages.filter(({ to }) => to === null));
    const toSome = this.batchesBySocket(messages);
    for (const [id, outlet] of this.outlets) {
      const own = toSome.get(id) ?? [];
      const batch = own.length === 0 ? toAll : joined([toAll, ...own]);
      const missed = outlet.catchUp();
      if (missed) outlet.send(encode([state(), ...missed, ...unversioned(batch)]));
      else if (batch.messages.length > 0) outlet.send(batch);
      isAnyBehind ||= outlet.isBehind;
      count += 1;
      if (count % SOCKETS_PER_TURN === 0) await nextTurn();
    }
    return isAnyBehind;
  }

  private batchesBySocket(messages: readonly LiveMessage[]): Map<string, EncodedMessages[]> {
    const { rooms } = this.server.sockets.adapter;
    const batches = new Map<string, EncodedMessages[]>();
    for (const room of new Set(messages.map(({ to }) => to))) {
      const ids = room === null ? undefined : rooms.get(room);
      if (!ids) continue;
      const batch = encode(messages.filter(({ to }) => to === room));
      for (const id of ids) batches.set(id, [...(batches.get(id) ?? []), batch]);
    }
    return batches;
  }
}

const unversioned = ({ messages }: EncodedMessages): LiveMessage[] =>
  messages.filter(({ body }) => !('version' in body));
