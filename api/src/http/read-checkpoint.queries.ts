import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Client } from 'pg';
import { first, firstValueFrom, map, of, Subject, startWith, timeout } from 'rxjs';
import { Unavailable } from '../platform/failures.js';
import { Listener } from '../platform/listener.store.js';

const READ_YOUR_WRITES_TIMEOUT_MS = 2_000;

/** The worker's checkpoint and the read models behind it, kept current by Postgres' notifications. */
@Injectable()
export class ReadCheckpoint {
  private readonly changes = new Subject<void>();
  private current: bigint | null = null;
  private lagging = new Map<string, bigint>();

  constructor(listener: Listener) {
    // The worker sends the lagging ones before the checkpoint of the same transaction.
    listener.on('projections_lagging', (text) => {
      this.lagging = parseLagging(text);
    });
    listener.on('projections', (position) => this.moveTo(BigInt(position)));
    listener.onListening((client) => this.readNow(client));
  }

  /** A log position that the tables of all read models but the lagging ones have certainly reached; null while unknown. */
  get position(): string | null {
    return this.current === null ? null : String(this.current);
  }

  get laggingViews(): string[] {
    return [...this.lagging.keys()];
  }

  /** How many log positions each lagging read model lacks of the worker's checkpoint. */
  behindByView(): [view: string, positions: number][] {
    return [...this.lagging].map(([view, at]) => [view, Number((this.current ?? at) - at)]);
  }

  /** A log position that these read models have certainly reached; null while unknown. */
  positionOf(views: Views): string | null {
    const slowest = this.slowest(views);
    return slowest === null ? null : String(slowest);
  }

  /** Resolves to true once these read models have reached the position, or to false after the wait. */
  reached(position: string, views: Views, timeoutMs = READ_YOUR_WRITES_TIMEOUT_MS): Promise<boolean> {
    const wanted = BigInt(position);
    const reaching = this.changes.pipe(
      startWith(undefined),
      first(() => (this.slowest(views) ?? -1n) >= wanted),
      map(() => true),
      timeout({ first: timeoutMs, with: () => of(false) }),
    );
    return firstValueFrom(reaching);
  }

  /** Waits for the position as `reached` does. Throws Unavailable when these read models stay behind it. */
  async mustReach(position: string, views: Views): Promise<void> {
    if (!(await this.reached(position, views))) throw new Unavailable(`the read models are not yet at ${position}`);
  }

  private async readNow(client: Client): Promise<void> {
    const { rows: tables } = await client.query<{ exists: boolean }>(
      "SELECT to_regclass('read.checkpoint') IS NOT NULL AS exists",
    );
    // The worker creates the table, perhaps after this node started; its first batch then notifies.
    if (!tables[0]?.exists) return;
    const { rows } = await client.query<{ position: string; name: string | null; at: string }>(
      `SELECT checkpoint.position, name, views.position AS at
       FROM read.checkpoint LEFT JOIN read.views ON views.position < checkpoint.position`,
    );
    this.lagging = new Map(rows.flatMap(({ name, at }) => (name === null ? [] : [[name, BigInt(at)]])));
    if (rows[0]) this.moveTo(BigInt(rows[0].position));
  }

  private moveTo(position: bigint): void {
    this.current = position;
    this.changes.next();
  }

  private slowest(views: Views): bigint | null {
    let slowest = this.current;
    for (const [name, at] of this.lagging) {
      const isRead = views === 'all' || views.includes(name);
      if (isRead && slowest !== null && at < slowest) slowest = at;
    }
    return slowest;
  }
}

/** Names of read models (projections/src/views/). */
export type Views = readonly string[] | 'all';

/** `winners@120 journal@-1`; -1 is before the first event. */
const parseLagging = (text: string): Map<string, bigint> =>
  new Map(Array.from(text.matchAll(/(\S+)@(-?\d+)/g), ([, name = '', at = '']) => [name, BigInt(at)]));

const LIFETIME_MS = 1_000;
const MAX_CACHED = 1_000;

/** Keeps the results of public queries in memory until the tables change, for at most a second after they are read. */
@Injectable()
export class PublicQueryCache {
  private readonly cache = new LRUCache<string, object, () => Promise<object>>({
    ttl: LIFETIME_MS,
    max: MAX_CACHED,
    // A result that is evicted while it is read is returned all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: read }) => read(),
  });

  constructor(private readonly checkpoint: ReadCheckpoint) {}

  /** @param name identifies the query with its parameters */
  get<T extends object>(name: string, read: () => Promise<T>): Promise<T> {
    const { position, laggingViews } = this.checkpoint;
    if (position === null) return read();
    // A read model that was rebuilt is swapped in without a new position.
    const key = [position, ...laggingViews, name].join(' ');
    return this.cache.fetch(key, { context: read }) as Promise<T>;
  }
}
