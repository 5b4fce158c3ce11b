import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReadCheckpoint } from './read-checkpoint.queries.js';

const LIFETIME_MS = 1_000;
const MAX_KEPT = 1_000;

/** Keeps the results of public queries in memory until the tables change, for a second at most. */
@Injectable()
export class PublicReads {
  private readonly kept = new LRUCache<string, Promise<object>>({ ttl: LIFETIME_MS, max: MAX_KEPT });

  constructor(private readonly checkpoint: ReadCheckpoint) {}

  /** @param name identifies the query with its parameters */
  get<T extends object>(name: string, read: () => Promise<T>): Promise<T> {
    const { position, laggingViews } = this.checkpoint;
    if (position === null) return read();
    // A read model that was rebuilt is swapped in without a new position.
    const key = [position, ...laggingViews, name].join(' ');
    const known = this.kept.get(key) as Promise<T> | undefined;
    if (known) return known;
    const reading = read();
    this.kept.set(key, reading);
    reading.catch(() => this.kept.delete(key));
    return reading;
  }
}
