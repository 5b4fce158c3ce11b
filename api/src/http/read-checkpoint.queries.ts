import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { Listener } from '../platform/listener.store.js';

/** The checkpoint of the read models, kept current by `NOTIFY projections`. */
@Injectable()
export class ReadCheckpoint {
  private readonly waiting = new Set<{ position: bigint; reached: () => void }>();
  private current: bigint | null = null;

  constructor(listener: Listener) {
    listener.on('projections', (position) => this.moveTo(BigInt(position)));
    listener.onListening((client) => this.readNow(client));
  }

  /** A log position that the tables have certainly reached; null while unknown. */
  get position(): string | null {
    return this.current === null ? null : String(this.current);
  }

  /** Resolves to true once the tables have reached the position, or to false after `timeoutMs`. */
  async reached(position: string, timeoutMs: number): Promise<boolean> {
    const wanted = BigInt(position);
    if (this.hasReached(wanted)) return true;
    return new Promise((resolve) => {
      const waiter = { position: wanted, reached: () => done(true) };
      const timer = setTimeout(() => done(false), timeoutMs);
      const done = (result: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(waiter);
        resolve(result);
      };
      this.waiting.add(waiter);
    });
  }

  private async readNow(client: Client): Promise<void> {
    const { rows: tables } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('read.checkpoint') IS NOT NULL AS exists",
    );
    // The worker creates the table, perhaps after this node started; its first batch then notifies.
    if (!tables[0]?.exists) return;
    const { rows } = await client.query<{ position: string }>('SELECT position FROM read.checkpoint');
    if (rows[0]) this.moveTo(BigInt(rows[0].position));
  }

  private moveTo(position: bigint): void {
    this.current = position;
    for (const waiter of this.waiting) if (this.hasReached(waiter.position)) waiter.reached();
  }

  private hasReached(position: bigint): boolean {
    return this.current !== null && this.current >= position;
  }
}
