import { LRUCache } from 'lru-cache';
import { streamKey } from './stream-key.js';

/**
 * Where the first events of the appends lately made without an exact expectation lie, so that a retry of such an append
 * is recognised: best effort, as far as this memory reaches.
 */
export class RecentIds {
  /** The stream by its key: a name may be long, and clients choose it. */
  private readonly places: LRUCache<string, { key: string; revision: number }>;

  constructor(limit: number) {
    this.places = new LRUCache({ max: limit });
  }

  remember(id: string, stream: string, revision: number): void {
    this.places.set(id, { key: streamKey(stream), revision });
  }

  /** @returns the revision, if the event is in this stream */
  find(id: string, stream: string): number | undefined {
    const place = this.places.get(id);
    return place !== undefined && place.key === streamKey(stream) ? place.revision : undefined;
  }
}
