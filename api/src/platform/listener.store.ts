import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Client, escapeIdentifier } from 'pg';
import { untilMultipleMs } from '../../../event-log/timers.js';
import { Background } from './background.js';
import { Config } from './config.js';

const RECONNECT_MS = 500;
const HEARTBEAT_INTERVAL_MS = 1_000;

/** Receives Postgres' notifications. They come in commit order: a heartbeat proves that all committed before it have arrived. */
@Injectable()
export class Listener implements OnApplicationBootstrap {
  /** All notifications committed before this time have arrived; ms of `performance.now()`. */
  completeUntilMonotonicMs = Number.NEGATIVE_INFINITY;
  private readonly logger = new Logger('listener');
  private readonly receivers = new Map<string, (payload: string) => void>();
  private readonly listeningCallbacks: ((client: Client) => unknown)[] = [];

  constructor(
    private readonly config: Config,
    private readonly background: Background,
  ) {
    this.on(`heartbeat ${randomUUID()}`, (sentAtMonotonicMs) => {
      this.completeUntilMonotonicMs = Number(sentAtMonotonicMs);
    });
  }

  /** Calls `receive` for each notification on the channel; only before the application starts. */
  on(channel: string, receive: (payload: string) => void): void {
    this.receivers.set(channel, receive);
  }

  /** Calls back each time the process begins to listen: earlier notifications may have been missed. */
  onListening(callback: (client: Client) => unknown): void {
    this.listeningCallbacks.push(callback);
  }

  onApplicationBootstrap(): void {
    const listening = this.listen();
    this.background.onStop(() => listening);
  }

  private async listen(): Promise<void> {
    const { signal } = this.background;
    while (!signal.aborted) {
      const client = new Client({
        connectionString: this.config.databaseUrl,
        application_name: 'omni-jackpot-api-listener',
        connectionTimeoutMillis: 3_000,
        // Ends a query on a connection that is half open.
        query_timeout: 2_500,
      });
      // The next heartbeat fails and reports it; without this listener the error would end the process.
      client.on('error', () => {});
      try {
        await this.listenWith(client);
      } catch (error) {
        if (!signal.aborted) this.logger.warn(`the listening connection failed: ${(error as Error).message}`);
      } finally {
        await client.end().catch(() => {});
      }
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Throws when the connection fails or the process stops. */
  private async listenWith(client: Client): Promise<never> {
    client.on('notification', ({ channel, payload = '' }) => this.receivers.get(channel)?.(payload));
    await client.connect();
    const channels = [...this.receivers.keys()];
    for (const channel of channels) await client.query(`LISTEN ${escapeIdentifier(channel)}`);
    // Called after LISTEN, so that no notification between the two is missed.
    for (const callback of this.listeningCallbacks) await callback(client);
    for (;;) {
      await client.query('SELECT pg_notify($1, $2)', [channels[0], String(performance.now())]);
      await sleep(untilMultipleMs(HEARTBEAT_INTERVAL_MS), undefined, { signal: this.background.signal });
    }
  }
}
