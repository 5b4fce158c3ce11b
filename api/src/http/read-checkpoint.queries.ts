import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { Config } from '../platform/config.js';

const RECONNECT_MIN_MS = 100;
const RECONNECT_MAX_MS = 3_000;

/** The checkpoint of the read models, kept current over one connection per process (`NOTIFY projections`). */
@Injectable()
export class ReadCheckpoint implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('read-checkpoint');
  private readonly stopping = new AbortController();
  private readonly waiting = new Set<{ position: bigint; reached: () => void }>();
  private current: bigint | null = null;
  private listening: Promise<void> | undefined;

  constructor(private readonly config: Pick<Config, 'databaseUrl'>) {}

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

  onApplicationBootstrap(): void {
    this.listening = this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.listening;
  }

  private async listen(): Promise<void> {
    let waitMs = RECONNECT_MIN_MS;
    while (!this.stopping.signal.aborted) {
      const client = new Client({
        connectionString: this.config.databaseUrl,
        application_name: 'omni-jackpot-api-checkpoint',
        keepAlive: true,
        connectionTimeoutMillis: 3_000,
      });
      try {
        await this.listenWith(client, () => {
          waitMs = RECONNECT_MIN_MS;
        });
      } catch (error) {
        this.logger.warn(`the connection to the checkpoint failed: ${(error as Error).message}`);
      } finally {
        await client.end().catch(() => {});
      }
      await sleep(waitMs, undefined, { signal: this.stopping.signal }).catch(() => {});
      waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS);
    }
  }

  /** Resolves when the process stops; throws when the connection fails. */
  private async listenWith(client: Client, onConnected: () => void): Promise<void> {
    let stop = (): void => {};
    const ended = new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('end', resolve);
      stop = resolve;
    });
    this.stopping.signal.addEventListener('abort', stop);
    // It may reject before it is awaited below.
    ended.catch(() => {});
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.moveTo(BigInt(payload));
    });
    try {
      await client.connect();
      onConnected();
      await client.query('LISTEN projections');
      // After LISTEN, so that no notification between the two is missed.
      await this.readNow(client);
      await ended;
    } finally {
      this.stopping.signal.removeEventListener('abort', stop);
    }
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
