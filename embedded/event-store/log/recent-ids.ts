/**
 * Where the first events of the appends lately made without an exact expectation lie, so that a retry of such an append
 * is recognised: best effort, as far as this memory reaches.
 */
export class RecentIds {
  private readonly places = new Map<string, { stream: string; revision: number }>();

  constructor(private readonly limit: number) {}

  remember(id: string, stream: string, revision: number): void {
    this.places.set(id, { stream, revision });
    if (this.places.size <= this.limit) return;
    const oldest = this.places.keys().next();
    if (!oldest.done) this.places.delete(oldest.value);
  }

  /** @returns the revision, if the event is in this stream */
  find(id: string, stream: string): number | undefined {
    const place = this.places.get(id);
    return place?.stream === stream ? place.revision : undefined;
  }
}
