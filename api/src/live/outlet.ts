import type { Socket } from 'socket.io';
import type { Message, Packets } from './packets.js';

/** A socket with more unsent bytes than this is behind, until all are sent. */
export const MAX_UNSENT_BYTES = 64 * 1024;
/** A socket that is behind for longer is closed. */
export const BEHIND_TIMEOUT_MS = 10_000;

/**
 * Sends messages to one socket, and bounds the bytes that wait for it. While a socket is behind, nothing is sent. When it has
 * read everything, it gets the state and the last missed message of each other kind, which makes its client refetch.
 */
export class Outlet {
  private readonly conn: Socket['conn'];
  /** Bytes in the transport's last write, and bytes that wait for the next one. */
  private writtenBytes = 0;
  private waitingBytes = 0;
  private behindSinceMs: number | null = null;
  private readonly missed = new Map<string, Message>();

  constructor({ conn }: Pick<Socket, 'conn'>) {
    this.conn = conn;
    conn.on('flush', () => {
      this.writtenBytes = this.waitingBytes;
      this.waitingBytes = 0;
    });
  }

  get isBehind(): boolean {
    return this.behindSinceMs !== null;
  }

  /** Sends packets in one write. `messages` are the same messages, kept while the socket is behind. */
  send(packets: Packets, messages: readonly Message[]): void {
    if (!this.isBehind && this.unsentBytes > MAX_UNSENT_BYTES) this.behindSinceMs = performance.now();
    if (this.isBehind) this.keep(messages);
    else this.write(packets);
  }

  /** Ends being behind if everything was sent: returns what the socket missed. Closes a socket that is behind for too long. */
  catchUp(): Message[] | null {
    if (this.behindSinceMs === null) return null;
    if (this.unsentBytes > 0) {
      // Discarding, because a close in order would wait for the bytes that the client does not read.
      if (performance.now() - this.behindSinceMs > BEHIND_TIMEOUT_MS) this.conn.close(true);
      return null;
    }
    const missed = [...this.missed.values()];
    this.missed.clear();
    this.behindSinceMs = null;
    return missed;
  }

  /** Bytes that the operating system did not take yet. For polling: that no poll fetched yet. */
  private get unsentBytes(): number {
    const { transport } = this.conn;
    if (transport.writable) return 0;
    return transport.name === 'polling' ? this.waitingBytes : this.writtenBytes + this.waitingBytes;
  }

  /** The state replaces messages about the board, which have a version. */
  private keep(messages: readonly Message[]): void {
    for (const message of messages) {
      if (!('version' in message.body)) this.missed.set(message.name, message);
    }
  }

  private write({ texts, frames }: Packets): void {
    this.waitingBytes += frames.length;
    if (this.conn.transport.name !== 'websocket') {
      for (const text of texts) this.conn.write(text);
      return;
    }
    // engine.io writes a pre-encoded frame to the socket as it is, as socket.io's broadcasts rely on. It is internal, like
    // the fact that the buffer may hold several frames; outlets.spec.ts fails when either changes. A connection never
    // returns from websocket to polling, so the packet needs no text.
    const options = { compress: false, wsPreEncodedFrame: [frames] };
    this.conn.write('', options);
  }
}
