/** Where an event was put. */
export interface Place {
  stream: string;
  revision: number;
  position: number;
}

/** The ids lately appended without an exact expectation, so that a retry of such an append is recognised: best effort. */
export class RecentIds {
  private readonly places = new Map<string, Place>();

  constructor(private readonly limit: number) {}

  remember(id: string, place: Place): void {
    this.places.set(id, place);
    if (this.places.size <= this.limit) return;
    const oldest = this.places.keys().next();
    if (!oldest.done) this.places.delete(oldest.value);
  }

  find(id: string, stream: string): Place | undefined {
    const place = this.places.get(id);
    return place?.stream === stream ? place : undefined;
  }
}
